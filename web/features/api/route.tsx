import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const api = lazyPage(async () => (await import("./admin-page.tsx")).ApiPage);

export const apiRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/api",
    ...pageOptions({ who: ["admin"], title: "API", page: api }),
  }),
] as const;
