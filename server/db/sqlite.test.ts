import { readFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { inTransaction, isUnavailable, openDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

test("a full disk counts as a temporary outage and rolls back the transaction; writes succeed once the disk has space", async () => {
  const dataDir = createTemporaryFolder();
  const { db, kind, close } = openDatabase({ dataDir, databaseUrl: null });
  await migrate(db, kind, 1);
  await db.deleteFrom("settings").execute();
  const write = async () =>
    inTransaction(db, async (tx) => {
      await tx.insertInto("settings").values({ key: "time-zone", value: "small" }).execute();
      await tx
        .insertInto("settings")
        .values({ key: "large", value: "x".repeat(100_000) })
        .execute();
    });
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count + 2)}`.execute(db);
  const error = await write().catch((reason: unknown) => reason);
  expect([isUnavailable(error), String(error)]).toEqual([true, "Error: database or disk is full"]);
  expect(await db.selectFrom("settings").select("key").execute()).toEqual([]);
  await sql`pragma max_page_count = 1000000`.execute(db);
  await write();
  expect(await db.selectFrom("settings").select("key").execute()).toHaveLength(2);
  await close();
});

test("the SQLite file no longer contains the text of deleted rows", () => {
  const folder = createTemporaryFolder();
  const file = join(folder, "stammtisch.db");
  const { database } = openSqlite(file);
  database.exec("create table mails (text text)");
  const insert = database.prepare("insert into mails values (?)");
  for (const text of ["kept", "a-secret-link", "x".repeat(10_000) + "a-secret-link"]) insert.run(text);
  database.exec("delete from mails where text <> 'kept'; pragma wal_checkpoint(truncate)");
  expect(readFileSync(file, "latin1")).toContain("kept");
  expect(readFileSync(file, "latin1")).not.toContain("a-secret-link");
  database.close();
});
