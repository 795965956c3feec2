import { createBackgroundHook } from "#web/platform/background-effects.tsx";
import type { Feature } from "#web/platform/pages.ts";

export const feature: Feature = {
  backgroundEffects: [
    createBackgroundHook("presence", "member", async () => (await import("./live.ts")).usePresenceLive),
  ],
};
