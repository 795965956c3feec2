import { type BackgroundEffect, createBackgroundEffect } from "#web/shell/background-effects.tsx";
import { useOwnDoorsLive } from "./api.ts";
import { DrawnDoors } from "./drawn-doors.tsx";

export const backgroundEffects: readonly BackgroundEffect[] = [
  createBackgroundEffect("own calendar doors", "member", useOwnDoorsLive),
  { name: "drawn-doors", who: "member", Component: DrawnDoors },
];
