// Draws the icons of the installed app from web/public/icon.svg. Run after a change: node
// art/draw-icons.ts. The icons are committed.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";

const publicFolder = join(import.meta.dirname, "../web/public");
const folder = join(publicFolder, "icons");
const logo = readFileSync(join(publicFolder, "icon.svg"), "utf8").replace(/^<svg[^>]*>|<\/svg>\s*$/g, "");

/**
 * A wooden table as background of maskable icons. Fills the whole square, because phones crop icons
 * to different shapes.
 */
const table = `
  <rect width="64" height="64" fill="#4a2c17"/>
  <path d="M0 10.5h64M0 31.8h64M0 53.2h64" stroke="#3a2110" stroke-width=".7"/>
  <path d="M0 3.5h21M34 5.5h30M0 18h34M45 22h19M0 27h12M30 38.5h34M0 44h17M24 48.5h27M9 58h40" stroke="#563419" stroke-width=".5"/>`;

/**
 * Draws the logo on the table. `share` scales the logo to fit the safe zone of maskable icons, a
 * circle of 80 % of the width.
 */
const onTable = (share: number) =>
  `${table}<g transform="translate(${32 - 32 * share} ${32 - 32 * share}) scale(${share})">${logo}</g>`;

const glass = {
  handle: "M39 27.5h4.5a5 5 0 0 1 5 5v7a5 5 0 0 1-5 5H39",
  body: "M16.5 22h24v25.5a4 4 0 0 1-4 4h-16a4 4 0 0 1-4-4z",
  foam: "M16.5 26.5a4.9 4.9 0 0 1-.9-9.6 6.4 6.4 0 0 1 9.4-4.6 6.2 6.2 0 0 1 9.3 1.2 5.7 5.7 0 0 1 7 4.6 4.7 4.7 0 0 1-.8 8.4c-3 .9-4.3-1.7-7-1.7s-3.6 3.6-6.6 3.6-3-3.1-5.7-3.1-2.4 1.5-4.7 1.2z",
  strokes: "M21.3 32v14.5M26.1 32v14.5M30.9 32v14.5M35.7 32v14.5M18.7 46 38.3 32.5",
};

/**
 * The badge of notifications. White, because Android uses only its shape and ignores its colours.
 */
const silhouette = `
  <mask id="strokes">
    <rect width="64" height="64" fill="#fff"/>
    <path d="${glass.strokes}" fill="none" stroke="#000" stroke-width="2.6" stroke-linecap="round"/>
    <path d="${glass.foam}" fill="none" stroke="#000" stroke-width="2"/>
  </mask>
  <g transform="translate(-9.6 -9.6) scale(1.3)">
    <g mask="url(#strokes)">
      <path d="${glass.handle}" fill="none" stroke="#fff" stroke-width="4"/>
      <path d="${glass.body}" fill="#fff"/>
      <path d="${glass.foam}" fill="#fff"/>
    </g>
  </g>`;

const drink = `
  <circle cx="32" cy="32" r="32" fill="#f5b11d"/>
  <g transform="translate(2 1)" stroke="#2b1a10" stroke-width="2.4" stroke-linejoin="round">
    <path d="${glass.handle}" fill="none" stroke-width="3.6"/>
    <path d="${glass.body}" fill="#ffcb4f"/>
    <path d="${glass.foam}" fill="#fff"/>
    <path d="${glass.strokes}" fill="none" stroke-linecap="round"/>
  </g>`;

const servers = `
  <circle cx="32" cy="32" r="32" fill="#fbf1dd"/>
  <g transform="translate(14 4) scale(.45)">
    <path d="M2 20a6 6 0 0 1 6-6h2v32H8a6 6 0 0 1-6-6z" fill="#63391d"/>
    <path d="M10 26h26a9 9 0 0 1 9 9v10h3v4H32v-4h3v-6a3 3 0 0 0-3-3H10z" fill="#d98e00"/>
    <path d="M37 27h6V14h-6z" fill="#d98e00"/>
    <path d="M35 14 36.6 3.5a3.4 3.4 0 0 1 6.8 0L45 14z" fill="#4a2c17"/>
    <path d="M27 70h26v38a4 4 0 0 1-4 4H31a4 4 0 0 1-4-4z" fill="#f5b11d" stroke="#2b1a10" stroke-width="3"/>
    <path d="M26 72a4.6 4.6 0 0 1 .4-9.1 5.4 5.4 0 0 1 8-3.4 6 6 0 0 1 10.6-.2 5.6 5.6 0 0 1 8.2 3.2 4.8 4.8 0 0 1 .8 9.5z" fill="#fff" stroke="#2b1a10" stroke-width="3"/>
  </g>`;

const icons: readonly (readonly [name: string, size: number, drawing: string])[] = [
  ["icon-192", 192, logo],
  ["icon-512", 512, logo],
  ["maskable-192", 192, onTable(0.82)],
  ["maskable-512", 512, onTable(0.82)],
  ["apple-touch-icon", 180, onTable(0.9)],
  ["badge-96", 96, silhouette],
  ["drink-96", 96, drink],
  ["servers-96", 96, servers],
];

mkdirSync(folder, { recursive: true });
for (const [name, size, drawing] of icons) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">${drawing}</svg>`;
  await sharp(Buffer.from(svg), { density: 72 })
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toFile(join(folder, `${name}.png`));
}
