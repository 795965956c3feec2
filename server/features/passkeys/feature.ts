import type { Feature } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { exportPasskeys } from "./export.ts";
import { addPasskeyRoutes } from "./routes.ts";
import { deleteExpiredChallenges } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addPasskeyRoutes,
  tables,
  jobs: [
    {
      name: "delete expired passkey challenges",
      interval: minutes(10),
      run: ({ db, clock }) => deleteExpiredChallenges(db, clock.now()),
    },
  ],
  accountExport: exportPasskeys,
} satisfies Feature;
