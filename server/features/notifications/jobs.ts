import { inTransaction } from "#server/db/connect.ts";
import type { Context } from "#server/platform/context.ts";
import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { countingWindow } from "./rules.ts";
import { deleteThrottles, popPendingPushes } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "send kept pushes and delete old throttles",
    isEverywhere: true,
    atStart: true,
    interval: hours(1),
    async run({ db, clock, push }) {
      const now = clock.now();
      await inTransaction(db, async (tx) => {
        const kept = await popPendingPushes(tx);
        await push.queue(
          tx,
          kept.filter(({ expiresAt }) => expiresAt > now),
        );
      });
      await deleteThrottles(db, now - countingWindow);
    },
  },
];

export const onClose = ({ push }: Pick<Context, "push">): Promise<void> => push.close();
