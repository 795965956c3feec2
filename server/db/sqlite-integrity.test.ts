import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { beforeAll, beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { assertSqliteIntegrity } from "./sqlite-integrity.ts";

const pageSize = 4096;
const logHeader = 32;
const frame = 24 + pageSize;

const folder = createTemporaryFolder();
const whole = join(folder, "whole.db");
const file = join(folder, "stammtisch.db");

/**
 * Creates the files that a power cut leaves: 300 rows in the database file, and ten more only in
 * the write-ahead log, each in a separate commit.
 */
beforeAll(() => {
  const database = new DatabaseSync(whole);
  database.exec("pragma journal_mode = wal; create table numbers (n integer primary key, text text)");
  const insert = database.prepare("insert into numbers (text) values (?)");
  for (let n = 0; n < 300; n += 1) insert.run(`${n}`.repeat(50));
  database.exec("pragma wal_checkpoint(truncate)");
  for (let n = 0; n < 10; n += 1) insert.run("only in the log");
  for (const end of ["", "-wal"]) copyFileSync(`${whole}${end}`, join(folder, `cut.db${end}`));
  database.close();
});

beforeEach(() => {
  for (const name of readdirSync(folder)) if (name.startsWith("stammtisch.db")) rmSync(join(folder, name));
  for (const end of ["", "-wal"]) copyFileSync(join(folder, `cut.db${end}`), `${file}${end}`);
});

const hash = () =>
  ["", "-wal"].map((end) =>
    createHash("sha256")
      .update(readFileSync(`${file}${end}`))
      .digest("hex"),
  );
const assertIntegrity = () => assertSqliteIntegrity(file, { isAlone: true });

function overwrite(end: string, at: number, length: number): void {
  const bytes = readFileSync(`${file}${end}`);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(`${file}${end}`, bytes);
}

function count(): number {
  const database = new DatabaseSync(file);
  const row = database.prepare("select count(*) as count from numbers").get() as { count: number };
  database.close();
  return row.count;
}

const damageCases: [what: string, damage: () => void][] = [
  ["a page is overwritten", () => overwrite("", pageSize, pageSize)],
  ["the first page is overwritten", () => overwrite("", 0, pageSize)],
  ["the file is cut off", () => truncateSync(file, 2 * pageSize)],
  ["the file is not an SQLite file", () => writeFileSync(file, "Prost! ".repeat(2000))],
  ["the header of the write-ahead log is overwritten", () => overwrite("-wal", 0, logHeader)],
  ["the write-ahead log is overwritten in the middle", () => overwrite("-wal", logHeader + 3 * frame + 100, 50)],
  ["the first frame of the write-ahead log is overwritten", () => overwrite("-wal", logHeader, frame)],
];

test.for(damageCases)(
  "the integrity check refuses an SQLite file with repair instructions, and writes nothing to it, if %s",
  ([, damage]) => {
    damage();
    const before = hash();
    expect(assertIntegrity).toThrow("is damaged");
    expect(assertIntegrity).toThrow(
      /is damaged \([^\n]+\)\. Nothing was written to it\. [^\n]+stammtisch restore FILE$/,
    );
    expect(hash()).toEqual(before);
  },
);

test("SQLite's quick_check does not detect commits lost after a corrupt frame of the write-ahead log", () => {
  overwrite("-wal", logHeader + 3 * frame + 100, 50);
  const database = new DatabaseSync(file);
  expect(database.prepare("pragma quick_check").get()).toEqual({ quick_check: "ok" });
  database.close();
  expect(count()).toBe(303);
});

test("the integrity check accepts the SQLite file that a power cut leaves; SQLite then recovers every commit of the log", () => {
  assertIntegrity();
  expect(count()).toBe(310);
});

test("the integrity check accepts a write-ahead log that is cut off in its last commit; SQLite recovers the earlier commits", () => {
  const size = readFileSync(`${file}-wal`).length;
  truncateSync(`${file}-wal`, size - 1000);
  assertIntegrity();
  expect(count()).toBe(309);
});

test("the integrity check accepts a write-ahead log whose last commit is overwritten; SQLite recovers the earlier commits", () => {
  overwrite("-wal", readFileSync(`${file}-wal`).length - 500, 400);
  assertIntegrity();
  expect(count()).toBe(309);
});

test("the integrity check accepts old frames behind the end of a reused write-ahead log", () => {
  const database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(restart); insert into numbers (text) values ('a new round')");
  for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, join(folder, `round.db${end}`));
  database.close();
  for (const end of ["", "-wal"]) copyFileSync(join(folder, `round.db${end}`), `${file}${end}`);
  expect(readFileSync(`${file}-wal`).length).toBeGreaterThan(logHeader + 2 * frame);
  assertIntegrity();
  expect(count()).toBe(311);
});

test("the integrity check does not report a missing SQLite file as damaged", () => {
  assertSqliteIntegrity(join(folder, "nowhere.db"), { isAlone: true });
});
