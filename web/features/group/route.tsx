import { lazyPage, type Feature } from "#web/platform/pages.ts";

const home = lazyPage(async () => (await import("./home-page.tsx")).HomePage);
const install = lazyPage(async () => (await import("./install-page.tsx")).InstallPage);
const denied = lazyPage(async () => (await import("./denied-page.tsx")).DeniedPage);
const notFound = lazyPage(async () => (await import("./not-found-page.tsx")).NotFoundPage);

export const feature: Feature = {
  pages: [
    { path: "/", who: "guest", title: "Start", page: home },
    { path: "/install", who: "everyone", title: "App installieren", page: install },
  ],
  denied: { title: "Nope.", page: denied },
  notFound: { title: "Nicht gefunden", page: notFound },
};
