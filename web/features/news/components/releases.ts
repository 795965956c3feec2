import type { ComponentType } from "react";

import { PartiesDoorsMatsPicture } from "./parties-doors-mats-picture.tsx";

/** News of one app version for members, in three or four short items. */
export interface Release {
  /**
   * Consecutive number of the release. The newest release has the number `newestNews` of
   * contract/news.ts.
   */
  readonly number: number;
  /** Month and year in German, shown above the release. */
  readonly month: string;
  readonly Picture: ComponentType;
  readonly items: readonly { readonly name: string; readonly text: string; readonly href?: string }[];
}

/** All releases, newest first. */
export const releases: readonly Release[] = [
  {
    number: 1,
    month: "November 2026",
    Picture: PartiesDoorsMatsPicture,
    items: [
      {
        name: "Partys im Counter",
        text: "Läuft eine, steht ihr Abend auf deinem Counter. Mit einem Tipp bist du dabei.",
        href: "/party",
      },
      {
        name: "Türchen für alle",
        text: "24 Türchen, unter euch verlost. Häng ein Bild in deins, bevor es aufgeht.",
        href: "/christmas-calendar",
      },
      {
        name: "Mein Deckel",
        text: "Tipp oben auf dein Bild: deine Striche, Partys und Türchen. Was andere sehen, bestimmst du dort.",
        href: "/member",
      },
      {
        name: "Fernseher mit Code",
        text: "Der Fernseher zeigt einen Code, die Verwaltung gibt ihn ein. Fertig.",
      },
    ],
  },
];
