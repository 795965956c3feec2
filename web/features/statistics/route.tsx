import { createRoute } from "@tanstack/react-router";
import { ChartNoAxesColumn, Sparkles } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";
import { validateSearch } from "./period-rules.ts";

const statistics = lazyPage(async () => (await import("./statistics-page.tsx")).StatisticsPage);
const yearReview = lazyPage(async () => (await import("./year-review-page.tsx")).YearReviewPage);

export const statisticsRoutes = [
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
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/wrapped",
    ...pageOptions({
      who: "member",
      title: "Jahresrückblick",
      page: yearReview,
      link: { place: 60, label: "Jahresrückblick", icon: <Sparkles />, who: "member", months: [12, 1] },
    }),
  }),
] as const;
