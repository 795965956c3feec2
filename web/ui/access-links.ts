import type { AccessLinks } from "#contract/admin-members.ts";
import { formatCount, formatList } from "./german.ts";

/** E.g. `Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben.`; `maker` is `Ben` or `dir`. Null where nothing is open. */
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
