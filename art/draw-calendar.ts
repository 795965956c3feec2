// Draws the 24 calendar pictures of the demo, and the pictures shown for doors that no member has
// filled. Run after a change: node art/draw-calendar.ts. The pictures are committed, because
// drawing them requires the font DejaVu Sans Condensed.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";

import { earlyScenes } from "./calendar/early-scenes.ts";
import { emptyScenes } from "./calendar/empty-scenes.ts";
import { lateScenes } from "./calendar/late-scenes.ts";
import { drawPicture, type Scene } from "./calendar/picture.ts";

const feature = join(import.meta.dirname, "../server/features/christmas-calendar");

await writePictures(join(feature, "demo-pictures"), [...earlyScenes, ...lateScenes], (number) =>
  String(number).padStart(2, "0"),
);
await writePictures(join(feature, "empty-doors"), emptyScenes, (number) => `empty-${number}`);

async function writePictures(
  folder: string,
  scenes: readonly Scene[],
  name: (number: number) => string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [index, scene] of scenes.entries()) {
    const svg = Buffer.from(drawPicture(index + 1, scene));
    const picture = sharp(svg).webp({ quality: 78, effort: 6, smartSubsample: true });
    writeFileSync(join(folder, `${name(index + 1)}.webp`), await picture.toBuffer());
  }
}
