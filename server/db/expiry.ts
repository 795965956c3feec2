import { type RawBuilder, sql, type SqlBool } from "kysely";

import { latestStart } from "#server/time.ts";

/**
 * Builds the SQL condition of expired rows, as hasExpired() tests it in JavaScript. `column` holds
 * the end time of a row in epoch ms, `longest` is the longest lifetime of a row in ms.
 */
export function expired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latestStart(now) + longest})`;
}

/** Builds the negation of expired() in SQL. */
export function unexpired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} > ${now} and ${sql.ref(column)} <= ${latestStart(now) + longest})`;
}
