import { createRoute, redirect } from "@tanstack/react-router";
import { Beer, ChartNoAxesColumn } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { guardPage, pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";
import { validateSearch } from "./period-rules.ts";

const counter = lazyPage(async () => (await import("../beers/counter-page.tsx")).BeercounterPage);
const statistics = lazyPage(async () => (await import("./statistics-page.tsx")).StatisticsPage);

export const beercounterRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/dashboard",
    ...pageOptions({ who: "member", title: "Bier-Counter", page: counter }),
    beforeLoad: ({ location }) => {
      guardPage("member", location);
      redirect({ to: "/beercounter", replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/beercounter",
    ...pageOptions({
      who: "member",
      title: "Bier-Counter",
      page: counter,
      link: { place: 10, label: "Bier-Counter", icon: <Beer />, who: "member", isInHeader: true },
    }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/statistics",
    validateSearch,
    ...pageOptions({
      who: "member",
      title: "Statistik",
      page: statistics,
      link: { place: 50, label: "Statistik", icon: <ChartNoAxesColumn />, who: "member" },
    }),
  }),
] as const;
