import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { useGameServersLive } from "./api.ts";

export const backgroundEffects = [createBackgroundEffect("game-servers", ["see-game-servers"], useGameServersLive)];
