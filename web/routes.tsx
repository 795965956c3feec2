import type { NotFoundRouteProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { accountsRoutes } from "./features/accounts/route.tsx";
import { beersRoutes } from "./features/beers/route.tsx";
import { christmasCalendarRoutes } from "./features/calendar/route.tsx";
import { gameServersRoutes } from "./features/game-servers/route.tsx";
import { denied, groupRoutes, notFound } from "./features/group/route.tsx";
import { importRoutes } from "./features/import/route.tsx";
import { membersRoutes } from "./features/members/route.tsx";
import { notificationsRoutes } from "./features/notifications/route.tsx";
import { operationRoutes } from "./features/operation/route.tsx";
import { partiesRoutes } from "./features/parties/route.tsx";
import { statisticsRoutes } from "./features/statistics/route.tsx";
import { tvRoutes } from "./features/tv/route.tsx";
import { webhooksRoutes } from "./features/webhooks/route.tsx";
import { deniedPage } from "./router/page-route.ts";
import { rootRoute } from "./router/root-route.tsx";

/** The routes of all features. */
export const pageRoutes = [
  ...accountsRoutes,
  ...beersRoutes,
  ...christmasCalendarRoutes,
  ...gameServersRoutes,
  ...groupRoutes,
  ...importRoutes,
  ...notificationsRoutes,
  ...membersRoutes,
  ...operationRoutes,
  ...partiesRoutes,
  ...statisticsRoutes,
  ...tvRoutes,
  ...webhooksRoutes,
] as const;

export const routeTree = rootRoute.addChildren(pageRoutes);

/** The page shown if a page does not exist, or if the member may not open it. */
export function FallbackPage({ data }: NotFoundRouteProps): ReactNode {
  const Page = data === deniedPage ? denied : notFound;
  return <Page />;
}
FallbackPage.preload = async (): Promise<void> => {
  await Promise.all([denied.preload(), notFound.preload()]);
};
