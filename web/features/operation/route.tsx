import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const api = lazyPage(async () => (await import("./api-admin-page.tsx")).ApiPage);
const audit = lazyPage(async () => (await import("./audit-admin-page.tsx")).AuditPage);

export const operationRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/api",
    ...pageOptions({ who: ["admin"], title: "API", page: api }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/audit",
    ...pageOptions({ who: ["admin"], title: "Protokoll", page: audit }),
  }),
] as const;
