import { sql } from "kysely";

import { minutes } from "#server/time.ts";
import type { Db } from "./connect.ts";

/** Limit of a column with epoch milliseconds. */
export interface TimePolicy {
  /** Maximum milliseconds ahead of now that a right clock can have stored. */
  readonly ahead: number;
  /** Replacement of a time that is further ahead; by default 0, which means expired or due. */
  readonly otherwise?: null | "now";
  /** For times by the monotonic clock, which no jump of the wall clock may end early. */
  readonly isMonotonic?: true;
}

type TimePolicies = Readonly<Record<string, { readonly times?: Readonly<Record<string, TimePolicy>> }>>;

/** Difference that the clocks of instances and database may have. */
const clockTolerance = minutes(1);

/** Replaces times that only a wrong clock can have stored. */
export async function repairFutureTimes(db: Db, tables: TimePolicies, now: number, monotonic: number) {
  const repaired: { table: string; column: string; rows: number }[] = [];
  for (const [table, { times = {} }] of Object.entries(tables)) {
    for (const [column, { ahead, otherwise = 0, isMonotonic }] of Object.entries(times)) {
      const [name, value] = [sql.ref(column), otherwise === "now" ? now : otherwise];
      const latest = (isMonotonic ? monotonic : now) + ahead + clockTolerance;
      const { numAffectedRows } =
        await sql`update ${sql.table(table)} set ${name} = ${value} where ${name} > ${latest}`.execute(db);
      if (numAffectedRows) repaired.push({ table, column, rows: Number(numAffectedRows) });
    }
  }
  return repaired;
}
