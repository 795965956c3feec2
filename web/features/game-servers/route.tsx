import { Gamepad2 } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const gameServers = lazyPage(async () => (await import("./page.tsx")).GameServersPage);

export const feature: Feature = {
  pages: [
    {
      path: "/game-servers",
      who: ["see-game-servers"],
      title: "Game-Server",
      page: gameServers,
      link: { place: 4, label: "Game-Server", icon: <Gamepad2 />, who: ["see-game-servers"], isInHeader: true },
    },
  ],
};
