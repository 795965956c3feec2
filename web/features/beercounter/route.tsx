import { Beer, ChartNoAxesColumn } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const counter = lazyPage(async () => (await import("./page.tsx")).BeercounterPage);
const statistics = lazyPage(async () => (await import("./statistics-page.tsx")).StatisticsPage);

export const feature: Feature = {
  pages: [
    { path: "/dashboard", who: "member", title: "Bier-Counter", page: counter, redirectTo: "/beercounter" },
    {
      path: "/beercounter",
      who: "member",
      title: "Bier-Counter",
      page: counter,
      link: { place: 1, label: "Bier-Counter", icon: <Beer />, who: "member", isInHeader: true },
    },
    {
      path: "/statistics",
      who: "member",
      title: "Statistik",
      page: statistics,
      link: { place: 5, label: "Statistik", icon: <ChartNoAxesColumn />, who: "member" },
    },
  ],
};
