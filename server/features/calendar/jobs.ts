import type { Job } from "#server/platform/feature.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hours, minutes } from "#server/time.ts";
import { remindOfEmptyDoors } from "./actions.ts";
import { deleteOldReveals } from "./admin-store.ts";
import { pushLateDealings } from "./lottery-actions.ts";
import { deleteSwapsUntil } from "./lottery-store.ts";
import { restorableMs } from "./removal-rules.ts";
import { deleteRemovedBefore } from "./removal-store.ts";

export const jobs: readonly Job[] = [
  { name: "remind members of their empty calendar doors", interval: minutes(15), run: remindOfEmptyDoors },
  { name: "tell members which calendar doors they drew", interval: minutes(15), run: pushLateDealings },
  {
    name: "delete offers, reveals and removed pictures of calendar doors that are over",
    interval: hours(1),
    async run({ db, clock, config }) {
      const today = localDay(clock.now(), config.timeZone);
      await deleteSwapsUntil(db, today);
      await deleteOldReveals(db, today);
      await deleteRemovedBefore(db, clock.now() - restorableMs);
    },
  },
];
