import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const tv = lazyPage(async () => (await import("./page.tsx")).TvPage);
const tvLinks = lazyPage(async () => (await import("./admin-page.tsx")).TvLinksPage);

export const tvRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/tv",
    ...pageOptions({ who: "everyone", title: "Fernseher", page: tv, isBare: true }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/tv",
    ...pageOptions({ who: ["admin"], title: "Fernseher verwalten", page: tvLinks }),
  }),
] as const;
