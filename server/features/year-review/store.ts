import type { Db } from "#server/db/connect.ts";
import type { DayCount } from "#server/features/beercounter/rules.ts";

/** What every member drank on each day between two, both included. */
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

/** The last day with a beer before the given one. */
export async function findDayBefore(db: Db, day: string): Promise<string | null> {
  const { last } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.max("day").as("last"))
    .where("day", "<", day)
    .executeTakeFirstOrThrow();
  return last;
}
