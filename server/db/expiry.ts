import { type RawBuilder, sql, type SqlBool } from "kysely";

import { latestStart } from "#server/time.ts";

/** The condition of hasExpired() for a column that stores an end (epoch ms) of a span of at most `longest` ms. */
export function expired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latestStart(now) + longest})`;
}

/** The opposite condition. */
export function unexpired(column: string, now: number, longest: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} > ${now} and ${sql.ref(column)} <= ${latestStart(now) + longest})`;
}
