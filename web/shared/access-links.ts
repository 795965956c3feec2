import type { AccessLinks } from "#contract/member-management.ts";
import { formatCount, formatList } from "#web/ui/german.ts";

/**
 * Describes the links that end with the account of `maker` (a name or "dir"), e.g. `Damit enden
 * auch 2 Einladungen und 1 Fernseher-Link von Ben.` Returns `null` if the account has no valid
 * links.
 */
export function describeEndingLinks({ invitations, tv_links, reset_links }: AccessLinks, maker: string): string | null {
  const counts: [count: number, one: string, many: string][] = [
    [invitations, "Einladung", "Einladungen"],
    [tv_links, "Fernseher-Link", "Fernseher-Links"],
    [reset_links, "Passwort-Link", "Passwort-Links"],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, one, many]) => formatCount(count, one, many));
  if (words.length === 0) return null;
  const verb = invitations + tv_links + reset_links === 1 ? "endet" : "enden";
  return `Damit ${verb} auch ${formatList(words)} von ${maker}.`;
}
