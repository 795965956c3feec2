import type { AccessLinks } from "#contract/member-management.ts";
import { formatCount, formatList } from "#web/ui/german.ts";

/**
 * Describes the links that end and the webhooks that pause with the account of `maker` (a name or
 * "dir"), e.g. `Damit enden auch 2 Einladungen von Ben, und 1 Webhook pausiert.` Returns `null` if
 * the account has neither.
 */
export function describeEndingLinks(
  { invitations, tv_links, reset_links, webhooks }: AccessLinks,
  maker: string,
): string | null {
  const counts: [count: number, one: string, many: string][] = [
    [invitations, "Einladung", "Einladungen"],
    [tv_links, "Fernseher-Link", "Fernseher-Links"],
    [reset_links, "Passwort-Link", "Passwort-Links"],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, one, many]) => formatCount(count, one, many));
  const paused = formatCount(webhooks, "Webhook", "Webhooks");
  const pauses = webhooks === 1 ? "pausiert" : "pausieren";
  if (words.length === 0) return webhooks === 0 ? null : `Damit ${pauses} auch ${paused} von ${maker}.`;
  const verb = invitations + tv_links + reset_links === 1 ? "endet" : "enden";
  const also = webhooks === 0 ? "" : `, und ${paused} ${pauses}`;
  return `Damit ${verb} auch ${formatList(words)} von ${maker}${also}.`;
}
