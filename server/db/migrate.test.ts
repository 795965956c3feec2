import type { Kysely } from "kysely";
import { beforeEach, expect, test } from "vitest";

import { version } from "#server/version.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { orderMigrations } from "./load-migrations.ts";
import { migrate, listPendingMigrations } from "./migrate.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const runMigrations = () => migrate(app.db, app.database.kind, app.clock.now());
const migrationsDb = () => app.db as unknown as Kysely<{ migrations: { name: string; at: number } }>;

test("migrating an up-to-date schema applies no migration and keeps all rows", { tags: "postgres" }, async () => {
  await app.createUser("anna");
  expect(await runMigrations()).toEqual([]);
  expect((await app.db.selectFrom("users").select("uname").execute()).map(({ uname }) => uname)).toEqual(["anna"]);
});

test("every applied migration is recorded once, in order", async () => {
  const rows = await migrationsDb().selectFrom("migrations").selectAll().orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(listPendingMigrations([]));
  expect(rows[0]).toEqual({ name: "0001-members", at: expect.any(Number) });
});

test(
  "a database that a newer version has migrated is neither migrated nor opened, and its rows are unchanged",
  { tags: "postgres" },
  async () => {
    await app.createUser("anna");
    await migrationsDb().insertInto("migrations").values({ name: "9999-future", at: 1 }).execute();
    await expect(runMigrations()).rejects.toThrow("written by a newer version of Stammtisch (migration “9999-future”)");
    await expect(app.reopen()).rejects.toThrow("written by a newer version");
    expect(await app.db.selectFrom("users").select("id").execute()).toHaveLength(1);
  },
);

test("a refused downgrade names the version that wrote the data, this version, and what to do", async () => {
  await app.db.deleteFrom("settings").execute();
  await app.db.insertInto("settings").values({ key: "version", value: "99.1.0" }).execute();
  expect(await runMigrations(), "nothing was migrated").toEqual([]);
  await migrationsDb().insertInto("migrations").values({ name: "9999-future", at: 1 }).execute();
  await expect(runMigrations()).rejects.toThrow(
    `The data was written by version 99.1.0 of Stammtisch (migration “9999-future”); this is version ${version}. ` +
      "Use version 99.1.0. To go back, restore the backup made before the update",
  );
});

test("servers that start at the same time apply each pending migration only once", { tags: "postgres" }, async () => {
  // Reverts this migration, on which no later migration depends.
  for (const table of ["calendar_pictures", "calendar_openings", "calendar_audio"]) {
    await migrationsDb().schema.dropTable(table).execute();
  }
  await migrationsDb().deleteFrom("migrations").where("name", "=", "0003-christmas-calendar").execute();
  const applied = await Promise.all([runMigrations(), runMigrations(), runMigrations()]);
  expect(applied.flat()).toEqual(["0003-christmas-calendar"]);
  const written = app.db.selectFrom("settings").select("value").where("key", "=", "version");
  expect(await written.execute(), "the version that last migrated").toEqual([{ value: version }]);
  const anna = await app.createMember("anna");
  expect((await anna.get("/api/christmas-calendar/opened-images")).status).toBe(200);
});

test.each([
  [["0001-members.ts", "beers.ts"], "beers.ts: rename it to 0002-what-it-changes.ts"],
  [["0001-members.ts", "0001-beers.ts"], "0001-members.ts: rename it to 0002-what-it-changes.ts"],
  [["0001-members.ts", "0003-beers.ts"], "0003-beers.ts: rename it to 0002-what-it-changes.ts"],
])("orderMigrations() refuses misnamed migration files %j", (files, message) => {
  expect(() => orderMigrations(files)).toThrow(message);
});
