import { Gift } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const calendar = lazyPage(async () => (await import("./page.tsx")).ChristmasCalendarPage);

export const feature: Feature = {
  pages: [
    {
      path: "/christmas-calendar",
      who: "member",
      title: "Adventskalender",
      page: calendar,
      link: { place: 3, label: "Adventskalender", icon: <Gift />, who: "everyone", isInHeader: true },
    },
  ],
};
