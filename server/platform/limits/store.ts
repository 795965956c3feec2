import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import { type Count, type Limit, scaleForGroup, scaleLimit, toCount, type Window } from "./limits.ts";

/**
 * Works like a rate limiter, but in the database, so that neither a restart nor another instance resets the count.
 * Returns the count of the exceeded limit, otherwise of the first key's.
 */
export async function countAttempt(
  { db, config, clock }: { db: Db; config: Pick<Config, "rateLimitFactor">; clock: Clock },
  limit: Limit,
  keys: readonly string[],
): Promise<Count> {
  const now = clock.monotonic();
  const max = scaleLimit(limit, config.rateLimitFactor);
  const counts: Count[] = [];
  for (const [index, key] of keys.entries()) {
    const window = await upsertAttempt(db, key, now, now + seconds(limit.seconds));
    const counted = toCount(window, scaleForGroup(max, index), now);
    if (counted.left < 0) return counted;
    counts.push(counted);
  }
  return counts[0]!;
}

async function upsertAttempt(db: Db, key: string, now: number, endsAt: number): Promise<Window> {
  return db
    .insertInto("login_attempts")
    .values({ key, attempts: 1, resets_at: endsAt })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(({ eb, ref }) => {
        const isOver = eb("login_attempts.resets_at", "<=", now);
        return {
          attempts: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb("login_attempts.attempts", "+", 1))
            .end(),
          resets_at: eb.case().when(isOver).then(endsAt).else(ref("login_attempts.resets_at")).end(),
        };
      }),
    )
    .returning(["attempts as calls", "resets_at as endsAt"])
    .executeTakeFirstOrThrow();
}

/** To be called when an attempt has succeeded. */
export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom("login_attempts").where("key", "=", key).execute();
}

/** Takes back the count of an attempt that has succeeded, but keeps those of earlier ones. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable("login_attempts")
    .set(({ eb }) => ({ attempts: eb("attempts", "-", 1) }))
    .where("key", "=", key)
    .execute();
}

export async function deleteOldAttempts(db: Db, now: number): Promise<void> {
  await db.deleteFrom("login_attempts").where("resets_at", "<=", now).execute();
}
