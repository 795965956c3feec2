import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { useOwnDoorsLive } from "./live.ts";

export const backgroundEffects = [createBackgroundEffect("own calendar doors", "member", useOwnDoorsLive)];
