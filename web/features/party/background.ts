import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { usePartyLive } from "./live.ts";

export const backgroundEffects = [createBackgroundEffect("party", "member", usePartyLive)];
