import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import type { Feature } from "#web/platform/pages.ts";

import { usePresenceLive } from "./live.ts";

export const feature: Feature = {
  backgroundEffects: [createBackgroundEffect("presence", "member", usePresenceLive)],
};
