import type { Job } from "#server/platform/feature.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hours, minutes } from "#server/time.ts";
import { pushLateDealings } from "./actions.ts";
import { deleteSwapsUntil } from "./store.ts";

export const jobs: readonly Job[] = [
  { name: "tell members which calendar doors they drew", interval: minutes(15), run: pushLateDealings },
  {
    name: "delete offers of calendar doors whose day has begun",
    interval: hours(1),
    run: ({ db, clock, config }) => deleteSwapsUntil(db, localDay(clock.now(), config.timeZone)),
  },
];
