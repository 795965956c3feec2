import { lazyPage, type Feature } from "#web/platform/pages.ts";

const guide = lazyPage(async () => (await import("./page.tsx")).GuidePage);

export const feature: Feature = {
  pages: [{ path: "/guide", who: "member", title: "Anleitung", page: guide }],
};
