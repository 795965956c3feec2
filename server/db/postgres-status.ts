import { sql } from "kysely";

import type { Db } from "./connect.ts";

/**
 * The current time by PostgreSQL's clock in epoch ms. In a transaction, too, it is the time of the
 * query, not of the start of the transaction.
 */
export const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Reads PostgreSQL's version; whether PostgreSQL confirms a commit only when it is on the disk
 * (`isDurable`); and by how many milliseconds its clock is ahead of ours.
 */
export async function readPostgresStatus(db: Db) {
  const asked = sql<{ version: number; commit: string; now: number }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('synchronous_commit') as commit, ${databaseTime} as now`;
  const { version, commit, now } = (await asked.execute(db)).rows[0]!;
  return { version, isDurable: commit !== "off", clockOffsetMs: now - Date.now() };
}
