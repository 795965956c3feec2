import { createRoute, redirect } from "@tanstack/react-router";
import { PartyPopper } from "lucide-react";

import { idParams } from "#web/router/id-params.ts";
import { lazyPage } from "#web/router/lazy-page.tsx";
import { guardPage, pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const parties = lazyPage(async () => (await import("./parties-page.tsx")).PartiesPage);
const party = lazyPage(async () => (await import("./party-page.tsx")).PartyPage);

export const partiesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/party",
    ...pageOptions({
      who: "member",
      title: "Partys",
      page: parties,
      link: { place: 20, label: "Partys", icon: <PartyPopper />, who: "member", isInHeader: true },
    }),
    beforeLoad: ({ location, search }) => {
      guardPage("member", location);
      // Redirects links of earlier app versions, such as `/party?id=7`.
      const params = idParams.parse(search as { id: string });
      if (params) redirect({ to: "/party/$id", params, replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/party/$id",
    params: idParams,
    ...pageOptions({ who: "member", title: "Partys", page: party }),
  }),
] as const;
