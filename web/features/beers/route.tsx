import { createRoute, redirect } from "@tanstack/react-router";
import { Beer } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { guardPage, pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const counter = lazyPage(async () => (await import("./counter-page.tsx")).BeercounterPage);

export const beersRoutes = [
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
] as const;
