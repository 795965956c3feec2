import { Gamepad2 } from "lucide-react";

import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { lazyPage, type Feature } from "#web/platform/pages.ts";

import { useGameServersLive } from "./queries.ts";

const gameServers = lazyPage(async () => (await import("./page.tsx")).GameServersPage);

export const feature: Feature = {
  pages: [
    {
      path: "/game-servers",
      who: ["see-game-servers"],
      title: "Game-Server",
      page: gameServers,
      link: { place: 2, label: "Game-Server", icon: <Gamepad2 aria-hidden="true" />, who: ["see-game-servers"] },
    },
  ],
  backgroundEffects: [createBackgroundEffect("game-servers", ["see-game-servers"], useGameServersLive)],
};
