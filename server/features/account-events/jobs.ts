import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { maxEventAgeMs } from "./rules.ts";
import { deleteOldAccountEvents } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete old account events",
    interval: hours(1),
    run: ({ db, clock }) => deleteOldAccountEvents(db, clock.now() - maxEventAgeMs),
  },
];
