import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { keepPendingPushes } from "./actions.ts";
import { countingWindow } from "./rules.ts";
import { deleteThrottles, takeKeptPushes } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "send kept pushes and delete old throttles",
    atStart: true,
    interval: hours(1),
    async run({ db, clock, push }) {
      push.send(await takeKeptPushes(db));
      await deleteThrottles(db, clock.now() - countingWindow);
    },
  },
];

export const onClose = keepPendingPushes;
