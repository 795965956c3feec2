import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { usePresenceLive } from "./live.ts";

export const backgroundEffects = [createBackgroundEffect("presence", "member", usePresenceLive)];
