import type { Job } from "#server/platform/feature.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hours } from "#server/time.ts";
import { deleteOldReveals } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete who has looked at calendar pictures that are deleted or whose day has begun",
    interval: hours(1),
    run: ({ db, clock, config }) => deleteOldReveals(db, localDay(clock.now(), config.timeZone)),
  },
];
