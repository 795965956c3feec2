import { createRoute } from "@tanstack/react-router";
import { Ruler } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const home = lazyPage(async () => (await import("./page.tsx")).HomePage);
const install = lazyPage(async () => (await import("./install-page.tsx")).InstallPage);
/** Page shown to members who lack the permission for the page they requested. */
export const denied = lazyPage(async () => (await import("./page.tsx")).DeniedPage, "Nope.");
export const notFound = lazyPage(async () => (await import("./page.tsx")).NotFoundPage, "Nicht gefunden");
const calculator = lazyPage(async () => (await import("./height-calculator-page.tsx")).HeightCalculatorPage);
const guide = lazyPage(async () => (await import("./guide-page.tsx")).GuidePage);
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
    path: "/height-calculator",
    ...pageOptions({
      who: "everyone",
      title: "Größenrechner",
      page: calculator,
      link: { place: 70, label: "Größenrechner", icon: <Ruler />, who: "everyone" },
    }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/guide",
    ...pageOptions({ who: "member", title: "Anleitung", page: guide }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/group",
    ...pageOptions({ who: ["admin"], title: "Gruppe", page: managedGroup }),
  }),
] as const;
