import { createRng } from "#server/platform/demo-seed.ts";

/** Width and height of a picture in SVG units. */
export const side = 1000;

type Sky = "night" | "dusk" | "frost" | "tavern" | "dawn";

/**
 * Content of a picture: a background, captions at the top and bottom (`|` is a line break), and a
 * scene as SVG.
 */
export interface Scene {
  readonly sky: Sky;
  readonly top: string;
  readonly bottom: string;
  readonly scene: string;
}

const skies: Record<Sky, readonly [top: string, bottom: string]> = {
  night: ["#0e1a3d", "#35538c"],
  dusk: ["#3b1d5c", "#e0704f"],
  frost: ["#2a6f97", "#bfe3ef"],
  tavern: ["#3a1f10", "#8a5326"],
  dawn: ["#23405f", "#f2b36b"],
};

/** Draws a complete picture as SVG: background, scene, snowflakes and captions. */
export function drawPicture(number: number, { sky, top, bottom, scene }: Scene): string {
  const rng = createRng(2400 + number);
  const [above, below] = skies[sky];
  const isInside = sky === "tavern";
  const stars = isInside
    ? ""
    : Array.from({ length: 46 }, () => {
        const [x, y] = [rng() * side, rng() * 560];
        return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${(1.5 + rng() * 3.5).toFixed(1)}" opacity="${(0.3 + rng() * 0.6).toFixed(2)}"/>`;
      }).join("");
  const flakes = isInside
    ? ""
    : Array.from({ length: 30 }, () => {
        const [x, y] = [rng() * side, rng() * side];
        return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${(4 + rng() * 9).toFixed(1)}" opacity="${(0.5 + rng() * 0.4).toFixed(2)}"/>`;
      }).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>
    <radialGradient id="glow"><stop stop-color="#ffe2a0" stop-opacity=".65"/><stop offset="1" stop-color="#ffe2a0" stop-opacity="0"/></radialGradient></defs>
    <rect width="${side}" height="${side}" fill="url(#sky)"/><g fill="#fff">${stars}</g>
    ${isInside ? tavern : snow}<circle cx="500" cy="520" r="460" fill="url(#glow)"/>
    ${scene}<g fill="#fff">${flakes}</g>${caption(top, 120)}${caption(bottom, 925)}</svg>`;
}

const snow = `<path d="M0 730q160-70 340-26t360-6 300 22v280H0z" fill="#dcebf7"/><path d="M0 800q220-60 470-10t530-16v226H0z" fill="#f5fafe"/>`;

const tavern = `<g stroke="#2a150a" stroke-width="6" opacity=".55">${[0, 1, 2, 3, 4, 5, 6, 7].map((index) => `<path d="M${index * 143} 0v740"/>`).join("")}</g>
  <path d="M0 740h1000v260H0z" fill="#5b3216"/><path d="M0 740h1000v26H0z" fill="#a76a34"/><path d="M0 850h1000M0 930h1000" stroke="#3a1f10" stroke-width="6"/>`;

/** Draws a caption in the style of a meme: bold white letters with a dark outline. */
function caption(text: string, baseline: number): string {
  const lines = text.split("|");
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(86, Math.floor(1290 / longest));
  const first = baseline - (baseline > 500 ? (lines.length - 1) * size * 1.08 : 0);
  return lines
    .map((line, index) => {
      const y = first + index * size * 1.08;
      return `<text x="500" y="${y}" text-anchor="middle" font-family="DejaVu Sans Condensed, DejaVu Sans" font-stretch="condensed" font-weight="bold" font-size="${size}" fill="#fff" stroke="#170d06" stroke-width="${size * 0.19}" stroke-linejoin="round" paint-order="stroke">${line.toUpperCase()}</text>`;
    })
    .join("");
}
