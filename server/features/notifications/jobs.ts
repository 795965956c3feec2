import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { countingWindow } from "./rules.ts";
import * as store from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete old throttles",
    atStart: true,
    interval: hours(1),
    run: ({ db, clock }) => store.deleteThrottles(db, clock.now() - countingWindow),
  },
];
