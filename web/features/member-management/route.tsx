import { createRoute } from "@tanstack/react-router";
import { ClipboardList } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const members = lazyPage(async () => (await import("./admin-page.tsx")).MembersPage);

export const memberManagementRoutes = [
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
