import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { deleteExpiredResetTokens } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete expired reset links",
    interval: minutes(10),
    run: ({ db, clock }) => deleteExpiredResetTokens(db, clock.now()),
  },
];
