import { globSync } from "node:fs";
import { join } from "node:path";

import { Kysely } from "kysely";
import { expect, test } from "vitest";

import { presenceChannel } from "#contract/event.ts";
import type { Db } from "#server/db/connect.ts";
import { listForeignKeys } from "#server/db/foreign-keys.ts";
import { listPendingMigrations, migrateInTransaction } from "#server/db/migrate.ts";
import type { Tables } from "#server/db/schema.ts";
import { openSqlite } from "#server/db/sqlite.ts";
import { createTestApp } from "#test/test-app.ts";
import { features, tables } from "./features.ts";
import { formerTables } from "./platform/table-policy.ts";

const app = await createTestApp();

test("every table of the schema declares its backup policy", async () => {
  const existing = await listTables(app.db);
  const missing = existing.filter((name) => !tables[name]);
  expect(missing, "add them to `tables` in the tables.ts of their feature").toEqual([]);
  const gone = Object.keys(tables).filter((name) => !(name in formerTables) && !existing.includes(name));
  expect(gone, "no migration creates them; remove them from the tables.ts of their feature").toEqual([]);
});

test("tables that only earlier versions had are listed in formerTables, so that backups of those versions can be restored", async () => {
  const { dialect } = openSqlite(":memory:");
  const db = new Kysely<Tables>({ dialect });
  const everExisted = new Set<string>();
  for (const migration of listPendingMigrations([])) {
    await db.transaction().execute(async (tx) => migrateInTransaction(tx, "sqlite", 0, [migration]));
    for (const table of await listTables(db)) everExisted.add(table);
  }
  await db.destroy();
  const unknown = [...everExisted].filter((name) => !tables[name]);
  expect(unknown, "add them to `formerTables` in server/platform/table-policy.ts").toEqual([]);
  const never = Object.keys(formerTables).filter((name) => !everExisted.has(name));
  expect(never, "no migration ever created them; remove them from `formerTables`").toEqual([]);
});

async function listTables(db: Db): Promise<string[]> {
  const all = await db.introspection.getTables();
  return all.map(({ name }) => name).filter((name) => name !== "migrations");
}

test("every column that refers to a member declares its export and what an account deletion does to it", async () => {
  const keys = await listForeignKeys(app.db, app.database.kind);
  const found = keys.filter(({ target }) => target === "users").map(({ table, column }) => `${table}.${column}`);
  const known = Object.entries(tables).flatMap(([table, { memberColumns = {} }]) =>
    Object.keys(memberColumns).map((column) => `${table}.${column}`),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(known.toSorted(), "list them as `memberColumns` in the tables.ts of their feature").toEqual(found.toSorted());
});

test("every column with a time is limited or only shown", async () => {
  // Times of events, times by the database's clock, and times that are compared with other columns only.
  const shown = new Set(
    "accepted_at at booked_at counts_from counts_until created_at dealt_at delivered_at disabled_at opened_at paired_at paused_at removed_at revoked_at sent_at starts_at users.last_login_at oidc_identities.last_used_at oidc_registrations.confirmed_at passkeys.last_used_at api_tokens.expires_at leases.expires_at parties.ends_at".split(
      " ",
    ),
  );
  const found: string[] = [];
  for (const { name: table, columns } of await app.db.introspection.getTables())
    for (const { name, dataType } of table in formerTables ? [] : columns) {
      const isTime = /(^|_)(at|from|until|since)$/.test(name) && /int/i.test(dataType);
      if (isTime && !shown.has(`${table}.${name}`) && (!shown.has(name) || tables[table]?.times?.[name]))
        found.push(`${table}.${name}`);
    }
  const limited = Object.entries(tables).flatMap(([table, { times = {} }]) =>
    Object.keys(times).map((name) => `${table}.${name}`),
  );
  expect(limited.toSorted(), "list them as `times` in the tables.ts of their feature").toEqual(found.toSorted());
});

test("the account export contains every field that the table policies declare", async () => {
  const anna = await app.createMember("anna");
  const exported = Object.keys((await anna.get("/api/user/export")).json);
  const declared = Object.values(tables).flatMap(({ memberColumns = {} }) =>
    Object.values(memberColumns).flatMap(({ exportedAs }) => exportedAs ?? []),
  );
  const missing = declared.filter((name) => !exported.includes(name));
  expect(missing, "return them from `accountExport` in the export.ts of their feature").toEqual([]);
});

test("server/features.ts lists every feature folder", () => {
  const folders = globSync("*/feature.ts", { cwd: join(import.meta.dirname, "features") });
  expect(features.map(({ name }) => name).toSorted()).toEqual(folders.map((file) => file.split("/")[0]).toSorted());
});

test("every realtime channel of the contract is registered by a feature", async () => {
  const channels = features.flatMap((feature) => feature.channels?.(app.context) ?? []);
  const registered = new Set([presenceChannel, ...channels.map(({ name }) => name)]);
  const inContract = new Set<string>();
  for (const file of globSync("*.ts", { cwd: join(import.meta.dirname, "../contract"), exclude: ["*.test.ts"] })) {
    const name = file.slice(0, -".ts".length);
    const module = (await import(`../contract/${name}.ts`)) as Record<string, unknown>;
    for (const value of Object.values(module)) {
      const { channel, data } = (value ?? {}) as { channel?: string; data?: object };
      if (channel && data) inContract.add(channel);
    }
  }
  expect(inContract.size).toBeGreaterThan(1);
  const unknown = [...inContract].filter((channel) => !registered.has(channel) && !channel.startsWith("#"));
  expect(unknown, "add them to `channels` in the routes.ts of their feature").toEqual([]);
});
