import { useAppBadge } from "#web/platform/app-badge.ts";
import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { useBeercounterLive } from "./live.ts";

export const backgroundEffects = [
  createBackgroundEffect("beercounter", "member", useBeercounterLive),
  createBackgroundEffect("app-badge", "member", useAppBadge),
];
