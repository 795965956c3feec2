import { type BackgroundEffect, createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { DrawnDoors } from "./components/drawn-doors.tsx";
import { useOwnDoorsLive } from "./live.ts";

export const backgroundEffects: readonly BackgroundEffect[] = [
  createBackgroundEffect("own calendar doors", "member", useOwnDoorsLive),
  { name: "drawn-doors", who: "member", Component: DrawnDoors },
];
