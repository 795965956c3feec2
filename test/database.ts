import { randomUUID } from "node:crypto";

import { Kysely } from "kysely";
import pg from "pg";

import { type Database, openDatabase, toDatabase } from "#server/db/connect.ts";
import { listPendingMigrations, migrate } from "#server/db/migrate.ts";
import type { Tables } from "#server/db/schema.ts";
import { openSqlite } from "#server/db/sqlite.ts";

let migratedSqlite: Promise<Uint8Array> | undefined;

/** Creates a migrated SQLite database in memory, as a copy of a template that is made once per process. */
export async function createSqliteDatabase(): Promise<Database> {
  const sqlite = openSqlite(":memory:");
  sqlite.database.deserialize(await (migratedSqlite ??= serializeMigratedDatabase()));
  return toDatabase(sqlite);
}

async function serializeMigratedDatabase(): Promise<Uint8Array> {
  const { dialect, database } = openSqlite(":memory:");
  const db = new Kysely<Tables>({ dialect });
  await migrate(db, "sqlite", 0);
  const serialized = database.serialize();
  await db.destroy();
  return serialized;
}

/** Creates an empty database on the PostgreSQL server that TEST_DATABASE_URL names. */
export async function createDatabase(): Promise<string> {
  return cloneDatabase("template1");
}

/** Databases ready for reuse. They are never dropped, because the server exists for one test run only. */
const idleDatabases: string[] = [];
/** Kept open, because each new connection takes tens of milliseconds of processor time. */
const cleaners = new Map<string, pg.Client>();

/**
 * Returns the URL of a migrated database. Callers return it with releaseDatabase(), because
 * emptying a database takes a hundredth of the time of creating one.
 */
export async function acquireDatabase(): Promise<string> {
  return idleDatabases.pop() ?? createMigratedDatabase();
}

/** Empties a database for the next test app. Fails if a test has changed a table's definition. */
export async function releaseDatabase(url: string): Promise<void> {
  const cleaner = cleaners.get(url) ?? (await connectCleaner(url));
  // Repeats until no other connection is listed: a connection may hold locks until it disappears
  // from pg_stat_activity, which may be after its client has disconnected.
  const others = "datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()";
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`;
  while ((await cleaner.query(end)).rowCount !== 0);
  const tables = "select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migrations'";
  const { rows } = await cleaner.query<{ tablename: string }>(tables);
  await cleaner.query(rows.map(({ tablename }) => `delete from ${tablename}`).join("; "));
  await cleaner.query("delete from migrations where name <> all($1)", [listPendingMigrations([])]);
  await cleaner.query("select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'");
  await cleaner.query("insert into beer_group (id, total, version) values (1, 0, 0)");
  idleDatabases.push(url);
}

async function connectCleaner(url: string): Promise<pg.Client> {
  const cleaner = new pg.Client(url);
  await cleaner.connect();
  // Switches foreign keys off, so that the order of the deletions does not matter.
  await cleaner.query("set session_replication_role = replica");
  cleaners.set(url, cleaner);
  return cleaner;
}

/** Creates a migrated database as a copy of a template, because running the migrations takes ten times as long. */
async function createMigratedDatabase(): Promise<string> {
  const template = `template_${listPendingMigrations([]).at(-1)!.replaceAll("-", "_")}`;
  await withServer(serverUrl(), async (server) => {
    // Other test processes that need the template wait for this lock.
    await server.query("select pg_advisory_lock(1)");
    const found = await server.query("select 1 from pg_database where datname = $1", [template]);
    if (found.rowCount === 1) return;
    const url = await createDatabase();
    const { db, kind, close } = openDatabase({ databaseUrl: url, dataDir: "" });
    await migrate(db, kind, 0);
    await close();
    await server.query(`alter database ${nameOf(url)} rename to ${template}`);
  });
  return cloneDatabase(template);
}

async function cloneDatabase(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await withServer(serverUrl(), (server) =>
    server.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  await withServer(serverUrl(), (server) => server.query(`drop database ${nameOf(url)} with (force)`));
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

async function withServer(url: string, work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env["TEST_DATABASE_URL"];
  if (!url) throw new Error("TEST_DATABASE_URL is missing: npm test starts PostgreSQL and sets it.");
  return url;
}
