import { randomUUID } from "node:crypto";

import pg from "pg";

import { openDatabase } from "#server/db/connect.ts";
import { migrate, pendingMigrations } from "#server/db/migrate.ts";

/** A new, empty database on the PostgreSQL server that TEST_DATABASE_URL names. */
export async function createDatabase(): Promise<string> {
  return copyOf("template1");
}

/** The same with every table in it. Copied from one that is made once, since making the tables takes ten times as long. */
export async function createMigratedDatabase(): Promise<string> {
  const template = `template_${pendingMigrations([]).at(-1)!.replaceAll("-", "_")}`;
  await onServer(async (server) => {
    // The others who need it at the same time wait.
    await server.query("select pg_advisory_lock(1)");
    const found = await server.query("select 1 from pg_database where datname = $1", [template]);
    if (found.rowCount === 1) return;
    const url = await createDatabase();
    const { db, kind, close } = openDatabase({ databaseUrl: url, dataDir: "" });
    await migrate(db, kind, 0);
    await close();
    await server.query(`alter database ${nameOf(url)} rename to ${template}`);
  });
  return copyOf(template);
}

async function copyOf(template: string): Promise<string> {
  const name = `house_${randomUUID().replaceAll("-", "")}`;
  await onServer((server) => server.query(`create database ${name} template ${template} strategy file_copy`));
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  await onServer((server) => server.query(`drop database ${nameOf(url)} with (force)`));
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

async function onServer(work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(serverUrl());
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
