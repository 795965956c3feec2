import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { useTvLogoutHook } from "./actions.ts";

export const backgroundEffects = [createBackgroundEffect("tv", "member", useTvLogoutHook)];
