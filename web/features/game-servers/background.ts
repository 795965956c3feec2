import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { useGameServersLive } from "./live.ts";

export const backgroundEffects = [createBackgroundEffect("game-servers", ["see-game-servers"], useGameServersLive)];
