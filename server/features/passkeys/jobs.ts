import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { deleteExpiredChallenges } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete expired passkey challenges",
    interval: minutes(10),
    run: ({ db, clock }) => deleteExpiredChallenges(db, clock.now()),
  },
];
