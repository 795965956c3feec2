import { createBackgroundEffect } from "#web/platform/background-effects.tsx";

import { useGameServersLive } from "./queries.ts";

export const backgroundEffects = [createBackgroundEffect("game-servers", ["see-game-servers"], useGameServersLive)];
