import { useAppBadge } from "#web/pwa/app-badge.ts";
import { createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { useBeercounterLive } from "./live.ts";

export const backgroundEffects = [
  createBackgroundEffect("beercounter", "member", useBeercounterLive),
  createBackgroundEffect("app-badge", "member", useAppBadge),
];
