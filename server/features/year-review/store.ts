import type { Db } from "#server/db/connect.ts";
import type { DayCount } from "#server/features/beercounter/rules.ts";

/** Returns the beers of every member per day, sorted by day, from `from` to `to` (both inclusive). */
export async function listMemberDays(db: Db, from: string, to: string): Promise<DayCount[]> {
  return db
    .selectFrom("beer_member_days")
    .selectAll()
    .where("day", ">=", from)
    .where("day", "<=", to)
    .orderBy("day")
    .orderBy("user_id")
    .execute();
}

/** Returns the last day with a beer before `day`; `undefined` if there was none. */
export async function findDayBefore(db: Db, day: string): Promise<string | undefined> {
  const { last } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.max("day").as("last"))
    .where("day", "<", day)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}
