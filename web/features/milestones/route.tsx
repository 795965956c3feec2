import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import type { Feature } from "#web/platform/pages.ts";

export const feature: Feature = {
  backgroundEffects: [
    createBackgroundEffect(
      "milestones",
      "member",
      async () => (await import("./components/milestones.tsx")).Milestones,
    ),
  ],
};
