import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { restorableMs } from "./rules.ts";
import { deleteRemovedBefore } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete calendar pictures that were taken down",
    interval: hours(1),
    run: ({ db, clock }) => deleteRemovedBefore(db, clock.now() - restorableMs),
  },
];
