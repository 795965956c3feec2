import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const guide = lazyPage(async () => (await import("./page.tsx")).GuidePage);

export const guideRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/guide",
    ...pageOptions({ who: "member", title: "Anleitung", page: guide }),
  }),
] as const;
