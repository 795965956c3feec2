import { lazyPage, type Feature } from "#web/platform/pages.ts";

const notifications = lazyPage(async () => (await import("./page.tsx")).NotificationsPage);

export const feature: Feature = {
  pages: [{ path: "/notifications", who: "member", title: "Benachrichtigungen", page: notifications }],
};
