import { createBackgroundEffect } from "#web/platform/background-effects.tsx";
import { lazyPage, type Feature } from "#web/platform/pages.ts";

import { useTvLogoutHook } from "./actions.ts";

const tv = lazyPage(async () => (await import("./page.tsx")).TvPage);

export const feature: Feature = {
  pages: [{ path: "/tv", who: "everyone", title: "Fernseher", page: tv, isBare: true }],
  backgroundEffects: [createBackgroundEffect("tv", "member", useTvLogoutHook)],
};
