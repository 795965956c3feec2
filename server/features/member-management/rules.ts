import type { AccessLinks } from "#contract/member-management.ts";
import { formatCount } from "#server/platform/command.ts";

/** Formats the revoked links for the output of a command, e.g. ` (revoked: 2 invitations, 1 TV link)`; "" without any. */
export function formatRevokedLinks(links: AccessLinks | null): string {
  const counts: [count: number, noun: string][] = links
    ? [
        [links.invitations, "invitation"],
        [links.tv_links, "TV link"],
        [links.reset_links, "reset link"],
      ]
    : [];
  const words = counts.filter(([count]) => count > 0).map((counted) => formatCount(...counted));
  return words.length === 0 ? "" : ` (revoked: ${words.join(", ")})`;
}
