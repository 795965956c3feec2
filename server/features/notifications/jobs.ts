import type { Job } from "#server/platform/feature.ts";
import { hasExpired, hours } from "#server/time.ts";
import { keepPendingPushes } from "./actions.ts";
import { countingWindow, pushLifetime } from "./rules.ts";
import { deleteThrottles, popPendingPushes } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "send kept pushes and delete old throttles",
    atStart: true,
    interval: hours(1),
    async run({ db, clock, push }) {
      const now = clock.now();
      push.send((await popPendingPushes(db)).filter(({ expiresAt }) => !hasExpired(expiresAt, now, pushLifetime)));
      await deleteThrottles(db, now - countingWindow, now);
    },
  },
];

export const onClose = keepPendingPushes;
