import { type Kysely, sql, type Transaction } from "kysely";

import { UnusableDataError } from "#server/operator-error.ts";
import { disableTimeouts } from "./backup-tables.ts";
import type { DatabaseKind, Db } from "./connect.ts";
import { loadMigrations } from "./load-migrations.ts";
import type { Tables } from "./tables.ts";

const migrations = await loadMigrations();

type MigrationsDb = Kysely<{ migrations: { name: string; at: number } }>;
/** Any fixed number: instances that start together migrate one after the other. */
const advisoryLock = 7_285_601;

/** The names of the migrations that were applied to this database, in order; none for an empty one. */
export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === "migrations")) return [];
  const rows = await (db as unknown as MigrationsDb).selectFrom("migrations").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

/** Throws where one of these migrations is not known to this version, which would damage the data. */
export function assertKnownMigrations(names: readonly string[]): void {
  const unknown = names.find((name) => !migrations.some((known) => known.name === name));
  if (!unknown) return;
  throw new UnusableDataError(
    `The data was written by a newer version of Stammtisch (migration “${unknown}”). Start that version.`,
  );
}

/** The names of the migrations that are still missing after these. */
export function listPendingMigrations(applied: readonly string[]): string[] {
  return migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
}

/**
 * Applies pending migrations and returns their names; upgrade() makes a copy first. Not kysely's own migrator: on SQLite that one
 * runs outside a transaction, so a kill in between would leave half a schema.
 */
export async function migrate(db: Db, kind: DatabaseKind, now: number): Promise<string[]> {
  return db.transaction().execute(async (tx) => migrateInTransaction(tx, kind, now));
}

/** The same within a larger transaction. Applies only the migrations in `only`, where it is given. */
export async function migrateInTransaction(
  tx: Transaction<Tables>,
  kind: DatabaseKind,
  now: number,
  only?: readonly string[],
): Promise<string[]> {
  const known = tx as unknown as MigrationsDb;
  await disableTimeouts(tx, kind);
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(tx);
  await known.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
  const done = new Set(await listAppliedMigrations(tx));
  assertKnownMigrations([...done]);
  const applied: string[] = [];
  for (const { name, up } of migrations) {
    if (done.has(name) || only?.includes(name) === false) continue;
    await up(tx, kind);
    await known.insertInto("migrations").values({ name, at: now }).execute();
    applied.push(name);
  }
  return applied;
}
