import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const returned = lazyPage(async () => (await import("./page.tsx")).OidcPage);

export const oidcRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/login/oidc",
    ...pageOptions({ who: "everyone", title: "Anmeldung", page: returned }),
  }),
] as const;
