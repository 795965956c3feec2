import { expect, test } from "vitest";

import { describeEndingLinks } from "./access-links.ts";

test.each([
  [0, 0, 0, 0, null],
  [1, 0, 0, 0, "Damit endet auch 1 Einladung von Ben."],
  [2, 0, 0, 0, "Damit enden auch 2 Einladungen von Ben."],
  [0, 1, 0, 0, "Damit endet auch 1 Fernseher-Link von Ben."],
  [0, 0, 1, 0, "Damit endet auch 1 Passwort-Link von Ben."],
  [2, 1, 0, 0, "Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben."],
  [1, 0, 1, 0, "Damit enden auch 1 Einladung und 1 Passwort-Link von Ben."],
  [1, 3, 2, 0, "Damit enden auch 1 Einladung, 3 Fernseher-Links und 2 Passwort-Links von Ben."],
  [0, 0, 0, 1, "Damit pausiert auch 1 Webhook von Ben."],
  [0, 0, 0, 2, "Damit pausieren auch 2 Webhooks von Ben."],
  [2, 1, 0, 1, "Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben, und 1 Webhook pausiert."],
  [1, 0, 0, 2, "Damit endet auch 1 Einladung von Ben, und 2 Webhooks pausieren."],
])(
  "describeEndingLinks describes %i invitations, %i TV links, %i reset links and %i webhooks as: %s",
  (invitations, tv_links, reset_links, webhooks, text) => {
    expect(describeEndingLinks({ invitations, tv_links, reset_links, webhooks }, "Ben")).toBe(text);
  },
);
