import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { DemoSeed } from "#server/platform/demo-seed.ts";
import { localDay } from "#server/platform/local-day.ts";
import { type EncodedPicture, importYear } from "./actions.ts";
import { calendarDays } from "./rules.ts";

/** Fills the calendar doors of last year with demo drawings, for the calendar's archive. */
export const seedDemo: DemoSeed = async (context) => {
  const { clock, config } = context;
  const now = clock.now();
  const year = Number(localDay(now, config.timeZone).slice(0, 4));
  const pictures = calendarDays(year).map((day) => {
    const picture = readFileSync(join(import.meta.dirname, "demo-pictures", `${day.slice(-2)}.webp`));
    return { screen: picture, phone: picture };
  });
  await importYear(context, year - 1, shuffled(pictures), { by: null, at: now });
};

/**
 * Days whose drawing shows their date: the first door, Saint Nicholas, the middle, the shortest
 * day, Christmas Eve.
 */
const fixedDays = new Set([1, 6, 12, 21, 24]);

/** Reverses the order of the drawings that fit any day. */
function shuffled(pictures: readonly EncodedPicture[]): EncodedPicture[] {
  const free = pictures.filter((_, index) => !fixedDays.has(index + 1));
  return pictures.map((picture, index) => (fixedDays.has(index + 1) ? picture : free.pop()!));
}
