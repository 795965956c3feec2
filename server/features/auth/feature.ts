import type { Feature } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { addAuthRoutes } from "./routes.ts";
import { sessionCutoffs } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addAuthRoutes,
  tables,
  jobs: [
    {
      name: "delete ended sessions",
      interval: minutes(10),
      run: ({ db, config, clock }) => deleteEndedSessions(db, sessionCutoffs(clock.now(), config.rememberDays)),
    },
  ],
} satisfies Feature;
