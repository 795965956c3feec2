import type { Feature } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { keepPendingPushes } from "./actions.ts";
import { exportSettings } from "./export.ts";
import { addNotificationRoutes } from "./routes.ts";
import { countingWindow } from "./rules.ts";
import { deleteThrottles, takeKeptPushes } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addNotificationRoutes,
  tables,
  jobs: [
    {
      name: "send kept pushes and delete old throttles",
      atStart: true,
      interval: hours(1),
      async run({ db, clock, push }) {
        push.send(await takeKeptPushes(db));
        await deleteThrottles(db, clock.now() - countingWindow);
      },
    },
  ],
  accountExport: exportSettings,
  onClose: keepPendingPushes,
} satisfies Feature;
