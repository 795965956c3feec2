import {
  at,
  barrel,
  bottle,
  bulbs,
  cat,
  face,
  flame,
  gift,
  ink,
  moon,
  mug,
  penguin,
  santaHat,
  snowman,
  star,
  strokes,
  tree,
} from "./objects.ts";
import type { Scene } from "./picture.ts";

/** Scenes of the pictures behind doors 13 to 24. */
export const lateScenes: readonly Scene[] = [
  {
    sky: "night",
    top: "Der Mond ist voll.",
    bottom: "Das kann ich auch.",
    scene:
      at(440, 480, 1.05, moon("sleepy")) +
      at(400, 285, 1.05, santaHat, -8) +
      at(760, 660, 0.7, mug({ mood: "happy" }), 6),
  },
  {
    sky: "frost",
    top: "Bergab geht’s",
    bottom: "am schnellsten im Fass.",
    scene:
      `<path d="M0 520Q500 600 1000 860v140H0z" fill="#fff"/>` +
      at(
        480,
        560,
        0.95,
        at(-60, -190, 0.62, mug({ mood: "shocked", scarf: "#c8342b" })) +
          at(90, -190, 0.62, mug({ hat: true })) +
          barrel,
        17,
      ) +
      `<path d="M90 420h120M60 480h110M110 540h90" stroke="#fff" stroke-width="16" stroke-linecap="round"/>`,
  },
  {
    sky: "tavern",
    top: "Beste Freunde.",
    bottom: "Seit zwei Minuten.",
    scene:
      at(330, 540, 0.92, `<g transform="scale(-1 1)">${mug({ mood: "none" })}</g>${at(0, 46, 1, face("happy"))}`, 14) +
      at(670, 540, 0.92, mug({ mood: "wink" }), -14) +
      [
        [500, 290],
        [420, 260],
        [580, 260],
      ]
        .map(([x, y]) => at(x!, y!, 1, star(34)))
        .join(""),
  },
  {
    sky: "tavern",
    top: "Kerzenschein:",
    bottom: "Da sieht man die Striche|auch nicht besser.",
    scene:
      `<circle cx="330" cy="380" r="260" fill="url(#glow)"/>` +
      at(330, 330, 1.7, flame) +
      `<path d="M270 420h120v330H270z" fill="#fffaf0" ${ink}/><path d="M270 460q30 50 40-10 30 60 80 0" fill="none" ${ink}/>` +
      at(
        670,
        600,
        0.95,
        `<circle r="190" fill="#fbeecb" ${ink}/><circle r="160" fill="none" stroke="#c8342b" stroke-width="12"/>${strokes(-54, -80)}`,
      ),
  },
  {
    sky: "frost",
    top: "Im Stehen schlafen",
    bottom: "kann nur der Stammtisch.",
    scene:
      at(240, 570, 0.8, penguin) +
      at(500, 550, 0.9, penguin) +
      at(500, 350, 0.62, santaHat) +
      at(760, 570, 0.8, penguin, 9) +
      `<text x="800" y="330" font-family="DejaVu Sans" font-weight="bold" font-size="80" fill="#fff">z z z</text>`,
  },
  {
    sky: "dawn",
    top: "Kein Winterspeck.",
    bottom: "Gespeicherte|Gemütlichkeit.",
    scene: at(
      500,
      450,
      0.86,
      snowman +
        `<path d="M-150 150a150 150 0 0 0 300 0z" fill="#c8342b" ${ink}/><path d="M-150 140h300v34h-300z" fill="#2b1a10"/><rect x="-34" y="132" width="68" height="50" rx="8" fill="#f5b11d" ${ink}/>`,
    ),
  },
  {
    sky: "night",
    top: "Warst du auch brav?",
    bottom: "Hier ist die Strichliste.",
    scene:
      at(
        500,
        530,
        1.35,
        `<circle r="230" fill="#fbeecb" ${ink}/><circle r="198" fill="none" stroke="#c8342b" stroke-width="12"/>${strokes(-130, -130)}${strokes(30, -130)}${strokes(-130, 20)}${strokes(30, 20)}`,
        -6,
      ) + at(760, 300, 0.8, santaHat, 14),
  },
  {
    sky: "dusk",
    top: "Ich bin der Kater.",
    bottom: "Wir sehen uns morgen.",
    scene: at(500, 560, 1.15, cat + at(0, -115, 0.95, face("wink"))) + at(490, 290, 0.9, santaHat, -5),
  },
  {
    sky: "dusk",
    top: "Kürzester Tag.",
    bottom: "Längster Abend.",
    scene:
      `<circle cx="500" cy="700" r="210" fill="#ffb43c" ${ink}/>` +
      at(500, 610, 1.5, face("sleepy")) +
      `<path d="M0 720q220-50 470-6t530-16v302H0z" fill="#f5fafe"/>` +
      at(800, 720, 0.6, mug({ mood: "happy", scarf: "#2f6ba8" })) +
      at(170, 660, 0.5, tree()),
  },
  {
    sky: "night",
    top: "Letztes Jahr war sie",
    bottom: "noch aufgerollt.",
    scene:
      `<path d="M120 420c160-220 320 220 160 300S160 380 400 330s420 240 260 330-340-240-120-320 380 60 320 220-380 160-460 20 40-300 240-160" fill="none" stroke="#16301d" stroke-width="14"/>` +
      [
        [150, 380],
        [250, 330],
        [330, 480],
        [290, 690],
        [190, 600],
        [400, 330],
        [560, 400],
        [690, 560],
        [640, 680],
        [480, 620],
        [480, 450],
        [640, 320],
        [820, 400],
        [860, 560],
        [720, 740],
        [500, 760],
        [400, 600],
        [590, 520],
      ]
        .map(
          ([x, y], index) =>
            `<circle cx="${x}" cy="${y}" r="44" fill="${bulbs[index % 4]}" opacity=".3"/><circle cx="${x}" cy="${y}" r="24" fill="${bulbs[index % 4]}" ${ink}/>`,
        )
        .join("") +
      at(860, 760, 0.4, mug({ mood: "shocked" })),
  },
  {
    sky: "tavern",
    top: "Das wahre Türchen",
    bottom: "steht in der Küche.",
    scene:
      `<rect x="250" y="200" width="360" height="620" rx="28" fill="#dfe7ea" ${ink}/><rect x="284" y="236" width="292" height="548" rx="14" fill="#fff6d6" ${ink}/><path d="M610 206l190-40v690l-190-40z" fill="#c8d4d8" ${ink}/><path d="M640 420v120" ${ink}/><path d="M284 420h292M284 610h292" ${ink}/>` +
      [340, 430, 520].map((x) => at(x, 345, 0.32, bottle())).join("") +
      at(360, 530, 0.36, mug({ mood: "happy" })) +
      at(500, 530, 0.36, mug({ mood: "wink" })) +
      [340, 430, 520].map((x, index) => at(x, 708, 0.32, bottle(index === 1 ? "#2f6b3b" : "#5a3413"))).join(""),
  },
  {
    sky: "night",
    top: "Frohe Weihnachten",
    bottom: "eurer ganzen Runde!",
    scene:
      at(
        500,
        450,
        0.88,
        tree(
          at(0, -300, 1, star(60)) +
            [
              [-40, -150],
              [70, -60],
              [-100, 0],
              [20, 50],
              [150, 110],
              [-150, 120],
            ]
              .map(([x, y], index) => `<circle cx="${x}" cy="${y}" r="24" fill="${bulbs[index % 4]}" ${ink}/>`)
              .join(""),
        ),
      ) +
      at(150, 650, 0.5, gift("#2f6ba8", "#f5b11d")) +
      at(860, 640, 0.5, gift("#c8342b", "#fffaf0")) +
      [
        [200, 780],
        [400, 800],
        [600, 800],
        [800, 780],
      ]
        .map(([x, y], index) => at(x!, y! - 40, 0.48, mug({ mood: index % 2 ? "wink" : "happy", hat: true })))
        .join(""),
  },
];
