import { createBackgroundHook } from "#web/platform/background-effects.tsx";
import { lazyPage, type Feature } from "#web/platform/pages.ts";

const notifications = lazyPage(async () => (await import("./page.tsx")).NotificationsPage);

export const feature: Feature = {
  pages: [{ path: "/notifications", who: "member", title: "Benachrichtigungen", page: notifications }],
  backgroundEffects: [
    createBackgroundHook("push", "member", async () => (await import("#web/platform/push.ts")).usePush),
  ],
};
