import type { AccessLinks } from "#contract/member-management.ts";
import { formatCount } from "#server/platform/command.ts";

/** Returns e.g. ` (revoked: 2 invitations, 1 TV link; paused: 1 webhook)`; empty if all numbers are 0. */
export function formatRevokedLinks(links: AccessLinks | null): string {
  if (!links) return "";
  const revoked: [count: number, noun: string][] = [
    [links.invitations, "invitation"],
    [links.tv_links, "TV link"],
    [links.reset_links, "reset link"],
  ];
  const words = revoked.filter(([count]) => count > 0).map((counted) => formatCount(...counted));
  const parts = [
    ...(words.length > 0 ? [`revoked: ${words.join(", ")}`] : []),
    ...(links.webhooks > 0 ? [`paused: ${formatCount(links.webhooks, "webhook")}`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}
