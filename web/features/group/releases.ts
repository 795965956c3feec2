import type { LinkProps } from "@tanstack/react-router";

import partiesDoorsMats from "./parties-doors-mats.svg";

export interface Release {
  /** Consecutive; the newest is `newestNews` (contract/news.ts). */
  readonly number: number;
  readonly month: string;
  readonly picture?: string;
  readonly items: readonly { readonly name: string; readonly text: string; readonly to?: LinkProps["to"] }[];
}

export const releases: readonly Release[] = [
  {
    number: 2,
    month: "Dezember 2026",
    items: [
      {
        name: "Die Party ist dein Counter",
        text: "Bist du dabei, gehört dein Counter ihr. Tipp oben auf ihren Namen: Gäste, Einladen, Heimgehen.",
        to: "/beercounter",
      },
      {
        name: "Sichtbar, still oder unsichtbar",
        text: "Eine Wahl statt drei Schaltern: wo die anderen deinen Namen sehen.",
        to: "/member",
      },
      {
        name: "Runde Biere vom ersten Abend an",
        text: "Das erste, 10. und 25. Bier der Runde und dein 10. werden gefeiert. Auch Gäste stehen auf dem Fernseher.",
      },
      {
        name: "Statistik zum Lesen",
        text: "Die Säufer stehen in Zeilen, du bist markiert, und oben steht, wie viel von dir ist.",
        to: "/statistics",
      },
      {
        name: "Gäste mit QR-Code",
        text: "Wer keinen Account hat, scannt den Code der Party und macht seine Striche selbst.",
        to: "/party",
      },
      {
        name: "Der Morgen danach",
        text: "Nach einer Party öffnet sich ihre Geschichte, mit euren Fotos vom Tisch und einem Bild zum Teilen.",
        to: "/party",
      },
      {
        name: "Ein Strich für …",
        text: "Kein Handy zur Hand? Andere zapfen für dich, und ihr seht beide, wer es war.",
        to: "/beercounter",
      },
      {
        name: "Zapfstelle",
        text: "Ein Tablet am Kühlschrank: Tipp auf dein Gesicht. Verstecken oder PIN geht im Profil.",
        to: "/profile",
      },
    ],
  },
  {
    number: 1,
    month: "November 2026",
    picture: partiesDoorsMats,
    items: [
      {
        name: "Partys im Counter",
        text: "Läuft eine, steht ihr Abend auf deinem Counter. Mit einem Tipp bist du dabei.",
        to: "/party",
      },
      {
        name: "Türchen für alle",
        text: "24 Türchen, unter euch verlost. Häng ein Bild in deins, bevor es aufgeht.",
        to: "/christmas-calendar",
      },
      {
        name: "Mein Deckel",
        text: "Tipp oben auf dein Bild: deine Striche, Partys und Türchen. Was andere sehen, bestimmst du dort.",
        to: "/member",
      },
      {
        name: "Fernseher mit Code",
        text: "Der Fernseher zeigt einen Code, die Verwaltung gibt ihn ein. Fertig.",
      },
    ],
  },
];
