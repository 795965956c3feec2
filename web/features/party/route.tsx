import { PartyPopper } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const party = lazyPage(async () => (await import("./page.tsx")).PartyPage);

export const feature: Feature = {
  pages: [
    {
      path: "/party",
      who: "member",
      title: "Partys",
      page: party,
      link: { place: 2, label: "Partys", icon: <PartyPopper />, who: "member", isInHeader: true },
    },
  ],
};
