import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { usePartyLive, useWaitingGuestTaps } from "./api.ts";

export const backgroundEffects = [
  createBackgroundEffect("party", "member", usePartyLive),
  createBackgroundEffect("guest-taps", "member", useWaitingGuestTaps),
];
