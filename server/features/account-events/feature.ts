import type { Feature } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { exportAccountEvents } from "./export.ts";
import { addAccountEventRoutes } from "./routes.ts";
import { maxEventAgeMs } from "./rules.ts";
import { deleteOldAccountEvents } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addAccountEventRoutes,
  tables,
  jobs: [
    {
      name: "delete old account events",
      interval: hours(1),
      run: ({ db, clock }) => deleteOldAccountEvents(db, clock.now() - maxEventAgeMs),
    },
  ],
  accountExport: exportAccountEvents,
} satisfies Feature;
