import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const audit = lazyPage(async () => (await import("./admin-page.tsx")).AuditPage);

export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/audit",
    ...pageOptions({ who: ["admin"], title: "Protokoll", page: audit }),
  }),
] as const;
