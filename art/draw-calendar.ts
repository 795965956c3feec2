// Draws the 24 pictures that the demo puts behind the doors. Run by hand after a change: node art/draw-calendar.ts.
// The results are kept, since their letters need a font that not every machine has.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";

import { earlyScenes } from "./calendar/early-scenes.ts";
import { lateScenes } from "./calendar/late-scenes.ts";
import { stage } from "./calendar/stage.ts";

const folder = join(import.meta.dirname, "../server/features/demo/calendar");

mkdirSync(folder, { recursive: true });
for (const [index, scene] of [...earlyScenes, ...lateScenes].entries()) {
  const number = index + 1;
  const picture = sharp(Buffer.from(stage(number, scene))).webp({ quality: 78, effort: 6, smartSubsample: true });
  writeFileSync(join(folder, `${String(number).padStart(2, "0")}.webp`), await picture.toBuffer());
}
