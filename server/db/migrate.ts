import { type Kysely, sql, type Transaction } from "kysely";

import { UnusableDataError } from "#server/operator-error.ts";
import { version } from "#server/version.ts";
import { disableTimeouts } from "./backup-tables.ts";
import type { DatabaseKind, Db } from "./connect.ts";
import { loadMigrations } from "./load-migrations.ts";
import type { Tables } from "./schema.ts";

const migrations = await loadMigrations();

type MigrationsDb = Kysely<{ migrations: { name: string; at: number } }>;
/** Makes instances that start together migrate one after the other. Arbitrary, but the same in all instances. */
const advisoryLock = 7_285_601;

/** In order; empty for an empty database. */
export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === "migrations")) return [];
  return listNames(db);
}

async function listNames(db: Db): Promise<string[]> {
  const rows = await (db as unknown as MigrationsDb).selectFrom("migrations").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

/** Throws if a newer version has migrated this database, which must have been migrated at least once. */
export async function assertSchemaKnown(db: Db): Promise<void> {
  const names = await listNames(db);
  if (!names.every(isKnownMigration)) assertKnownMigrations(names, { writtenBy: await findWritingVersion(db) });
}

interface Origin {
  /** Version that last migrated the data; missing if it did not record itself. */
  readonly writtenBy?: string | undefined;
  /** Sentence that says how to return to this version. */
  readonly wayBack?: string;
}

/** Throws for an unknown migration: a newer version has then written the data, and this version would damage them. */
export function assertKnownMigrations(names: readonly string[], { writtenBy, wayBack }: Origin = {}): void {
  const unknown = names.find((name) => !isKnownMigration(name));
  if (!unknown) return;
  const isNamed = writtenBy !== undefined && writtenBy !== version;
  throw new UnusableDataError(
    [
      `The data was written by ${isNamed ? `version ${writtenBy}` : "a newer version"} of Stammtisch (migration “${unknown}”);`,
      `this is version ${version}. Use ${isNamed ? `version ${writtenBy}` : "the newer version"}.`,
      wayBack ?? "To go back, restore the backup made before the update: see “Update” in docs/operating.md.",
    ].join(" "),
  );
}

/** Setting with the version that last migrated the database. */
export const versionSetting = "version";

async function findWritingVersion(db: Db): Promise<string | undefined> {
  const query = db.selectFrom("settings").select("value").where("key", "=", versionSetting);
  return (await query.executeTakeFirst())?.value;
}

async function recordVersion(db: Db): Promise<void> {
  await db
    .insertInto("settings")
    .values({ key: versionSetting, value: version })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: version }))
    .execute();
}

export function isKnownMigration(name: string): boolean {
  return migrations.some((known) => known.name === name);
}

export function listPendingMigrations(applied: readonly string[]): string[] {
  return migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
}

/**
 * Returns the names of the applied migrations. Does without Kysely's migrator, which runs outside a transaction on
 * SQLite: a killed process would leave an incomplete schema.
 */
export async function migrate(db: Db, kind: DatabaseKind, now: number): Promise<string[]> {
  return db.transaction().execute(async (tx) => migrateInTransaction(tx, kind, now));
}

/** `only`: names of the migrations to apply, instead of all. */
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
  await assertSchemaKnown(tx);
  const done = new Set(await listNames(tx));
  const applied: string[] = [];
  for (const { name, up } of migrations) {
    if (done.has(name) || only?.includes(name) === false) continue;
    await up(tx, kind);
    await known.insertInto("migrations").values({ name, at: now }).execute();
    applied.push(name);
  }
  if (applied.length > 0 && only === undefined) await recordVersion(tx);
  return applied;
}
