import { inTransaction } from "#server/db/connect.ts";
import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { sessionCutoffs } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete ended sessions",
    interval: minutes(10),
    async run({ db, config, clock, realtime }) {
      await inTransaction(db, async (tx) => {
        const ended = await deleteEndedSessions(tx, sessionCutoffs(clock.now(), config.rememberDays));
        // The built-in realtime server checks sessions itself; a hosted service must be told which
        // sessions have ended.
        for (const [userId, sessions] of Map.groupBy(ended, ({ user_id }) => user_id))
          await realtime.accessChanged(tx, { userId, sessionIds: sessions.map(({ id }) => id) });
      });
    },
  },
];
