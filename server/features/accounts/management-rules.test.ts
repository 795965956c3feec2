import { expect, test } from "vitest";

import { formatRevokedLinks } from "./management-rules.ts";

test.each([
  [null, ""],
  [{ invitations: 0, tv_links: 0, reset_links: 0, webhooks: 0 }, ""],
  [{ invitations: 2, tv_links: 1, reset_links: 0, webhooks: 0 }, " (revoked: 2 invitations, 1 TV link)"],
  [
    { invitations: 1, tv_links: 0, reset_links: 3, webhooks: 1 },
    " (revoked: 1 invitation, 3 reset links; paused: 1 webhook)",
  ],
  [{ invitations: 0, tv_links: 0, reset_links: 0, webhooks: 2 }, " (paused: 2 webhooks)"],
])('formatRevokedLinks(%j) returns "%s"', (links, text) => {
  expect(formatRevokedLinks(links)).toBe(text);
});
