import type { Job } from "#server/platform/feature.ts";
import { hours, minutes } from "#server/time.ts";
import { maxIdleMs } from "./rules.ts";
import * as store from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete TV links that nobody uses",
    interval: hours(1),
    run: ({ db, clock }) => store.deleteIdleLinks(db, clock.now() - maxIdleMs),
  },
  {
    name: "delete expired codes of TVs",
    interval: minutes(10),
    run: ({ db, clock }) => store.deleteExpiredPairings(db, clock.now()),
  },
];
