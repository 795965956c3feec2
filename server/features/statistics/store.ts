import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { prepareQuery } from "#server/db/prepared-query.ts";
import * as beerStore from "#server/features/beers/store.ts";
import type { Period } from "./rules.ts";

/** PostgreSQL sums bigints as decimals, so the cast makes it a number. */
const alcoholFree = sql<number>`cast(sum(alcohol_free) as bigint)`.as("alcohol_free");

/** A day (10), a month (7) or a year (4) of `YYYY-MM-DD`. */
export type DatePrefixLength = 10 | 7 | 4;

export interface BeerCount {
  readonly total: number;
  readonly alcohol_free: number;
}

export async function countBeers(db: Db, { from, to }: Period): Promise<number> {
  const [row] = await sumPeriod(db, from, to);
  return row?.total ?? 0;
}

const sumPeriod = prepareQuery((db: Db, from: string, to: string) =>
  db.selectFrom("beer_member_days").select(beerStore.sumOfTotals).where("day", ">=", from).where("day", "<=", to),
);

/** The keys are prefixes of `YYYY-MM-DD`. */
export async function countByTime(
  db: Db,
  { from, to }: Period,
  length: DatePrefixLength,
): Promise<Map<string, BeerCount>> {
  const rows = await sumByTime[length](db, from, to);
  return new Map(rows.map(({ time, ...count }) => [time, count]));
}

const sumByTime = { 10: prepareSumByTime(10), 7: prepareSumByTime(7), 4: prepareSumByTime(4) };

/** The inner query sums by day, because the index is sorted by day. */
function prepareSumByTime(length: DatePrefixLength) {
  const time = sql<string>`substr(day, 1, ${sql.lit(length)})`;
  return prepareQuery((db: Db, from: string, to: string) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom("beer_member_days")
          .select(["day", beerStore.sumOfTotals, alcoholFree])
          .where("day", ">=", from)
          .where("day", "<=", to)
          .groupBy("day")
          .as("days"),
      )
      .select([time.as("time"), beerStore.sumOfTotals, alcoholFree])
      .groupBy(time),
  );
}
