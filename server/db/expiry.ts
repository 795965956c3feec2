import { type RawBuilder, sql, type SqlBool } from "kysely";

import { latestStart } from "#server/time.ts";

/** Builds the SQL condition of hasExpired() for a column with an end time (epoch ms); `longest` is its maximum span in ms. */
export function expired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latestStart(now) + longest})`;
}

/** Builds the opposite condition of expired(). */
export function unexpired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} > ${now} and ${sql.ref(column)} <= ${latestStart(now) + longest})`;
}
