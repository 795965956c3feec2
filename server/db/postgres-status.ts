import { PostgresAdapter, sql } from "kysely";

import type { Db } from "./connect.ts";

/** Time of the query, not of the start of its transaction, in epoch ms. */
export const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Works within a transaction too. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** `isDurable`: PostgreSQL confirms a commit only when it is on the disk. */
export async function readPostgresStatus(db: Db) {
  const asked = sql<{ version: number; commit: string; now: number }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('synchronous_commit') as commit, ${databaseTime} as now`;
  const { version, commit, now } = (await asked.execute(db)).rows[0]!;
  return { version, isDurable: commit !== "off", clockOffsetMs: now - Date.now() };
}
