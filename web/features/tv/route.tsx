import { lazyPage, type Feature } from "#web/platform/pages.ts";

const tv = lazyPage(async () => (await import("./page.tsx")).TvPage);

export const feature: Feature = {
  pages: [{ path: "/tv", who: "everyone", title: "Fernseher", page: tv, isBare: true }],
};
