import { createRoute, redirect } from "@tanstack/react-router";
import { ClipboardList } from "lucide-react";

import { idParams } from "#web/router/id-params.ts";
import { lazyPage } from "#web/router/lazy-page.tsx";
import { guardPage, pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const ownPage = lazyPage(async () => (await import("./page.tsx")).OwnPage);
const memberPage = lazyPage(async () => (await import("./page.tsx")).MemberPage);
const members = lazyPage(async () => (await import("./admin-page.tsx")).MembersPage);

export const membersRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/member",
    ...pageOptions({ who: "member", title: "Deckel", page: ownPage }),
    beforeLoad: ({ location, search }) => {
      guardPage("member", location);
      // Redirects links of earlier app versions, such as `/member?id=7`.
      const params = idParams.parse(search as { id: string });
      if (params) redirect({ to: "/members/$id", params, replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/members/$id",
    params: idParams,
    ...pageOptions({ who: "member", title: "Deckel", page: memberPage }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin",
    ...pageOptions({
      who: ["admin"],
      title: "Verwaltung",
      page: members,
      link: { place: 80, label: "Verwaltung", icon: <ClipboardList />, who: ["admin"] },
    }),
  }),
] as const;
