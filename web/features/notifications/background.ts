import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { usePush } from "#web/platform/push.ts";

export const backgroundEffects = [createBackgroundEffect("push", "member", usePush)];
