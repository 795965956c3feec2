import { useAppBadge } from "#web/pwa/app-badge.ts";
import { createBackgroundEffect, type BackgroundEffect } from "#web/shell/background-effects.tsx";
import { useBeercounterLive, useToasts } from "./live.ts";
import { Milestones } from "./milestones.tsx";

export const backgroundEffects: readonly BackgroundEffect[] = [
  createBackgroundEffect("beercounter", "member", useBeercounterLive),
  createBackgroundEffect("app-badge", "member", useAppBadge),
  { name: "milestones", who: "member", Component: Milestones },
  createBackgroundEffect("toasts", "member", useToasts),
];
