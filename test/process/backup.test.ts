import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runInProcess } from "#test/command-line.ts";
import { fixtures } from "#test/fixtures.ts";
import { upload } from "#test/upload.ts";
import { counters, tapUntil, tap } from "./load.ts";
import { createServerProcess, listBookedKeys, password } from "./server-process.ts";

test("a backup made while beers are tapped moves to another machine: nothing acknowledged before it is missing", async () => {
  await using server = await createServerProcess();
  await using other = await createServerProcess();
  const folder = mkdtempSync(join(tmpdir(), "backup-"));
  const file = join(folder, "stammtisch.backup");
  await server.start();
  const [anna, bert] = await server.createMembers("anna", "bert");
  const { id } = (await upload(anna!, fixtures.png)).json;
  await tap(anna!, "before-the-backup");
  let isOver = false;
  const keys = Promise.all([anna!, bert!].map(async (member) => tapUntil(member, () => isOver)));

  const before = (await anna!.get(counters)).json.KSKCounterVal;
  const made = await server.run("backup", file, "--json");
  const after = (await anna!.get(counters)).json.KSKCounterVal;
  isOver = true;
  expect(made.json).toEqual({ bytes: expect.any(Number), beers: expect.any(Number), users: 2 });
  expect(made.json.beers).toBeGreaterThanOrEqual(before);
  // Those two may have one more on the way.
  expect(made.json.beers).toBeLessThanOrEqual(after + 2);

  expect(await other.call("restore", file)).toEqual(made.json);
  await other.start();
  const stranger = other.createClient();
  for (const [name, value] of anna!.cookies) stranger.cookies.set(name, value);
  expect((await stranger.get(counters)).status, "an old login").toBe(401);
  stranger.cookies.clear();
  expect((await stranger.post("/api/login", { uname: "anna", password })).status).toBe(200);
  expect((await stranger.get(counters)).json.KSKCounterVal).toBe(made.json.beers);
  expect((await stranger.get(`/internal/images/avatar/${id}`)).status).toBe(200);
  expect((await tap(stranger, "before-the-backup")).headers["idempotent-replayed"]).toBe("true");

  const exported = await listBookedKeys(other);
  const tapped = new Set([...(await keys).flat(), "before-the-backup"]);
  expect(new Set(exported).size).toBe(made.json.beers);
  expect(exported.filter((key) => !tapped.has(key))).toEqual([]);

  const again = await runInProcess(["restore", file], other.env);
  expect(again).toEqual({ code: 1, printed: expect.stringMatching(/^[^\n]+already running[^\n]+\n$/) });
  rmSync(folder, { recursive: true });
});
