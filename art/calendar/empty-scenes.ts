// Pictures behind doors that no member has filled. Their joke: a snail is still bringing the
// picture.
import { at, ink, santaHat, snowman } from "./objects.ts";
import type { Scene } from "./picture.ts";

/** Draws a snail that looks to the left. `load`: SVG of an object on its shell. */
function snail(load = "", mood: "awake" | "asleep" = "awake"): string {
  const eye = (x: number, y: number): string =>
    `<circle cx="${x}" cy="${y}" r="30" fill="#fffaf0"/>` +
    (mood === "awake"
      ? `<circle cx="${x - 8}" cy="${y + 4}" r="12" fill="#2b1a10" stroke="none"/>`
      : `<path d="M${x - 18} ${y + 2}q18 14 36 0" fill="none"/>`);
  return `<g ${ink}>
    <path d="M-206-70l-30-96M-150-80l6-100" fill="none" stroke="#d9a35c" stroke-width="22"/>
    <path d="M-206-70l-30-96M-150-80l6-100" fill="none" stroke-width="9" stroke="#2b1a10" opacity=".25"/>
    <path d="M-240 20c-16-70 18-116 70-116 56 0 76 52 66 120 70 46 190 56 330 50 26 0 34 40 4 44-140 20-350 30-430 0-34-14-36-56-40-98z" fill="#e0b06c"/>
    <path d="M-214 52q24 20 48 6" fill="none"/>
    <circle cx="60" cy="-40" r="142" fill="#b3572f"/>
    <path d="M60-40c0-26 40-26 40 6 0 46-84 46-84-10 0-72 128-72 128 14 0 96-172 96-172-20" fill="none" stroke="#7a3418" stroke-width="20"/>
    ${eye(-240, -186)}${eye(-142, -200)}</g>
    <g fill="#e2603a" opacity=".4"><circle cx="-176" cy="16" r="18"/></g>${load}`;
}

/** Draws a picture frame, 300 by 240 units, around `content`. */
function frame(content: string): string {
  return `<g ${ink}><rect x="-150" y="-120" width="300" height="240" rx="10" fill="#c98a2b"/><rect x="-118" y="-88" width="236" height="176" fill="#f6ecd2"/></g>
    <path d="M-134-104h268" stroke="#f0c169" stroke-width="9" stroke-linecap="round"/>${content}`;
}

/** The painting that the snail brings: hills, a sun and a fir. */
const painting = `<g stroke="none"><rect x="-113" y="-83" width="226" height="166" fill="#9fd0e6"/><circle cx="-56" cy="-36" r="28" fill="#ffcb4f"/>
  <path d="M-113 30q70-50 130-6t96-10v69h-226z" fill="#f7fbff"/><path d="M52 40L80-30l28 70z" fill="#2f6b3b"/></g>`;

const easel = `<g ${ink}><path d="M-110 260L-40-230h80L110 260M0-230v470" fill="none" stroke="#63391d" stroke-width="26"/><path d="M-110 260L-40-230h80L110 260M0-230v470" fill="none" stroke="#9a6234" stroke-width="12"/>
  <rect x="-190" y="-190" width="380" height="290" fill="#fffdf5"/><rect x="-210" y="96" width="420" height="34" rx="8" fill="#9a6234"/>
  <path d="M-190-190l-12-22q60-34 110-6 60-34 120 2 60-28 112 4 50-20 70 14l-10 30q-50 10-90-8-60 22-120-2-70 26-190-12z" fill="#fff"/></g>`;

const brush = `<g ${ink}><path d="M-8-120h16l6 150h-28z" fill="#9a6234"/><path d="M-16 26h32v26h-32z" fill="#b9b2a6"/><path d="M-16 52h32q4 40-16 66-20-26-16-66z" fill="#c8342b"/></g>`;

/** A lit window, half covered with snow. */
const snowedIn = `<circle r="430" fill="url(#glow)"/><g ${ink}><path d="M-270-330h540v660h-540z" fill="#6b4423"/><path d="M-226-286h452v572h-452z" fill="#ffd97a"/>
  <path d="M0-286v572M-226-30h452" fill="none" stroke="#6b4423" stroke-width="30"/>
  <path d="M-226 286V90q60-66 120-20t110-30 100 20 122-40v266z" fill="#eef6fd"/>
  <path d="M-310 330q-10-46 40-50 60-34 130-4 70-40 140 2 80-38 150 0 70-30 120 6 50 4 40 46z" fill="#f7fbff"/>
  <path d="M-300-330q-10-44 40-44 60-38 130-8 70-36 140-4 80-36 150 2 70-26 110 10 44 4 30 44-40 24-80 2-60 28-110-2-70 30-130 0-60 28-120 0-70 26-160 0z" fill="#f7fbff"/></g>
  <path d="M-190-250q40-20 70 10M50-250q40-20 70 10" fill="none" stroke="#fff" opacity=".7" stroke-width="14" stroke-linecap="round"/>`;

const trail = `<path d="M560 812q120 26 240-4t240 6" fill="none" stroke="#b9d3ea" stroke-width="26" stroke-linecap="round"/>`;

export const emptyScenes: readonly Scene[] = [
  {
    sky: "night",
    top: "",
    bottom: "",
    scene:
      trail + at(470, 700, 1.15, snail(at(64, -268, 0.92, frame(painting), 5) + at(-196, -236, 0.42, santaHat, -10))),
  },
  {
    sky: "frost",
    top: "",
    bottom: "",
    scene: at(300, 560, 0.86, snowman) + at(690, 560, 1.12, easel) + at(520, 520, 0.72, brush, -125),
  },
  {
    sky: "dusk",
    top: "",
    bottom: "",
    scene: at(500, 440, 1.12, snowedIn) + at(640, 868, 0.55, snail(at(64, -250, 0.8, frame(""), -6), "asleep")),
  },
];
