import type { BackgroundEffect } from "#web/shell/background-effects.tsx";
import { News } from "./news.tsx";

export const backgroundEffects: readonly BackgroundEffect[] = [{ name: "news", who: "member", Component: News }];
