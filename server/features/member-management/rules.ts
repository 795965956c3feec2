import type { AccessLinks } from "#contract/member-management.ts";
import { formatCount } from "#server/platform/command.ts";

/**
 * Formats the numbers of revoked links for a command's output, e.g. ` (revoked: 2 invitations, 1 TV
 * link)`; empty without revoked links.
 */
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
