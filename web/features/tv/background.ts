import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { useTvLogoutHook } from "./token.ts";

export const backgroundEffects = [createBackgroundEffect("tv", "member", useTvLogoutHook)];
