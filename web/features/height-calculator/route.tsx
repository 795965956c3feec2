import { createRoute } from "@tanstack/react-router";
import { Ruler } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const calculator = lazyPage(async () => (await import("./page.tsx")).HeightCalculatorPage);

export const heightCalculatorRoutes = [
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
] as const;
