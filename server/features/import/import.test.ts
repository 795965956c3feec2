// Also on PostgreSQL: these tests run on both databases, because two concurrent imports must not
// book a beer twice.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { beforeEach, describe, expect, test } from "vitest";

import type { ImportReport } from "#contract/import.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { commands } from "./commands.ts";

const folder = createTemporaryFolder();
const path = join(folder, "beers.csv");
let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  await app.createMember("ben");
});

interface Result {
  readonly json: ImportReport & { readonly skipped: number };
  readonly text: string;
  readonly isFailure?: boolean;
}

const run = async (options: object = {}, file = path): Promise<Result> =>
  (await runCommandOn(app, commands, "import", [file], { format: "csv", ...options })) as unknown as Result;
const importCsv = (text: string | Buffer, options: object = {}): Promise<Result> => {
  writeFileSync(path, text);
  return run(options);
};
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

const twoBeers = "name,time\nAnna,2019-12-24T18:30:00Z\nben,2019-12-24T18:31:00Z\n";

describe("CSV import", () => {
  test("the CSV import finds members by name or user name and reads all common time formats", async () => {
    const csv = [
      "\uFEFFName;Time;Count;Note",
      '" ANNA ";24.12.2019 18:30;2;"mit ; und ""Anführung"""',
      "ben;2019-12-24T18:30:00+01:00;;",
      "",
      "Ben;2019-12-24 18:31:05;1;",
      "",
    ].join("\r\n");
    expect((await importCsv(csv)).text).toBe("4 imported, 0 skipped");
    expect(await listBeers()).toEqual([
      "anna 2019-12-24T17:30:00.000Z",
      "anna 2019-12-24T17:30:00.000Z",
      "ben 2019-12-24T17:30:00.000Z",
      "ben 2019-12-24T17:31:05.000Z",
    ]);
  });

  test("the CSV import reads columns separated by tabs", async () => {
    expect((await importCsv(twoBeers.replaceAll(",", "\t"))).json.imported).toBe(2);
  });

  test("importing a CSV file again books only new lines, even if its names are mapped differently or a beer was undone", async () => {
    await importCsv(twoBeers);
    await anna.delete("/api/beercounter/beers/1");
    expect((await importCsv(twoBeers)).text).toBe("0 imported, 2 skipped");
    expect((await importCsv(twoBeers, { map: ["ben=anna"] })).text).toBe("0 imported, 2 skipped");
    const longer = `${twoBeers}anna,2019-12-25T18:30:00Z\n`;
    expect((await importCsv(longer)).text).toBe("1 imported, 2 skipped");
  });

  test("two concurrent imports of the same file book each beer once", async () => {
    writeFileSync(path, twoBeers);
    const results = await Promise.all([run(), run()]);
    expect(results.reduce((sum, { json }) => sum + json.imported, 0)).toBe(2);
    expect(await listBeers()).toHaveLength(2);
  });

  test("a CSV file with invalid lines is refused, and a dry run lists every invalid line", async () => {
    app.clock.time = Date.parse("2026-11-20T19:30:00Z");
    const csv = [
      "name,time,count",
      "Anna,2019-12-24T18:30:00Z,1",
      "Anna,gestern,1",
      "Anna,31.02.2020 18:30,1",
      "Anna,2026-11-20T19:30:01Z,1",
      ",2019-12-24T18:30:00Z,1",
      "Anna,2019-12-24T18:30:00Z,0",
      "Carla,2019-12-24T18:30:00Z,1",
    ].join("\n");
    await expect(importCsv(csv)).rejects.toThrow(
      `${path}, line 3 has no time like 2026-12-24T18:30:00+01:00 or 24.12.2026 18:30 (and 4 more); ` +
        "no member is called “Carla” (line 8). Nothing was imported. --dry-run lists everything.",
    );
    expect(await listBeers()).toEqual([]);
    const { json, isFailure } = await run({ "dry-run": true });
    expect(isFailure).toBe(true);
    expect(json.problems.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
      "3 time",
      "4 time",
      "5 future",
      "6 name",
      "7 count",
    ]);
    expect(json.names).toEqual([
      { name: "Carla", beers: 1, lines: [8], member: null, is_unknown: true },
      { name: "Anna", beers: 1, lines: [2], member: "anna", is_unknown: false },
    ]);
    expect(await listBeers()).toEqual([]);
  });

  test("--map assigns the beers of an unknown name to a member or leaves them out", async () => {
    const csv = "name,time\nBenni,2019-12-24T18:30:00Z\nGast,2019-12-24T18:31:00Z\n";
    const { json, text } = await importCsv(csv, { map: ["Benni=ben", "gast=-"] });
    expect(text).toBe("1 imported, 1 skipped");
    expect(json.skipped).toBe(1);
    expect(await listBeers()).toEqual(["ben 2019-12-24T18:30:00.000Z"]);
    await expect(importCsv(csv, { map: ["Benni=nobody"] })).rejects.toThrow("There is no member “nobody”.");
    await expect(importCsv(csv, { map: ["Benni"] })).rejects.toThrow('--map is written like --map "Benni=ben".');
  });

  test("the import treats a display name as unknown if two members share it", async () => {
    await app.db.updateTable("users").set({ name: "Chris" }).execute();
    const { json } = await importCsv("name,time\nChris,2019-12-24T18:30:00Z\n", { "dry-run": true });
    expect(json.names[0]).toMatchObject({ is_unknown: true });
  });

  test("the import books only the first of several equal lines and lists the others", async () => {
    const { json, text } = await importCsv(`${twoBeers}ANNA,24.12.2019 19:30\n`, { "dry-run": true });
    expect([json.imported, json.repeated]).toEqual([2, [{ line: 4, first: 2 }]]);
    expect(text).toContain("line 4 is like line 2");
  });

  test.each<[string, string | Buffer, string]>([
    ["without the columns", "wer,wann\nAnna,2019-12-24T18:30:00Z\n", "line 1 has no header"],
    ["that is empty", "", "line 1 has no header"],
    ["in another encoding", Buffer.from("name,time\nJürgen,2019-12-24T18:30:00Z\n", "latin1"), "is not UTF-8"],
    ["with an open quote", 'name,time\n"Anna,2019-12-24T18:30:00Z\n', "has a quote that does not fit"],
    ["with a quote that nothing ends", `name,time\n"${"x".repeat(20_000)}`, "has a quote that does not fit"],
  ])("refuses to import a file %s", async (_, text, reason) => {
    await expect(importCsv(text)).rejects.toThrow(reason);
    expect(await listBeers()).toEqual([]);
  });

  test("an import of 20,000 lines updates the totals and the beers per day", async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `${index % 2 ? "anna" : "ben"},${new Date(1.5e12 + index * 1e6).toISOString()}`,
    );
    expect((await importCsv(["name,time", ...lines].join("\n"))).json.imported).toBe(20_000);
    const { json } = await anna.get("/api/beercounter/counters");
    expect(json).toEqual({ KSKCounterVal: 20_000, userCounterVal: 10_000 });
    const days = await app.db.selectFrom("beer_member_days").select("total").execute();
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(20_000);
  });

  test("the import command refuses a missing file and an unsupported format", async () => {
    await expect(run({}, join(folder, "nowhere"))).rejects.toThrow("nowhere cannot be read.");
    await expect(importCsv(twoBeers, { format: "xlsx" })).rejects.toThrow("import needs --format csv");
  });
});

