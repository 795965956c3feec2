import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Period } from "./rules.ts";

/** PostgreSQL adds bigints up to a numeric, which would arrive as text. */
const sum = sql<number>`cast(sum(total) as bigint)`.as("total");
const alcoholFree = sql<number>`cast(sum(alcohol_free) as bigint)`.as("alcohol_free");

/** How many characters of `YYYY-MM-DD` name a day, a month or a year. */
export type DatePrefixLength = 10 | 7 | 4;

/** The group's beers of a period, and how many of them were without alcohol. */
export async function countBeers(db: Db, { from, to }: Period): Promise<{ total: number; alcohol_free: number }> {
  const row = await db
    .selectFrom("beer_member_days")
    .select([sum, alcoholFree])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .executeTakeFirstOrThrow();
  return { total: row.total ?? 0, alcohol_free: row.alcohol_free ?? 0 };
}

/**
 * The group's beers of a period by day, month or year, named by so much of `YYYY-MM-DD`. Added up by day first, which the
 * index has in order.
 */
export async function countByTime(
  db: Db,
  { from, to }: Period,
  length: DatePrefixLength,
): Promise<Map<string, number>> {
  const time = sql<string>`substr(day, 1, ${sql.lit(length)})`;
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("beer_member_days")
        .select(["day", sum])
        .where("day", ">=", from)
        .where("day", "<=", to)
        .groupBy("day")
        .as("days"),
    )
    .select([time.as("time"), sum])
    .groupBy(time)
    .execute();
  return new Map(rows.map(({ time: name, total }) => [name, total]));
}
