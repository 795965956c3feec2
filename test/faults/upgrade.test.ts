import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Kysely } from "kysely";
import { expect, test } from "vitest";

import { openDatabase } from "#server/db/connect.ts";
import { listAppliedMigrations, migrateInTransaction, listPendingMigrations } from "#server/db/migrate.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { createServerProcess, runCommand, type ServerProcess } from "#test/process/server-process.ts";
import { random } from "./random.ts";
import { databases, report } from "./report.ts";

const names = listPendingMigrations([]);
const firstVersion = names.slice(0, 4);
const members = 50;
const manyBeers = 1_000_000;
const someBeers = 100_000;
const atOnce = 2000;
const kills = 20;
const soonMs = 30_000;
const executable = join(import.meta.dirname, "../../bin/stammtisch");

type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

/** Fills an installation of the first version with the data of several years. */
async function fill(server: ServerProcess, beers: number): Promise<void> {
  const database = server.openDatabase();
  await database.db.transaction().execute(async (tx) => {
    await migrateInTransaction(tx, database.kind, 1, firstVersion);
    const old = tx as unknown as AnyTables;
    for (let id = 1; id <= members; id += 1) {
      const uname = `drinker-${id}`;
      const email = `${uname}@stammtisch.example`;
      const user = {
        uname,
        uname_key: uname,
        name: uname,
        email,
        email_key: email,
        password_hash: "",
        permissions: "[]",
      };
      await old
        .insertInto("users")
        .values({ ...user, created_at: id })
        .execute();
      await old
        .insertInto("pictures")
        .values({ id: uname, user_id: id, png: Buffer.alloc(1000, id), created_at: id })
        .execute();
    }
    for (let from = 0; from < beers; from += atOnce) {
      const rows = Array.from({ length: atOnce }, (_, index) => {
        const number = from + index + 1;
        return { user_id: 1 + (number % members), key: `tap-${number}`, at: number, group_total: number, own_total: 1 };
      });
      await old.insertInto("beers").values(rows).execute();
    }
  });
  await database.close();
}

/** Returns a hash of all rows in the first version's tables, over the columns of that version. */
async function hashRows(server: ServerProcess): Promise<string> {
  const { db, close } = server.openDatabase();
  const hash = createHash("sha256");
  const old = db as unknown as AnyTables;
  const columns = { users: ["id", "uname", "email", "created_at"], pictures: ["id", "user_id", "png"] };
  for (const [table, list] of Object.entries(columns)) {
    const rows = await old.selectFrom(table).select(list).orderBy("id").execute();
    for (const row of rows)
      hash.update(
        list
          .map((column) => (row[column] instanceof Uint8Array ? Buffer.from(row[column]).toString("hex") : row[column]))
          .join("|"),
      );
  }
  const beerColumns = ["id", "user_id", "key", "at", "group_total", "own_total"];
  for (let after = 0; ;) {
    const rows = await old
      .selectFrom("beers")
      .select(beerColumns)
      .where("id", ">", after)
      .orderBy("id")
      .limit(10_000)
      .execute();
    if (rows.length === 0) break;
    for (const row of rows) hash.update(beerColumns.map((column) => row[column]).join("|"));
    after = Number(rows.at(-1)!["id"]);
  }
  await close();
  return hash.digest("hex");
}

test.for(databases)("an upgrade from the first version with a million beers keeps every row (%s)", async (db) => {
  await using server = await createServerProcess({ database: db });
  await fill(server, manyBeers);
  const before = await hashRows(server);
  const began = performance.now();
  expect((await server.run("migrate", "--json")).json).toEqual({ applied: names.slice(firstVersion.length) });
  const ms = Math.round(performance.now() - began);
  const isSame = (await hashRows(server)) === before;
  report("T029", { beers: manyBeers, "upgrade, ms": ms }, `0 differences, within ${soonMs} ms`, db);
  expect(isSame).toBe(true);
  expect(ms).toBeLessThan(soonMs);
  expect(existsSync(join(server.dataDir, "before-upgrade"))).toBe(db === "sqlite");
});

// This test needs only SQLite, because PostgreSQL rolls back the unfinished transaction of a lost
// connection.
test("a kill during an upgrade leaves the old or the new version, and the next start completes the upgrade", async () => {
  await using server = await createServerProcess();
  await fill(server, someBeers);
  const before = await hashRows(server);
  const kept = join(server.dataDir, "kept");
  copyFileSync(join(server.dataDir, "stammtisch.db"), kept);
  const began = performance.now();
  await server.run("migrate");
  const usualMs = performance.now() - began;
  let onTheWay = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    for (const end of ["", "-wal", "-shm"]) rmSync(join(server.dataDir, `stammtisch.db${end}`), { force: true });
    copyFileSync(kept, join(server.dataDir, "stammtisch.db"));
    const child = spawn(executable, ["migrate"], { env: { ...process.env, ...server.env }, stdio: "ignore" });
    const ended = once(child, "exit");
    await Promise.race([sleep(random() * usualMs), ended]);
    child.kill("SIGKILL");
    await ended;
    const database = server.openDatabase();
    const applied = await listAppliedMigrations(database.db);
    await database.close();
    expect([firstVersion, names]).toContainEqual(applied);
    if (applied.length < names.length) onTheWay += 1;
    expect((await server.run("migrate")).code).toBe(0);
  }
  expect(await hashRows(server)).toBe(before);
  expect(readdirSync(join(server.dataDir, "before-upgrade"))).toEqual([`${firstVersion.at(-1)}.db`]);
  const number = { kills, "killed on the way": onTheWay };
  report("T029", number, "0 differences");
  expect(onTheWay).toBeGreaterThan(0);
});

test.runIf(process.getuid?.() === 0)(
  "an upgrade without disk space for its safety copy is refused with one line and changes nothing",
  async () => {
    const folder = createTemporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]);
    try {
      const place = { dataDir: folder, databaseUrl: null };
      const database = openDatabase(place);
      await database.db.transaction().execute(async (tx) => migrateInTransaction(tx, "sqlite", 1, firstVersion));
      await database.db
        .insertInto("settings")
        .values({ key: "time-zone", value: "x".repeat(3_500_000) })
        .execute();
      await database.close();
      const hash = () =>
        createHash("sha256")
          .update(readFileSync(join(folder, "stammtisch.db")))
          .digest("hex");
      const before = hash();
      const { code, errors } = await runCommand(["migrate"], { DATA_DIR: folder });
      expect([code, errors]).toEqual([
        1,
        expect.stringMatching(/^DATA_DIR: the copy made before an upgrade needs \d+ MB[^\n]+\n$/),
      ]);
      expect(hash()).toBe(before);
    } finally {
      execFileSync("umount", ["-l", folder]);
    }
  },
);
