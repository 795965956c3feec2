import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { databaseTime } from "#server/db/postgres-status.ts";

/** Advisory lock that the leader of release 1.0.0 holds instead of a lease. */
const formerLeaderLock = 5_103_001;

/** `lifetime` in ms. `false` if another instance holds the lease. */
export async function claimLease(
  db: Db,
  { name, holder, lifetime }: { name: string; holder: string; lifetime: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (name, holder, expires_at)
    select ${name}, ${holder}, ${databaseTime} + ${lifetime}
    where not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and granted and classid = 0 and objid = ${formerLeaderLock}
      and database = (select oid from pg_database where datname = current_database())
    )
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where leases.holder = excluded.holder or leases.expires_at < ${databaseTime}
    returning name`.execute(db);
  return rows.length > 0;
}

export async function deleteLease(db: Db, { name, holder }: { name: string; holder: string }): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}

export async function listLeases(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("leases").select("name").where("expires_at", ">", databaseTime).execute();
  return rows.map(({ name }) => name);
}

/** Also deletes expired leases. */
export async function countLeases(db: Db, prefix: string): Promise<number> {
  await db.deleteFrom("leases").where("name", "like", `${prefix}%`).where("expires_at", "<", databaseTime).execute();
  const rows = await db.selectFrom("leases").select("name").where("name", "like", `${prefix}%`).execute();
  return rows.length;
}
