import { usePush } from "#web/pwa/push.ts";
import { createBackgroundEffect } from "#web/shell/background-effects.tsx";

export const backgroundEffects = [createBackgroundEffect("push", "member", usePush)];
