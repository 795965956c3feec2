import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const home = lazyPage(async () => (await import("./home-page.tsx")).HomePage);
const install = lazyPage(async () => (await import("./install-page.tsx")).InstallPage);
/** Page shown to members who lack the permission for the page they requested. */
export const denied = lazyPage(async () => (await import("./denied-page.tsx")).DeniedPage, "Nope.");
export const notFound = lazyPage(async () => (await import("./not-found-page.tsx")).NotFoundPage, "Nicht gefunden");
const managedGroup = lazyPage(async () => (await import("./admin-page.tsx")).GroupPage);

export const groupRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    ...pageOptions({ who: "guest", title: "Start", page: home }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/install",
    ...pageOptions({ who: "everyone", title: "App installieren", page: install }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/group",
    ...pageOptions({ who: ["admin"], title: "Gruppe", page: managedGroup }),
  }),
] as const;
