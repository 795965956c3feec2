import { writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";

import { beforeEach, describe, expect, test, vi } from "vitest";

import type { ImportReport } from "#contract/import.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { boundary, multipartForm, sendForm } from "#test/upload.ts";
import { listWorkers } from "#test/workers.ts";
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

  test(
    "importing a CSV file again books only new lines, even if names are assigned differently or a beer was undone",
    { tags: "postgres" },
    async () => {
      await importCsv(twoBeers);
      await anna.delete("/api/beercounter/beers/1");
      expect((await importCsv(twoBeers)).text).toBe("0 imported, 2 skipped");
      expect((await importCsv(twoBeers, { map: ["ben=anna"] })).text).toBe("0 imported, 2 skipped");
      const longer = `${twoBeers}anna,2019-12-25T18:30:00Z\n`;
      expect((await importCsv(longer)).text).toBe("1 imported, 2 skipped");
    },
  );

  test("two concurrent imports of the same file book each beer once", { tags: "postgres" }, async () => {
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
    const { json, text, isFailure } = await run({ "dry-run": true });
    expect(isFailure).toBe(true);
    expect([json.imported, text.split("\n")[0]]).toEqual([
      0,
      `Nothing would be imported: ${path}, line 3 has no time like 2026-12-24T18:30:00+01:00 or 24.12.2026 18:30 (and 4 more); ` +
        "no member is called “Carla” (line 8)",
    ]);
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

  test("the option --map of the CSV import assigns the beers of an unknown name to a member or leaves them out", async () => {
    const csv = "name,time\nBenni,2019-12-24T18:30:00Z\nGast,2019-12-24T18:31:00Z\n";
    const { json, text } = await importCsv(csv, { map: ["Benni=ben", "gast=-"] });
    expect(text).toBe("1 imported, 1 skipped");
    expect(json.skipped).toBe(1);
    expect(await listBeers()).toEqual(["ben 2019-12-24T18:30:00.000Z"]);
    await expect(importCsv(csv, { map: ["Benni=nobody"] })).rejects.toThrow("There is no member “nobody”.");
    await expect(importCsv(csv, { map: ["Benni"] })).rejects.toThrow('--map is written like --map "Benni=ben".');
  });

  test("a dry run with an unknown name says that nothing would be imported, and why", async () => {
    const { json, text, isFailure } = await importCsv(`${twoBeers}Carla,2019-12-24T18:32:00Z\n`, { "dry-run": true });
    expect([json.imported, isFailure]).toEqual([0, true]);
    expect(text).toContain("Nothing would be imported: no member is called “Carla” (line 4)\n");
  });

  test("the CSV import recognizes beers that version 1.0.0 has imported", async () => {
    const key = "import-X4_JoSfxWHuveJZEr55LdNu22dZ18d77NYKA0ju8yng";
    const beer = { user_id: 2, key, at: 0, booked_at: null, kind: null, group_total: 1, own_total: 1 };
    await app.db.insertInto("beers").values(beer).execute();
    expect((await importCsv(twoBeers)).text).toBe("1 imported, 1 skipped");
  });

  test("members can neither book nor undo a beer with the key of an import", async () => {
    const key = "import-X4_JoSfxWHuveJZEr55LdNu22dZ18d77NYKA0ju8yng";
    const tap = await anna.post("/api/beercounter/counters", undefined, { "idempotency-key": key });
    const undo = await anna.delete(`/api/beercounter/taps/${key}`);
    expect([tap.status, undo.status]).toEqual([422, 404]);
    expect((await importCsv(twoBeers)).text).toBe("2 imported, 0 skipped");
  });

  test("the CSV import refuses a file with more than 5,000 names, and names of more than 255 letters", async () => {
    const names = Array.from({ length: 5001 }, (_, index) => `x${index},2019-12-24T18:30:00Z`);
    await expect(importCsv(["name,time", ...names].join("\n"))).rejects.toThrow(
      "line 5002 has more than 5000 different",
    );
    await expect(importCsv(`name,time\n${"x".repeat(256)},2019-12-24T18:30:00Z\n`)).rejects.toThrow(
      "has no name, or one of",
    );
  });

  test("the CSV import treats a display name as unknown if two members share the name", async () => {
    await app.db.updateTable("users").set({ name: "Chris" }).execute();
    const { json } = await importCsv("name,time\nChris,2019-12-24T18:30:00Z\n", { "dry-run": true });
    expect(json.names[0]).toMatchObject({ is_unknown: true });
  });

  test("the CSV import books only the first of several equal lines and lists the other lines", async () => {
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
  ])("the CSV import refuses a file %s", async (_, text, reason) => {
    await expect(importCsv(text)).rejects.toThrow(reason);
    expect(await listBeers()).toEqual([]);
  });

  test("the CSV import says so if the process that reads the file runs out of time or memory", async () => {
    const readers = () => listWorkers(process.pid, "import-worker.ts");
    const killing = setInterval(() => readers().forEach((reader) => process.kill(reader, "SIGKILL")), 5);
    try {
      // Reading these lines takes longer than the first kill.
      const lines = Array.from({ length: 200_000 }, (_, index) => `anna,${new Date(index * 1000).toISOString()}`);
      await expect(importCsv(["name,time", ...lines].join("\n"))).rejects.toThrow(
        "takes too much time or memory to read. Nothing was imported.",
      );
    } finally {
      clearInterval(killing);
    }
  });

  test("an import of 5,000 lines updates the totals and the beers per day", { tags: "postgres" }, async () => {
    const lines = Array.from(
      { length: 5000 },
      (_, index) => `${index % 2 ? "anna" : "ben"},${new Date(1.5e12 + index * 1e6).toISOString()}`,
    );
    expect((await importCsv(["name,time", ...lines].join("\n"))).json.imported).toBe(5000);
    const { json } = await anna.get("/api/beercounter/counters");
    expect(json).toEqual({ KSKCounterVal: 5000, userCounterVal: 2500 });
    const days = await app.db.selectFrom("beer_member_days").select("total").execute();
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(5000);
  });

  test("the import command refuses a missing file and an unsupported format", async () => {
    await expect(run({}, join(folder, "nowhere"))).rejects.toThrow("nowhere cannot be read.");
    await expect(importCsv(twoBeers, { format: "xlsx" })).rejects.toThrow("import needs --format csv");
  });
});

describe("import in the admin area", () => {
  const send = (where: string, csv: string, choices: object = {}, client = anna): Promise<ClientResponse> => {
    const texts = { choices: JSON.stringify({ format: "csv", ...choices }) };
    const form = multipartForm(Buffer.from(csv), { field: "file", name: "beers.csv", type: "text/csv", texts });
    return sendForm(client, form, {}, `/api/admin/imports${where}`);
  };
  const withStranger = `${twoBeers}Benni,2019-12-24T18:32:00Z\nGast,2019-12-24T18:33:00Z\n`;

  test("an import in the admin area books beers only after every name is assigned or left out, and is audited", async () => {
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

  test("an import of more than 10,000 beers in the admin area is answered before they are booked", async () => {
    const lines = Array.from({ length: 101 }, (_, second) => `ben,${new Date(1e12 + second * 1000).toISOString()},100`);
    const csv = ["name,time,count", ...lines].join("\n");
    const pause = Promise.withResolvers<void>();
    vi.spyOn(app.clock, "sleep").mockReturnValue(pause.promise);
    expect((await send("", csv)).json).toMatchObject({ imported: 10_100, is_running: true });
    expect((await send("/check", csv)).json).toMatchObject({ code: "importRunning" });
    pause.resolve();
    const total = async () => (await anna.get("/api/beercounter/counters")).json.KSKCounterVal;
    await expect.poll(total).toBe(10_100);
    await expect.poll(async () => (await send("/check", csv)).json).toMatchObject({ imported: 0, known: 10_100 });
  });

  test("an import in the admin area is refused while another file is checked", async () => {
    const held = app.holdQuery("SelectQueryNode", "undone_beers");
    const first = send("/check", twoBeers);
    await held.reached;
    const second = await send("/check", twoBeers);
    expect([second.status, second.json.message]).toEqual([
      409,
      "Gerade wird schon eine Datei importiert. Versuche es gleich nochmal.",
    ]);
    held.release();
    expect((await first).status).toBe(200);
    expect((await send("/check", twoBeers)).status).toBe(200);
  });

  test("an import in the admin area ends when its administrator closes the page while the beers are stored", async () => {
    const { server } = app.context.http.fastify;
    const countConnections = () => promisify(server.getConnections.bind(server))();
    const held = app.holdQuery("InsertQueryNode", "import_chunks");
    const form = multipartForm(Buffer.from(twoBeers), { field: "file", texts: { choices: '{"format":"csv"}' } });
    const request = httpRequest(`${app.url}/api/admin/imports`, {
      method: "POST",
      agent: false,
      headers: {
        host: anna.host,
        cookie: anna.cookieHeader,
        "x-xsrf-token": anna.csrfToken,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
    });
    request.on("error", () => {}).end(form);
    await held.reached;
    const before = await countConnections();
    request.destroy();
    await expect.poll(countConnections).toBe(before - 1);
    held.release();
    await expect.poll(async () => app.db.selectFrom("imports").select("id").execute()).toEqual([]);
    expect(await listBeers()).toEqual([]);
  });

  test("the import in the admin area refuses visitors without a login and malformed forms", async () => {
    const ben = app.createClient();
    expect((await send("/check", twoBeers, {}, ben)).status).toBe(419);
    expect((await send("/check", twoBeers, { format: "xlsx" })).status).toBe(422);
    expect((await send("/check", twoBeers, { names: "x" })).status).toBe(422);
  });
});
