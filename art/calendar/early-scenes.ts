import {
  at,
  bottle,
  bubble,
  face,
  flame,
  gingerbread,
  ink,
  mug,
  pretzel,
  reindeer,
  snowman,
  star,
  tree,
} from "./objects.ts";
import type { Scene } from "./picture.ts";

/** Scenes of the pictures behind doors 1 to 12. */
export const earlyScenes: readonly Scene[] = [
  { sky: "night", top: "Erstes Türchen,", bottom: "erstes Bierchen.", scene: at(500, 560, 1.25, mug({ hat: true })) },
  {
    sky: "frost",
    top: "Ich trinke nur noch",
    bottom: "auf Eis.",
    scene: at(430, 520, 0.95, snowman) + at(720, 560, 0.6, mug({ mood: "shocked" }), 8),
  },
  {
    sky: "tavern",
    top: "Lebkuchen ist",
    bottom: "auch nur Brotzeit.",
    scene:
      at(
        420,
        530,
        1.05,
        gingerbread +
          at(0, -165, 0.75, face("shocked", "#fffaf0")) +
          '<circle cx="214" cy="-70" r="52" fill="#6f4320"/><circle cx="170" cy="-96" r="34" fill="#6f4320"/>',
      ) + at(770, 640, 0.62, mug({ mood: "wink" })),
  },
  {
    sky: "night",
    top: "O Tannenbaum,",
    bottom: "wie voll sind|deine Gläser!",
    scene: at(
      500,
      480,
      0.92,
      tree(
        [
          [-30, -150],
          [-90, -10],
          [60, -20],
          [-140, 100],
          [-10, 90],
          [130, 96],
        ]
          .map(([x, y]) => at(x!, y!, 0.25, mug({ mood: "none" })))
          .join("") + at(0, -300, 1, star(56)),
      ),
    ),
  },
  {
    sky: "frost",
    top: "Nein, die Nase",
    bottom: "kommt von der Kälte.",
    scene: at(440, 530, 1.1, reindeer) + at(770, 660, 0.6, mug({ mood: "wink" }), 10),
  },
  {
    sky: "dusk",
    top: "Der Nikolaus kennt",
    bottom: "meine Schuhgröße.",
    scene:
      at(450, 430, 0.72, bottle(), -14) +
      at(560, 430, 0.72, bottle("#2f6b3b", "#fbeecb"), 12) +
      at(500, 400, 0.7, bottle()) +
      `<path d="M340 420h320l-14 200c60 60 180 50 196 150 4 30-14 40-40 40H350c-30 0-40-14-38-44 6-110 40-200 28-346z" fill="#8a2f22" ${ink}/><path d="M318 410h364v66H318z" fill="#fffaf0" ${ink}/><path d="M318 806h520v34H318z" fill="#2b1a10"/>`,
  },
  {
    sky: "tavern",
    top: "Erst eins, dann zwei …",
    bottom: "dann ist der Kasten leer.",
    scene:
      [230, 410, 590, 770]
        .map(
          (x, index) =>
            at(x, 560, 0.78, bottle(index % 2 ? "#2f6b3b" : "#5a3413")) + (index < 2 ? at(x, 360, 1.1, flame) : ""),
        )
        .join("") +
      `<path d="M110 690q390 130 780 0l20 60q-410 150-820 0z" fill="#2f6b3b" ${ink}/>${[180, 340, 500, 660, 820].map((x, index) => `<circle cx="${x}" cy="${index % 4 ? 765 : 740}" r="26" fill="#c8342b" ${ink}/>`).join("")}`,
  },
  {
    sky: "night",
    top: "Folget dem Stern!",
    bottom: "Er riecht nach Brezel.",
    scene:
      at(500, 380, 3.1, `<circle r="80" fill="url(#glow)"/>`) +
      at(500, 400, 1.1, pretzel) +
      at(230, 700, 0.5, mug({ mood: "shocked", scarf: "#2f6ba8" })) +
      at(480, 740, 0.5, mug({ scarf: "#c8342b" })) +
      at(740, 700, 0.5, mug({ mood: "shocked", scarf: "#2f7d3b" })),
  },
  {
    sky: "frost",
    top: "Das Zwiebelprinzip:",
    bottom: "Schal, Mütze,|Schaumkrone.",
    scene: at(500, 520, 1.1, mug({ hat: true, scarf: "#2f6ba8", mood: "sleepy" })),
  },
  {
    sky: "dusk",
    top: "Rat mal,",
    bottom: "was drin ist.",
    scene: at(
      500,
      540,
      1.4,
      `<g ${ink}><path d="M118-70h52c44 0 62 28 62 66v40c0 40-22 68-62 68h-52z" fill="#b3382d"/><path d="M-128-120h256l-12 270c-2 24-14 32-36 32H-80c-22 0-34-8-36-32z" fill="#c8342b"/><path d="M-24-120h48v302h-48zM-124-10h248v44h-248z" fill="#f5b11d"/><path d="M0-120c-70-90-150-40-100-4 24 14 70 8 100 4 30 4 76 10 100-4 50-36-30-86-100 4z" fill="#f5b11d"/></g>`,
    ),
  },
  {
    sky: "night",
    top: "Gruppenchat,",
    bottom: "kurz vor Weihnachten",
    scene:
      bubble(110, 240, 380, "Wer fährt?", "#fffaf0") +
      bubble(510, 370, 380, "Ich nicht.", "#bfe3b4") +
      bubble(110, 500, 440, "Ich auch nicht.", "#fffaf0") +
      bubble(450, 630, 440, "Der Schlitten.", "#bfe3b4") +
      at(270, 730, 0.36, mug({ mood: "wink", hat: true })),
  },
  {
    sky: "dawn",
    top: "Halb voll:",
    bottom: "der Dezember.|Und das Glas.",
    scene: at(500, 520, 1.25, mug({ fill: 0.55, mood: "wink" })),
  },
];
