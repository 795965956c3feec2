import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { createDatabase, dropDatabase } from "#test/database.ts";
import { type Database, openDatabase } from "./connect.ts";
import { listAppliedMigrations, migrateInTransaction, listPendingMigrations } from "./migrate.ts";
import { assertSqliteIntegrity } from "./sqlite-integrity.ts";
import { upgrade } from "./upgrade.ts";

const names = listPendingMigrations([]);
/** Migrations of the first version that a group used. */
const firstVersion = names.slice(0, 4);

let dataDir: string;
let databaseUrl: string | null;
let database: Database;

beforeEach(async () => {
  dataDir = createTemporaryFolder();
  databaseUrl = process.env["TEST_DATABASE"] === "postgres" ? await createDatabase() : null;
  database = openDatabase({ dataDir, databaseUrl });
});

afterEach(async () => {
  await database.close();
  if (databaseUrl) await dropDatabase(databaseUrl);
});

const tables = ["users", "pictures", "sessions", "invitations", "beers", "beer_group", "beer_members"] as const;
type Rows = Record<(typeof tables)[number], unknown[]>;

/**
 * Creates the database of an earlier version with two members, one of whom has beers. Returns all
 * rows.
 */
async function fillEarlier(migrations: readonly string[]): Promise<Rows> {
  await database.db.transaction().execute(async (tx) => migrateInTransaction(tx, database.kind, 1, migrations));
  // Untyped, because the types describe the current schema, and these columns are older.
  const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  for (const [index, uname] of ["anna", "ben"].entries()) {
    const email = `${uname}@stammtisch.example`;
    const user = { uname, uname_key: uname, name: uname, email, email_key: email, created_at: index };
    await db
      .insertInto("users")
      .values({ ...user, password_hash: "$argon2id$", permissions: "[]" })
      .execute();
  }
  await db
    .insertInto("pictures")
    .values({ id: "p", user_id: 1, png: Buffer.from([1, 0, 255]), created_at: 5 })
    .execute();
  const session = { id: "s", user_id: 1, is_remembered: 1, user_agent: "", created_at: 1, last_seen_at: 2 };
  await db
    .insertInto("sessions")
    .values({ ...session, confirmed_at: 3 })
    .execute();
  const beers = [1, 2, 3].map((n) => ({ user_id: 1, key: `tap-${n}`, at: n, group_total: n, own_total: n }));
  await db.insertInto("beers").values(beers).execute();
  await db.updateTable("beer_group").set({ total: 3, version: 3, first_day: "1970-01-01" }).execute();
  await db.insertInto("beer_members").values({ user_id: 1, total: 3 }).execute();
  return allRows();
}

