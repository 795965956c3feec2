import type { Db } from "#server/db/connect.ts";
import type { DayCount } from "#server/features/beercounter/rules.ts";

/** The beers of every member per day, from one day to another, both included, in order. */
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

/** The last day with a beer before the given one; undefined if there is none. */
export async function findDayBefore(db: Db, day: string): Promise<string | undefined> {
  const { last } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.max("day").as("last"))
    .where("day", "<", day)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}
