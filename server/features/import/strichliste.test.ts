import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { beforeEach, expect, test } from "vitest";

import type { ImportReport } from "#contract/import.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { runCommandOn } from "#test/command-line.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

const folder = createTemporaryFolder();
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  await app.createMember("anna");
  await app.createMember("ben");
});

interface Result {
  readonly json: ImportReport;
  readonly text: string;
}

const listBeers = async (): Promise<string[]> => {
  const rows = await app.db
    .selectFrom("beers")
    .innerJoin("users", "users.id", "beers.user_id")
    .select(["users.uname", "beers.at"])
    .orderBy("beers.at")
    .orderBy("beers.id")
    .execute();
  return rows.map(({ uname, at }) => `${uname} ${new Date(at).toISOString()}`);
};
const database = join(folder, "strichliste.sqlite");
const create = (name: string, sql: string): string => {
  const file = join(folder, name);
  using db = new DatabaseSync(file, { defensive: false });
  db.exec(sql);
  return file;
};
const importDatabase = async (file: string, options: object = {}): Promise<Result> =>
  (await runCommandOn(app, commands, "import", [file], { format: "strichliste", ...options })) as unknown as Result;

/**
 * SQL that creates the tables of strichliste 2, with only the columns that the import reads, and
 * two users.
 */
const tables2 = `
  create table article (id integer primary key, precursor_id integer, name varchar(255) not null, amount integer not null);
  create table "user" (id integer primary key, name varchar(64) not null, balance integer not null, disabled boolean not null);
  create table transactions (id integer primary key, user_id integer not null, article_id integer,
    recipient_transaction_id integer, sender_transaction_id integer, quantity integer, comment varchar(255),
    amount integer not null, deleted boolean not null, created datetime not null);
  insert into "user" values (1, 'Anna', 0, 0), (2, 'Ben', 0, 0);`;

test("the strichliste 2 import books as many beers as the quantity of each purchase, but none of undone purchases", async () => {
  const file = create(
    "two.sqlite",
    `${tables2}
    insert into article values (1, null, 'Bier', 150), (2, null, 'Club-Mate', 100);
    insert into transactions values
      (1, 1, 1, null, null, 2, null, -300, 0, '2019-12-24 18:30:00'),
      (2, 2, 2, null, null, 1, null, -100, 0, '2019-12-24 18:31:00'),
      (3, 1, 1, null, null, 1, null, -150, 1, '2019-12-24 18:32:00'),
      (4, 1, null, null, null, null, 'Einzahlung', 500, 0, '2019-12-24 18:33:00'),
      (5, 1, null, 6, null, null, 'an Ben', -200, 0, '2019-12-24 18:34:00'),
      (6, 2, null, null, 5, null, 'von Anna', 200, 0, '2019-12-24 18:34:00'),
      (7, 2, null, null, null, null, 'Auszahlung', -500, 0, '2019-12-24 18:35:00');`,
  );
  const dry = await importDatabase(file, { "dry-run": true });
  expect(dry.json).toMatchObject({
    imported: 3,
    first_at: "2019-12-24T18:30:00.000Z",
    articles: [
      { name: "Bier", beers: 2, is_chosen: true },
      { name: "Club-Mate", beers: 1, is_chosen: true },
    ],
  });
  expect((await importDatabase(file, { article: ["bier"] })).text).toBe("2 imported, 0 skipped");
  expect(await listBeers()).toEqual(["anna 2019-12-24T18:30:00.000Z", "anna 2019-12-24T18:30:00.000Z"]);
  expect((await importDatabase(file)).text).toBe("1 imported, 2 skipped");
});

test("the import of a strichliste 2 database without articles books one beer for each booking with a negative amount", async () => {
  const file = create(
    "amounts.sqlite",
    `${tables2} insert into transactions values (1, 2, null, null, null, null, null, -150, 0, '2019-12-24 18:30:00');`,
  );
  expect((await importDatabase(file, { "local-times": true })).json.imported).toBe(1);
  expect(await listBeers()).toEqual(["ben 2019-12-24T17:30:00.000Z"]);
});

test("the strichliste 1 import books one beer for each booking with a negative amount", async () => {
  const file = create(
    "one.sqlite",
    `create table users (id integer primary key, name text, createDate datetime default current_timestamp);
    create table transactions (id integer primary key, userId integer, createDate datetime, value numeric);
    insert into users values (1, 'anna', '2015-01-01 00:00:00');
    insert into transactions values (1, 1, '2015-06-01 20:00:00', -1.5), (2, 1, '2015-06-01 20:00:00', -1.5),
      (3, 1, '2015-06-01 20:05:00', 10);`,
  );
  expect((await importDatabase(file)).text).toBe("2 imported, 0 skipped");
});

const transactions = (columns = "") => `create table transactions (id integer, user_id integer, article_id integer,
  recipient_transaction_id integer, sender_transaction_id integer, quantity integer, amount integer, deleted integer,
  created text ${columns});`;
const endless = "with recursive n(id) as (select 1 union all select id + 1 from n)";

test.each([
  ["a view", `create view user as ${endless} select id, 'Anna' as name from n`],
  [
    "a view that the schema calls a table",
    `create view user as ${endless} select id, 'Anna' as name from n;
    pragma writable_schema = on; update sqlite_schema set type = 'table' where name = 'user'; pragma writable_schema = off`,
  ],
  ["a virtual table", "create virtual table user using fts5(id, name)"],
  [
    "a generated column",
    `create table user (id integer, name text as (printf('%.*c', 999999999, 'x')));
    insert into user (id) values (1), (2), (3)`,
  ],
  ["a column with blobs", "create table user (id integer, name blob); insert into user values (1, x'00')"],
  ["a missing column", "create table user (id integer)"],
])("the strichliste import refuses a database in which the members are %s", async (_, sql) => {
  const file = create(
    `${randomUUID()}.sqlite`,
    `${sql}; create table article (id integer, name text); ${transactions()}
    insert into transactions values (1, 1, null, null, null, 1, -150, 0, '2019-12-24 18:30:00');`,
  );
  await expect(importDatabase(file)).rejects.toThrow(/is not (a database of strichliste|an SQLite database)/);
});

test("the strichliste import reads tables without keys, whose join would have millions of rows", async () => {
  const file = create(
    "no-keys.sqlite",
    `create table user (id integer, name text); create table article (id integer, name text); ${transactions()}
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into user select 1, 'Anna' from n;
    insert into article select 1, 'Bier' from user;
    insert into transactions select rowid, 1, 1, null, null, 1, -150, 0, '2019-12-24 18:30:00' from user;`,
  );
  expect((await importDatabase(file, { "dry-run": true })).json.imported).toBe(3000);
});

test("the strichliste import refuses a damaged database", async () => {
  const file = create(
    "damaged.sqlite",
    `${tables2} with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into transactions select i, 1, 1, null, null, 1, null, -150, 0, '2019-12-24 18:30:00' from n;`,
  );
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
  await expect(importDatabase(file)).rejects.toThrow("is not an SQLite database");
});

test("the strichliste import refuses a file that is not a strichliste database", async () => {
  writeFileSync(database, "name,time\n");
  await expect(importDatabase(database)).rejects.toThrow("is not an SQLite database");
  const other = create("other.sqlite", "create table notes (id integer); create view transactions as select 1;");
  await expect(importDatabase(other)).rejects.toThrow("is not a database of strichliste");
});
