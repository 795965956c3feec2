import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { sessionCutoffs } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete ended sessions",
    interval: minutes(10),
    run: ({ db, config, clock }) => deleteEndedSessions(db, sessionCutoffs(clock.now(), config.rememberDays)),
  },
];
