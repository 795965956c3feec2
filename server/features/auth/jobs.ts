import { listDisabledIds } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
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

/** A hosted service may not have answered before this server was stopped, or when a command disabled a member: it is asked again. */
export async function onListen({ config, db, realtime }: Context): Promise<void> {
  if (config.realtimeUrl === null) return;
  for (const userId of await listDisabledIds(db)) await realtime.accessChanged({ userId });
}
