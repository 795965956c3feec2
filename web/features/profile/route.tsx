import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const profile = lazyPage(async () => (await import("./page.tsx")).ProfilePage);

export const profileRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/profile",
    ...pageOptions({ who: "member", title: "Profil", page: profile }),
  }),
] as const;
