import { lazyPage, type Feature } from "#web/platform/pages.ts";

const memberPage = lazyPage(async () => (await import("./page.tsx")).MemberPage);

export const feature: Feature = {
  pages: [{ path: "/member", who: "member", title: "Deckel", page: memberPage }],
};
