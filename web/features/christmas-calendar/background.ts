import { type BackgroundEffect, createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { DrawnDoors } from "./components/drawn-doors.tsx";
import { useDoorsLive } from "./live.ts";

export const backgroundEffects: readonly BackgroundEffect[] = [
  createBackgroundEffect("christmas-calendar", "member", useDoorsLive),
  { name: "drawn-doors", who: "member", Component: DrawnDoors },
];
