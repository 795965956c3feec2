import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const invitations = lazyPage(async () => (await import("./admin-page.tsx")).InvitationsPage);

export const invitationsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/invitations",
    ...pageOptions({ who: ["admin"], title: "Einladungen", page: invitations }),
  }),
] as const;
