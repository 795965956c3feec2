import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { sessionCutoffs } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete ended sessions",
    interval: minutes(10),
    async run({ db, config, clock, realtime }) {
      const ended = await deleteEndedSessions(db, sessionCutoffs(clock.now(), config.rememberDays));
      // The built-in server has noticed by itself; a hosted service is told now.
      for (const [userId, sessions] of Map.groupBy(ended, ({ user_id }) => user_id)) {
        await realtime.accessChanged({ userId, sessionIds: sessions.map(({ id }) => id) });
      }
    },
  },
];
