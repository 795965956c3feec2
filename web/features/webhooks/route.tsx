import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const webhooks = lazyPage(async () => (await import("./admin-page.tsx")).WebhooksPage);

export const webhooksRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/webhooks",
    ...pageOptions({ who: ["admin"], title: "Webhooks", page: webhooks }),
  }),
] as const;
