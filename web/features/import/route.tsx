import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const beerImport = lazyPage(async () => (await import("./admin-page.tsx")).ImportPage);

export const importRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/import",
    ...pageOptions({ who: ["admin"], title: "Biere importieren", page: beerImport }),
  }),
] as const;
