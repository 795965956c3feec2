import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { runCommandOn } from "#test/command-line.ts";
import { createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

const app = await createTestApp();
await app.createMember("anna");
await app.createMember("ben");
const folder = createTemporaryFolder();
const file = join(folder, "beers.jsonl");
const at = "2026-11-20T19:30:00Z";

const importFile = async (path = file) =>
  (await runCommandOn(app, commands, "beers import", [path])) as { json: unknown };
const countBeers = async () => (await app.db.selectFrom("beers").select("id").execute()).length;

function writeLines(count: number, ...more: string[]): void {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ uname: index % 3 === 0 ? "anna" : "ben", at, key: `from-the-list-${index}` }),
  );
  writeFileSync(file, [...lines, ...more].join("\n"));
}

test.each([
  ["a line without a time", '{"uname":"anna"}', "line 2502 is not like"],
  ["an unknown member", JSON.stringify({ uname: "nobody", at }), "There is no member “nobody”."],
  ["a line that is cut off", '{"uname":"anna","at":"2026-11-2', "line 2502 is not like"],
])("the command “beers import” refuses a whole file because of %s", async (_, line, reason) => {
  writeLines(2500, "", line);
  await expect(importFile()).rejects.toThrow(new RegExp(`${reason}.*Nothing was imported\\.`));
  expect(await countBeers()).toBe(0);
});

test("the command “beers import” reads a 5 GB file line by line and stops at the first invalid line", async () => {
  writeLines(1, '{"uname":"anna"}\n');
  truncateSync(file, 5 * 1024 ** 3);
  await expect(importFile()).rejects.toThrow("line 2 is not like");
});

test("the command “beers import” skips lines that an earlier run has imported", async () => {
  writeLines(2500, "", ` ${JSON.stringify({ uname: "anna", at, key: "from-the-list-0" })}\r`, "");
  expect((await importFile()).json).toEqual({ imported: 2500, skipped: 1 });
  expect((await importFile()).json).toEqual({ imported: 0, skipped: 2501 });
  expect(await countBeers()).toBe(2500);
});

test("the command “beers import” reads a named pipe like a file", async () => {
  const pipe = join(folder, "pipe");
  spawnSync("mkfifo", [pipe]);
  spawnSync("sh", ["-c", 'cat "$0" > "$1" &', file, pipe], { stdio: "ignore" });
  expect((await importFile(pipe)).json).toEqual({ imported: 0, skipped: 2501 });
});

test("the command “beers import” stops at a line that is changed while the command runs", async () => {
  const [right, wrong] = [JSON.stringify({ uname: "anna", at }), JSON.stringify({ uname: "nobody" })];
  writeLines(5000, wrong.padEnd(right.length));
  const end = statSync(file).size - right.length;
  const clock = {
    ...app.clock,
    now() {
      // Overwrites the bytes of the last line, of which the import of the first batch has read none yet.
      writeLastLine(wrong);
      return app.clock.now();
    },
  };
  writeLastLine(right);
  const imported = runCommandOn({ ...app, clock }, commands, "beers import", [file]);
  await expect(imported).rejects.toThrow("line 5001 was changed during the import. Lines before it may be imported.");
  expect(await countBeers()).toBe(4000);

  function writeLastLine(text: string): void {
    const opened = openSync(file, "r+");
    writeSync(opened, text.padEnd(right.length), end);
    closeSync(opened);
  }
});

test("the command “beers import” names an unreadable file in its error", async () => {
  const directory = join(folder, "directory");
  mkdirSync(directory);
  for (const path of [directory, join(folder, "nowhere")])
    await expect(importFile(path)).rejects.toThrow(`${path} cannot be read.`);
});
