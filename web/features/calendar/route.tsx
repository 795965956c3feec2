import { createRoute } from "@tanstack/react-router";
import { Gift } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const calendar = lazyPage(async () => (await import("./page.tsx")).ChristmasCalendarPage);
const managedCalendar = lazyPage(async () => (await import("./admin-page.tsx")).ManagedCalendarPage);

export const christmasCalendarRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/christmas-calendar",
    ...pageOptions({
      who: "member",
      title: "Adventskalender",
      page: calendar,
      link: { place: 30, label: "Adventskalender", icon: <Gift />, who: "everyone", isInHeader: true },
    }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/calendar",
    ...pageOptions({ who: ["admin"], title: "Kalender verwalten", page: managedCalendar }),
  }),
] as const;
