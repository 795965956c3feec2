import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { deleteOldReveals } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "forget who has looked at deleted calendar pictures",
    interval: hours(1),
    run: ({ db }) => deleteOldReveals(db),
  },
];
