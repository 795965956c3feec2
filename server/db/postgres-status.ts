import { sql } from "kysely";

import type { Db } from "./connect.ts";

/**
 * Reads PostgreSQL's version; whether PostgreSQL confirms a commit only when it is on the disk
 * (`isDurable`); and by how many milliseconds its clock is ahead of ours.
 */
export async function readPostgresStatus(
  db: Db,
): Promise<{ version: number; isDurable: boolean; clockOffsetMs: number }> {
  const asked = sql<{ version: number; commit: string; now: number }>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('synchronous_commit') as commit,
      (extract(epoch from clock_timestamp()) * 1000)::float as now`;
  const { version, commit, now } = (await asked.execute(db)).rows[0]!;
  return { version, isDurable: commit !== "off", clockOffsetMs: now - Date.now() };
}
