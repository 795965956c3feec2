import { readFileSync } from "node:fs";
import { join } from "node:path";

import { change } from "#server/platform/change.ts";
import type { DemoContext, DemoSeed } from "#server/platform/demo-seed.ts";
import { localDay } from "#server/platform/local-day.ts";
import { createPictureId, type EncodedPicture, importYear } from "./actions.ts";
import { dealDoorsFreeOn } from "./lottery-actions.ts";
import * as lotteryStore from "./lottery-store.ts";
import { calendarDays } from "./rules.ts";
import * as store from "./store.ts";

const pictureFolder = join(import.meta.dirname, "demo-pictures");

export const seedDemo: DemoSeed = async (context) => {
  const year = Number(localDay(context.clock.now(), context.config.timeZone).slice(0, 4));
  await fillLastYear(context, year);
  await dealThisYear(context, year);
};

async function fillLastYear(context: DemoContext, year: number): Promise<void> {
  const pictures = calendarDays(year).map((day) => {
    const picture = readFileSync(join(pictureFolder, `${day.slice(-2)}.webp`));
    return { screen: picture, phone: picture };
  });
  await importYear(context, year - 1, shuffled(pictures), { by: null, at: context.clock.now() });
}

/** Days whose drawing shows their date, e.g. Saint Nicholas. */
const fixedDays = new Set([1, 6, 12, 21, 24]);

/** Reverses the order of the drawings that fit any day. */
function shuffled(pictures: readonly EncodedPicture[]): EncodedPicture[] {
  const free = pictures.filter((_, index) => !fixedDays.has(index + 1));
  return pictures.map((picture, index) => (fixedDays.has(index + 1) ? picture : free.pop()!));
}

/** Fills all but the last door of each user. */
async function dealThisYear(context: DemoContext, year: number): Promise<void> {
  await change(context, null, async (tx, say) => {
    await dealDoorsFreeOn(tx, say, { year, today: `${year}-11-01`, at: context.clock.now() });
    const doors = await store.listAssignments(tx, year);
    for (const { id } of context.members) {
      await lotteryStore.updateSeen(tx, id);
      const filled = doors.filter(({ user_id }) => user_id === id).slice(0, -1);
      for (const { date } of filled) {
        const picture = readFileSync(join(pictureFolder, `${date.slice(-2)}.webp`));
        // A smaller drawing for phones would take seconds to encode and save only a third of 37 kB.
        await store.replacePicture(tx, { date, id: createPictureId(), screen: picture, phone: picture });
      }
    }
  });
}
