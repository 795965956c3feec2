import type { Db } from "#server/db/connect.ts";
import type { DayCount } from "#server/features/beercounter/rules.ts";

/**
 * Returns the beers of every member per day from `from` to `to` (both inclusive), sorted by day.
 */
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

/**
 * Returns the last day before `day` on which any member drank a beer; `undefined` without an
 * earlier beer.
 */
export async function findDayBefore(db: Db, day: string): Promise<string | undefined> {
  const { last } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.max("day").as("last"))
    .where("day", "<", day)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}
