import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { usePresenceLive } from "./live.ts";

export const backgroundEffects = [createBackgroundEffect("presence", "member", usePresenceLive)];
