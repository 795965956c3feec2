import { Sparkles } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const yearReview = lazyPage(async () => (await import("./page.tsx")).YearReviewPage);

export const feature: Feature = {
  pages: [
    {
      path: "/wrapped",
      who: "member",
      title: "Jahresrückblick",
      page: yearReview,
      link: { place: 6, label: "Jahresrückblick", icon: <Sparkles />, who: "member", months: [12, 1] },
    },
  ],
};
