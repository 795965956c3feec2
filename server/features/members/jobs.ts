import { change } from "#server/platform/change.ts";
import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { sessionCutoffs } from "./session-rules.ts";
import * as store from "./session-store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete ended sessions",
    interval: minutes(10),
    run: (context) =>
      change(context, null, async (tx, say) => {
        const { clock, config } = context;
        const ended = await store.deleteEndedSessions(tx, sessionCutoffs(clock.now(), config.rememberDays));
        // The built-in realtime server checks sessions itself; a hosted service must be told.
        for (const [userId, sessions] of Map.groupBy(ended, ({ user_id }) => user_id))
          await say.access({ userId, sessionIds: sessions.map(({ id }) => id) });
      }),
  },
];
