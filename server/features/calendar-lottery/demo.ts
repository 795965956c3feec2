import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createPictureId } from "#server/features/christmas-calendar/actions.ts";
import { listAssignments, replacePicture } from "#server/features/christmas-calendar/store.ts";
import { change } from "#server/platform/change.ts";
import type { DemoSeed } from "#server/platform/demo-seed.ts";
import { localDay } from "#server/platform/local-day.ts";
import { dealDoorsFreeOn } from "./actions.ts";
import { updateSeen } from "./store.ts";

const pictures = join(import.meta.dirname, "../christmas-calendar/demo-pictures");

/**
 * Deals all calendar doors of this year among the demo users, and fills all but the last door of
 * each user with demo drawings.
 */
export const seedDemo: DemoSeed = async (context) => {
  const { clock, config, members } = context;
  const at = clock.now();
  const year = Number(localDay(at, config.timeZone).slice(0, 4));
  await change(context, null, async (tx, say) => {
    await dealDoorsFreeOn(tx, say, { year, today: `${year}-11-01`, at });
    const doors = await listAssignments(tx, year);
    for (const { id } of members) {
      await updateSeen(tx, id);
      const filled = doors.filter(({ user_id }) => user_id === id).slice(0, -1);
      for (const { date } of filled) {
        const picture = readFileSync(join(pictures, `${date.slice(-2)}.webp`));
        // Uses the same drawing for phones: encoding a smaller one would take seconds and save only
        // a third of 37 kB.
        await replacePicture(tx, { date, id: createPictureId(), screen: picture, phone: picture });
      }
    }
  });
};
