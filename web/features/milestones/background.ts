import type { BackgroundEffect } from "#web/shell/background-effects.tsx";
import { Milestones } from "./components/milestones.tsx";

export const backgroundEffects: readonly BackgroundEffect[] = [
  { name: "milestones", who: "member", Component: Milestones },
];
