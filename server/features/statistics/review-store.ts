import type { Db } from "#server/db/connect.ts";

/** `visits`: number of members who drank on that day. */
export interface DaySum {
  readonly day: string;
  readonly visits: number;
  readonly total: number;
  /** Part of `total`. */
  readonly alcohol_free: number;
}

/** Includes `from` and `to`; sorted by day. */
export async function listDays(db: Db, from: string, to: string): Promise<DaySum[]> {
  const rows = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => [
      "day",
      fn.countAll<number>().as("visits"),
      fn.sum<number>("total").as("total"),
      fn.sum<number>("alcohol_free").as("alcohol_free"),
    ])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy("day")
    .orderBy("day")
    .execute();
  return rows.map(({ day, visits, total, alcohol_free }) => ({
    day,
    visits: Number(visits),
    total: Number(total),
    alcohol_free: Number(alcohol_free),
  }));
}

/** Includes `from` and `to`; sorted by day. */
export async function listOwnDays(db: Db, userId: number, from: string, to: string): Promise<DaySum[]> {
  const rows = await db
    .selectFrom("beer_member_days")
    .select(["day", "total", "alcohol_free"])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .where("user_id", "=", userId)
    .orderBy("day")
    .execute();
  return rows.map((row) => ({ ...row, visits: 1 }));
}

/** Includes former members. */
export async function listDrinkersOfDay(db: Db, day: string): Promise<number[]> {
  const rows = await db.selectFrom("beer_member_days").select("user_id").where("day", "=", day).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Counts the days from `from` to `to` (both inclusive) on which both members drank, by other member. */
export async function countSharedDays(db: Db, userId: number, from: string, to: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("beer_member_days as own")
    .innerJoin("beer_member_days as other", "other.day", "own.day")
    .select(({ fn }) => ["other.user_id", fn.countAll<number>().as("days")])
    .where("own.user_id", "=", userId)
    .where("own.day", ">=", from)
    .where("own.day", "<=", to)
    .where("other.user_id", "!=", userId)
    .groupBy("other.user_id")
    .execute();
  return new Map(rows.map(({ user_id, days }) => [user_id, Number(days)]));
}

/** Returns the last day with a beer; `undefined` without an earlier beer. */
export async function findDayBefore(db: Db, day: string): Promise<string | undefined> {
  const { last } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.max("day").as("last"))
    .where("day", "<", day)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}