describe("strichliste import", () => {
  const database = join(folder, "strichliste.sqlite");
  const create = (name: string, sql: string): string => {
    const file = join(folder, name);
    using db = new DatabaseSync(file);
    db.exec(sql);
    return file;
  };
  const importDatabase = (file: string, options: object = {}) => run({ format: "strichliste", ...options }, file);

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

  test("the strichliste 2 import books purchases that were not undone, each with its quantity", async () => {
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

  test("the import of a strichliste 2 database without articles books every negative amount", async () => {
    const file = create(
      "amounts.sqlite",
      `${tables2} insert into transactions values (1, 2, null, null, null, null, null, -150, 0, '2019-12-24 18:30:00');`,
    );
    expect((await importDatabase(file, { "local-times": true })).json.imported).toBe(1);
    expect(await listBeers()).toEqual(["ben 2019-12-24T17:30:00.000Z"]);
  });

  test("the strichliste 1 import books one beer per negative amount", async () => {
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

  test("the strichliste import refuses a file that is not a strichliste database", async () => {
    writeFileSync(database, twoBeers);
    await expect(importDatabase(database)).rejects.toThrow("is not an SQLite database");
    const other = create("other.sqlite", "create table notes (id integer); create view transactions as select 1;");
    await expect(importDatabase(other)).rejects.toThrow("is not a database of strichliste");
  });
});

describe("import in the admin area", () => {
  const send = (where: string, csv: string, choices: object = {}, client = anna): Promise<ClientResponse> => {
    const texts = { choices: JSON.stringify({ format: "csv", ...choices }) };
    const form = multipartForm(Buffer.from(csv), { field: "file", name: "beers.csv", type: "text/csv", texts });
    return sendForm(client, form, {}, `/api/admin/imports${where}`);
  };
  const withStranger = `${twoBeers}Benni,2019-12-24T18:32:00Z\nGast,2019-12-24T18:33:00Z\n`;

  test("an import in the admin area books beers only once every name is assigned or left out, and is audited", async () => {
    const { json: check } = await send("/check", withStranger);
    expect(check.names.filter((one: { is_unknown: boolean }) => one.is_unknown)).toHaveLength(2);
    const refused = await send("", withStranger);
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { file: ["Die Datei lässt sich so nicht importieren. Nichts wurde gebucht."] },
    ]);
    expect(await listBeers()).toEqual([]);
    const names = [
      { name: "Benni", member: 2 },
      { name: "Gast", member: null },
    ];
    expect((await send("", withStranger, { names })).json).toMatchObject({ imported: 3, left_out: 1 });
    expect((await send("", withStranger, { names })).json).toMatchObject({ imported: 0, known: 3 });
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries[0]).toMatchObject({ action: "beers-imported", text: "3 Biere eingespielt." });
  });

  test("an import updates the total on open pages without naming a member or creating milestones", async () => {
    const lines = Array.from({ length: 100 }, (_, second) => `ben,${new Date(1e12 + second * 1000).toISOString()}`);
    const socket = await connectPage(app, anna);
    await send("", ["name,time", ...lines].join("\n"));
    const event = (await socket.next("updated")).data;
    expect(event).toMatchObject({ counterVal: 100, userId: null, userName: null });
    expect(await app.db.selectFrom("milestones").selectAll().execute()).toEqual([]);
  });

  test("the import in the admin area refuses guests and malformed forms", async () => {
    const ben = app.createClient();
    expect((await send("/check", twoBeers, {}, ben)).status).toBe(419);
    expect((await send("/check", twoBeers, { format: "xlsx" })).status).toBe(422);
    expect((await send("/check", twoBeers, { names: "x" })).status).toBe(422);
  });
});
