// Draws the 24 calendar pictures of the demo. After a change, run: node art/draw-calendar.ts
// The results are in the repository, because the text needs the font DejaVu Sans Condensed.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";

import { earlyScenes } from "./calendar/early-scenes.ts";
import { lateScenes } from "./calendar/late-scenes.ts";
import { drawPicture } from "./calendar/picture.ts";

const folder = join(import.meta.dirname, "../server/features/christmas-calendar/demo-pictures");

mkdirSync(folder, { recursive: true });
for (const [index, scene] of [...earlyScenes, ...lateScenes].entries()) {
  const number = index + 1;
  const picture = sharp(Buffer.from(drawPicture(number, scene))).webp({ quality: 78, effort: 6, smartSubsample: true });
  writeFileSync(join(folder, `${String(number).padStart(2, "0")}.webp`), await picture.toBuffer());
}
