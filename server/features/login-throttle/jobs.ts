import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { deleteExpiredKnownDevices, deleteOldAttempts } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete forgotten devices and old login attempts",
    interval: minutes(10),
    async run({ db, clock }) {
      await deleteExpiredKnownDevices(db, clock.now());
      await deleteOldAttempts(db, clock.monotonic());
    },
  },
];
