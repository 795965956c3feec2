import { Ruler } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const calculator = lazyPage(async () => (await import("./page.tsx")).HeightCalculatorPage);

export const feature: Feature = {
  pages: [
    {
      path: "/height-calculator",
      who: "everyone",
      title: "Größenrechner",
      page: calculator,
      link: { place: 7, label: "Größenrechner", icon: <Ruler />, who: "everyone" },
    },
  ],
};
