import { lazyPage, type Feature } from "#web/platform/pages.ts";

const profile = lazyPage(async () => (await import("./page.tsx")).ProfilePage);

export const feature: Feature = {
  pages: [{ path: "/profile", who: "member", title: "Profil", page: profile }],
};
