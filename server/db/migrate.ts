import { type Kysely, sql, type Transaction } from "kysely";

import type { DatabaseKind, Db } from "./connect.ts";
import * as members from "./migrations/0001-members.ts";
import * as beercounter from "./migrations/0002-beercounter.ts";
import * as christmasCalendar from "./migrations/0003-christmas-calendar.ts";
import * as oneself from "./migrations/0004-oneself.ts";
import * as gameServers from "./migrations/0005-game-servers.ts";
import * as notifications from "./migrations/0006-notifications.ts";
import * as taps from "./migrations/0007-taps.ts";
import * as admin from "./migrations/0008-admin.ts";
import * as memberDays from "./migrations/0009-member-days.ts";
import * as tv from "./migrations/0010-tv.ts";
import * as largeCounts from "./migrations/0011-large-counts.ts";
import * as company from "./migrations/0012-company.ts";
import * as knownDevices from "./migrations/0013-known-devices.ts";
import * as resetLinks from "./migrations/0014-reset-links.ts";
import { disableTimeouts } from "./backup-tables.ts";
import type { Tables } from "./tables.ts";

export interface Migration {
  /** Runs once, in one transaction, on both databases; `kind` for the few words they do not share. */
  up(tx: Transaction<Tables>, kind: DatabaseKind): Promise<void>;
}

/** Every migration there ever was, in order. Names are recorded, so a landed one is never renamed. */
const migrations: readonly [name: string, migration: Migration][] = [
  ["0001-members", members],
  ["0002-beercounter", beercounter],
  ["0003-christmas-calendar", christmasCalendar],
  ["0004-oneself", oneself],
  ["0005-game-servers", gameServers],
  ["0006-notifications", notifications],
  ["0007-taps", taps],
  ["0008-admin", admin],
  ["0009-member-days", memberDays],
  ["0010-tv", tv],
  ["0011-large-counts", largeCounts],
  ["0012-company", company],
  ["0013-known-devices", knownDevices],
  ["0014-reset-links", resetLinks],
];

/** The data was written by a newer program; running on would damage it. */
export class NewerSchemaError extends Error {
  constructor(name: string) {
    super(`The data was written by a newer version of Stammtisch (it knows “${name}”). Please start that version.`);
  }
}

type MigrationsDb = Kysely<{ migrations: { name: string; at: number } }>;
/** Any fixed number: instances that start together migrate one after the other. */
const advisoryLock = 7_285_601;

/** The names of the migrations this data have been through, none for an empty database. */
export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === "migrations")) return [];
  const rows = await (db as unknown as MigrationsDb).selectFrom("migrations").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

/** Throws a NewerSchemaError where one of these migrations came after this program. */
export function assertKnownMigrations(names: readonly string[]): void {
  const unknown = names.find((name) => !migrations.some(([ours]) => ours === name));
  if (unknown) throw new NewerSchemaError(unknown);
}

/** The names of the migrations that data with this past still need. */
export function listPendingMigrations(applied: readonly string[]): string[] {
  return migrations.map(([name]) => name).filter((name) => !applied.includes(name));
}

/**
 * Runs what is missing and returns its names; for data that somebody cares for, upgrade() makes a copy first.
 * Not kysely's own migrator: that one runs outside a transaction on SQLite, so a kill in between would leave half a schema.
 */
export async function migrate(db: Db, kind: DatabaseKind, now: number): Promise<string[]> {
  return db.transaction().execute(async (tx) => migrateInTransaction(tx, kind, now));
}

/** The same within a transaction that does more; `only` keeps the schema at an earlier state. */
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
  for (const [name, migration] of migrations) {
    if (done.has(name) || only?.includes(name) === false) continue;
    await migration.up(tx, kind);
    await known.insertInto("migrations").values({ name, at: now }).execute();
    applied.push(name);
  }
  return applied;
}
