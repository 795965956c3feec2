import { createRoute } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const yearReview = lazyPage(async () => (await import("./page.tsx")).YearReviewPage);

export const yearReviewRoutes = [
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
