import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { lazyPage, type Feature } from "#web/platform/pages.ts";
import { usePush } from "#web/platform/push.ts";

const notifications = lazyPage(async () => (await import("./page.tsx")).NotificationsPage);

export const feature: Feature = {
  pages: [{ path: "/notifications", who: "member", title: "Benachrichtigungen", page: notifications }],
  backgroundEffects: [createBackgroundEffect("push", "member", usePush)],
};
