import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const notifications = lazyPage(async () => (await import("./page.tsx")).NotificationsPage);

export const notificationsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/notifications",
    ...pageOptions({ who: "member", title: "Benachrichtigungen", page: notifications }),
  }),
] as const;
