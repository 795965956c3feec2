import type { Feature } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { exportKnownDevices } from "./export.ts";
import { deviceLifetimeMs } from "./rules.ts";
import { deleteExpiredKnownDevices, deleteOldAttempts } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  tables,
  jobs: [
    {
      name: "delete forgotten devices and old login attempts",
      interval: minutes(10),
      async run({ db, clock }) {
        await deleteExpiredKnownDevices(db, clock.now() - deviceLifetimeMs);
        await deleteOldAttempts(db, clock.monotonic());
      },
    },
  ],
  accountExport: exportKnownDevices,
} satisfies Feature;