async function allRows(): Promise<Rows> {
  const rows: Partial<Rows> = {};
  for (const table of tables) {
    const found = await database.db.selectFrom(table).selectAll().execute();
    rows[table] = found
      // Ignores the column `permissions` of users, which a later migration replaces with a table.
      .map((row) => ({ ...row, permissions: undefined }))
      .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return rows as Rows;
}

async function openSqlite(): Promise<void> {
  await database.close();
  database = openDatabase({ dataDir, databaseUrl: null });
}

const copies = () => readdirSync(join(dataDir, "before-upgrade")).toSorted();
const runUpgrade = async () => upgrade(database, dataDir, 2);

test.for([
  ["the first version", firstVersion],
  ["a state before the first version", names.slice(0, 2)],
] as const)(
  "an upgrade from the schema of %s applies all later migrations and keeps every row",
  { tags: "postgres" },
  async ([, migrations]) => {
    const before = await fillEarlier(migrations);
    expect(await runUpgrade()).toEqual(names.slice(migrations.length));
    expect(await listAppliedMigrations(database.db)).toEqual(names);
    // Migrations may add columns, but must not change the values of existing ones.
    expect(await allRows()).toMatchObject(before);
    expect(await runUpgrade()).toEqual([]);
  },
);

test(
  "an upgrade from JSON permissions to the table user_permissions keeps all permissions of members",
  { tags: "postgres" },
  async () => {
    await fillEarlier(names.slice(0, names.indexOf("0031-user-permissions")));
    const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const permissions = '["see-game-servers","admin"]';
    await db.updateTable("users").set({ permissions }).where("uname", "=", "ben").execute();
    await runUpgrade();
    expect(await database.db.selectFrom("user_permissions").selectAll().orderBy("permission").execute()).toEqual([
      { user_id: 2, permission: "admin" },
      { user_id: 2, permission: "see-game-servers" },
    ]);
  },
);

test(
  "an upgrade keeps earlier reset links, but revokes invitations and TV links of former administrators",
  { tags: "postgres" },
  async () => {
    await fillEarlier(names.slice(0, names.indexOf("0014-reset-links")));
    const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    await db.updateTable("users").set({ permissions: '["admin"]' }).where("uname", "=", "anna").execute();
    const never = 9e15;
    await db.insertInto("reset_tokens").values({ user_id: 2, token_hash: "reset", expires_at: never }).execute();
    for (const created_by of [1, 2, null]) {
      const made = { token_hash: `by ${created_by}`, created_by, created_at: 1 };
      const invitation = { ...made, permissions: "[]", expires_at: never, uses_left: 1 };
      await db.insertInto("invitations").values(invitation).execute();
      await db
        .insertInto("tv_links")
        .values({ ...made, name: "Theke" })
        .execute();
    }
    await runUpgrade();
    expect(await database.db.selectFrom("reset_tokens").selectAll().execute()).toEqual([
      { id: 1, user_id: 2, token_hash: "reset", is_mailed: 0, created_by: null, expires_at: never },
    ]);
    const open = database.db
      .selectFrom("invitations")
      .select("created_by")
      .where("revoked_at", "is", null)
      .orderBy("id");
    expect((await open.execute()).map(({ created_by }) => created_by)).toEqual([1, null]);
    const screens = await database.db.selectFrom("tv_links").select("created_by").orderBy("id").execute();
    expect(screens.map(({ created_by }) => created_by)).toEqual([1, null]);
  },
);

test(
  "an upgrade counts all beers of party members at existing parties, and marks parties that ended before their automatic end",
  { tags: "postgres" },
  async () => {
    await fillEarlier(names.slice(0, names.indexOf("0025-stays-at-parties")));
    const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const twelveHours = 12 * 60 * 60_000;
    for (const length of [twelveHours, 5]) {
      const party = { name: "Grillen", created_by: 1, starts_at: 1000, ends_at: 1000 + length };
      await db.insertInto("parties").values(party).execute();
    }
    await db.insertInto("party_members").values({ party_id: 1, user_id: 2 }).execute();
    await runUpgrade();
    const stays = await database.db.selectFrom("party_members").selectAll().execute();
    expect(stays).toMatchObject([{ party_id: 1, user_id: 2, counts_from: 0, counts_until: null }]);
    const parties = await database.db.selectFrom("parties").select("is_ended_early").orderBy("id").execute();
    expect(parties).toEqual([{ is_ended_early: 0 }, { is_ended_early: 1 }]);
  },
);

test(
  "an upgrade revokes first-start invitations that were still valid after the first registration, but no others",
  { tags: "postgres" },
  async () => {
    await fillEarlier(names.slice(0, names.indexOf("0018-first-invitations")));
    const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const [week, firstRegistration, never] = [7 * 24 * 60 * 60_000, 1000, 9e15];
    await db.updateTable("users").set({ created_at: firstRegistration }).execute();
    const all = '["see-game-servers","toggle-game-servers","admin"]';
    for (const [token_hash, created_at, expires_at, permissions] of [
      ["printed by a first start", 0, week, all],
      ["of the command line, for longer", 0, never, all],
      ["of the command line, for less", 0, week, '["admin"]'],
      ["of the command line, later", firstRegistration, firstRegistration + week, all],
    ] as const) {
      const made = { token_hash, created_by: null, created_at, expires_at };
      await db
        .insertInto("invitations")
        .values({ ...made, permissions, uses_left: 1 })
        .execute();
    }
    await runUpgrade();
    const revoked = database.db.selectFrom("invitations").select(["token_hash", "is_first"]);
    expect(await revoked.where("revoked_at", "is not", null).execute()).toEqual([
      { token_hash: "printed by a first start", is_first: 1 },
    ]);
  },
);

test("an upgrade first copies the SQLite file, so that the operator can return to the previous version", async () => {
  await openSqlite();
  await fillEarlier(names.slice(0, 2));
  await runUpgrade();
  expect(copies()).toEqual(["0002-beercounter.db"]);
  const file = join(dataDir, "before-upgrade/0002-beercounter.db");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = new DatabaseSync(file, { readOnly: true });
  expect(copy.prepare("select count(*) as beers from beers").get()).toEqual({ beers: 3 });
  expect(
    copy
      .prepare("select name from migrations order by name")
      .all()
      .map(({ name }) => name),
  ).toEqual(names.slice(0, 2));
  copy.close();
});

test("an upgrade keeps the newest three copies of the SQLite file and all other files, and deletes an incomplete copy", async () => {
  await openSqlite();
  await fillEarlier(names.slice(0, 2));
  await runUpgrade();
  const kept = [`${names[2]}.db`, `${names[3]}.db`, "0000-before-christmas.db", "9-notes.txt"];
  for (const name of [...kept, "0001-members.db", "0002-beercounter.db.part"])
    writeFileSync(join(dataDir, "before-upgrade", name), "");
  for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `stammtisch.db${end}`), { force: true });
  await openSqlite();
  await fillEarlier(names.slice(0, 2));
  await runUpgrade();
  expect(copies()).toEqual([...kept, "0002-beercounter.db"].toSorted());
});

test("a refused downgrade names the copy that was made before the update, or the backup if there is no copy", async () => {
  await openSqlite();
  await fillEarlier(names.slice(0, 2));
  await runUpgrade();
  const { db } = database;
  await sql`insert into migrations (name, at) values ('9999-future', 3)`.execute(db);
  await sql`update settings set value = '99.1.0' where key = 'version'`.execute(db);
  writeFileSync(join(dataDir, "before-upgrade/9999-future.db"), "");
  const refused = () => assertSqliteIntegrity(join(dataDir, "stammtisch.db"), { isAlone: false });
  const copy = join(dataDir, "before-upgrade/0002-beercounter.db");
  expect(refused).toThrow(`Use version 99.1.0. To go back, put the copy made before the update in place: ${copy}.`);
  rmSync(copy);
  expect(refused).toThrow("Use version 99.1.0. To go back, restore the last backup from before the update");
});

test("the first start of a new installation copies no database", async () => {
  expect(await runUpgrade()).toEqual(names);
  expect(readdirSync(dataDir)).not.toContain("before-upgrade");
});
