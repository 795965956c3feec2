import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { minutes, seconds } from "#server/time.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { checkFile, type ImportContext, storeFile } from "./actions.ts";
import { jobs } from "./jobs.ts";
import { createChunk, createImport } from "./store.ts";

let app: TestApp;
let anna: Client;
const path = join(createTemporaryFolder(), "beers.csv");
const file = { format: "csv", path, has_local_times: false } as const;
const choices = { names: new Map(), articles: null };

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  const times = Array.from({ length: 1200 }, (_, index) => 1.5e12 + index * 60_000);
  writeFileSync(path, ["name,time", ...times.map((at) => `anna,${new Date(at).toISOString()}`)].join("\n"));
});

const importFile = async (context: ImportContext, signal?: AbortSignal) => {
  const { book } = await storeFile(context, file, choices, { by: null, ...(signal && { signal }) });
  return book();
};

/** Imports the file until the server stops, after the first of three transactions. */
async function interrupt(): Promise<void> {
  let left = 1;
  const stopping = {
    get aborted() {
      left -= 1;
      return left < 0;
    },
  } as AbortSignal;
  await expect(importFile({ ...app.context, stopping })).rejects.toMatchObject({
    code: "importContinues",
  });
}

const runJobs = async ({ context } = app) => {
  for (const { run } of jobs) await run(context);
};
const countBeers = async () => (await anna.get("/api/beercounter/counters")).json.KSKCounterVal as number;
const listImported = async () =>
  (await app.db.selectFrom("audit").select("details").where("action", "=", "beers-imported").execute()).map(
    ({ details }) => JSON.parse(details).imported as number,
  );
const countRows = async () => {
  const imports = await app.db.selectFrom("imports").select("id").execute();
  const chunks = await app.db.selectFrom("import_chunks").select("id").execute();
  return imports.length + chunks.length;
};

test("an import books in short transactions, between which members can tap", { tags: "postgres" }, async () => {
  await interrupt();
  expect(await countBeers()).toBe(500);
  const { json } = await anna.post("/api/beercounter/counters");
  expect(json).toEqual({ KSKCounterVal: 501, userCounterVal: 501 });
});

test("an interrupted import is completed later, and its audit entry counts all of its beers", async () => {
  await interrupt();
  await runJobs();
  expect(await countBeers()).toBe(500);
  expect(await listImported()).toEqual([]);
  app.clock.time += seconds(31);
  await runJobs();
  expect(await countBeers()).toBe(1200);
  expect(await listImported()).toEqual([1200]);
  expect(await countRows()).toBe(0);
});

test("two instances that complete the same interrupted import book each beer once", { tags: "postgres" }, async () => {
  await interrupt();
  app.clock.time += seconds(31);
  await Promise.all([runJobs(), runJobs(await app.reopen())]);
  expect(await countBeers()).toBe(1200);
  expect(await app.db.selectFrom("beers").select("key").distinct().execute()).toHaveLength(1200);
  expect(await listImported()).toEqual([1200]);
});

test(
  "an interrupted import that is repeated before its completion books each beer once",
  { tags: "postgres" },
  async () => {
    await interrupt();
    expect(await importFile(app.context)).toMatchObject({ imported: 700, known: 500 });
    app.clock.time += seconds(31);
    await runJobs();
    expect(await countBeers()).toBe(1200);
    expect(await countRows()).toBe(0);
  },
);

test("an import that ended before all of its beers were stored is dropped", async () => {
  const id = await createImport(app.db, null, app.clock.now());
  await createChunk(app.db, id, [{ userId: 1, at: 1.5e12, key: "import-1" }]);
  app.clock.time += minutes(3);
  await runJobs();
  expect(await countRows()).toBe(2);
  app.clock.time += 1;
  await runJobs();
  expect(await countRows()).toBe(0);
  expect(await countBeers()).toBe(0);
});

test("an interrupted import books no beers of an account that was deleted before its completion", async () => {
  await interrupt();
  await app.db.updateTable("users").set({ password_hash: "" }).execute();
  app.clock.time += seconds(31);
  await runJobs();
  expect(await app.db.selectFrom("beers").select("id").execute()).toHaveLength(500);
});

test.each([
  [
    "a dry run",
    (signal: AbortSignal) => checkFile(app.context, file, choices, signal),
    "SelectQueryNode",
    "undone_beers",
  ],
  ["an import", (signal: AbortSignal) => importFile(app.context, signal), "InsertQueryNode", "import_chunks"],
] as const)("%s whose administrator closes the connection ends and leaves nothing", async (_, work, kind, table) => {
  const administrator = new AbortController();
  const held = app.holdQuery(kind, table);
  const working = work(administrator.signal);
  await held.reached;
  administrator.abort(new Error("gone"));
  held.release();
  await expect(working).rejects.toThrow("gone");
  expect(await countRows()).toBe(0);
  expect(await countBeers()).toBe(0);
});

test("an import goes on if its administrator closes the connection after the booking has begun", async () => {
  const administrator = new AbortController();
  const held = app.holdQuery("InsertQueryNode", "beers");
  const working = importFile(app.context, administrator.signal);
  await held.reached;
  administrator.abort(new Error("gone"));
  held.release();
  expect(await working).toMatchObject({ imported: 1200 });
});
