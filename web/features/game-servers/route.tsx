import { createRoute } from "@tanstack/react-router";
import { Gamepad2 } from "lucide-react";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const gameServers = lazyPage(async () => (await import("./page.tsx")).GameServersPage);
const managedGameServers = lazyPage(async () => (await import("./admin-page.tsx")).ManagedGameServersPage);

export const gameServersRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/game-servers",
    ...pageOptions({
      who: ["see-game-servers"],
      title: "Game-Server",
      page: gameServers,
      link: { place: 40, label: "Game-Server", icon: <Gamepad2 />, who: ["see-game-servers"], isInHeader: true },
    }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/game-servers",
    ...pageOptions({ who: ["admin"], title: "Game-Server verwalten", page: managedGameServers }),
  }),
] as const;
