import type { Job } from "#server/platform/feature.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hours, minutes } from "#server/time.ts";
import { remindOfEmptyDoors } from "./actions.ts";
import * as adminStore from "./admin-store.ts";
import { pushLateDealings } from "./lottery-actions.ts";
import * as lotteryStore from "./lottery-store.ts";
import * as removalStore from "./removal-store.ts";
import { restorableMs } from "./rules.ts";

export const jobs: readonly Job[] = [
  { name: "remind members of their empty calendar doors", interval: minutes(15), run: remindOfEmptyDoors },
  { name: "tell members which calendar doors they drew", interval: minutes(15), run: pushLateDealings },
  {
    name: "delete offers, reveals and removed pictures of calendar doors that are over",
    interval: hours(1),
    async run({ db, clock, config }) {
      const today = localDay(clock.now(), config.timeZone);
      await lotteryStore.deleteSwapsUntil(db, today);
      await adminStore.deleteOldReveals(db, today);
      await removalStore.deleteRemovedBefore(db, clock.now() - restorableMs);
    },
  },
];
