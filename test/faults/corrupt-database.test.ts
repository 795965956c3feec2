import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeAll, expect, test } from "vitest";

import { tap } from "#test/process/load.ts";
import { runCommand, startServerProcess } from "#test/process/server-process.ts";
import { report } from "./report.ts";

const pageSize = 4096;
const logHeader = 32;
const frame = 24 + pageSize;
const soonMs = 5000;
const ends = ["", "-wal"];
const beers = 30;

const server = await startServerProcess();
const file = join(server.dataDir, "stammtisch.db");

/**
 * Creates the data of a killed server whose thirty acknowledged beers are only in the write-ahead
 * log.
 */
beforeAll(async () => {
  const [anna] = await server.createMembers("anna");
  await server.kill();
  // Moves all earlier data from the log into the database file, so that the tests can damage the
  // file's pages.
  const database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  await server.start();
  for (let beer = 0; beer < beers; beer += 1) expect((await tap(anna!, `beer-number-${beer}`)).status).toBe(200);
  await server.kill();
  for (const end of ends) copyFileSync(`${file}${end}`, `${file}${end}.kept`);
});

afterAll(async () => server[Symbol.asyncDispose]());

function putBack(): void {
  for (const end of [...ends, "-shm"]) rmSync(`${file}${end}`, { force: true });
  for (const end of ends) copyFileSync(`${file}${end}.kept`, `${file}${end}`);
}

function overwrite(end: string, at: number, length: number): void {
  const bytes = readFileSync(`${file}${end}`);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(`${file}${end}`, bytes);
}

const hashes = () =>
  ends.map((end) =>
    createHash("sha256")
      .update(readFileSync(`${file}${end}`))
      .digest("hex"),
  );
const pages = () => readFileSync(file).length / pageSize;

/** Returns the expected exit code of a command; 78 keeps systemd from restarting the server. */
const refusalOf = ([command]: string[]) => (command === "serve" ? 78 : 1);

const damages: [what: string, damage: () => void][] = [
  ["first page", () => overwrite("", 0, pageSize)],
  ["page in the middle", () => overwrite("", Math.floor(pages() / 2) * pageSize, pageSize)],
  ["cut file", () => truncateSync(file, Math.floor(pages() / 2) * pageSize)],
  ["empty log header", () => overwrite("-wal", 0, logHeader)],
  ["garbled log", () => overwrite("-wal", logHeader + 5 * frame, 3000)],
];

test("every command refuses a damaged database within 5 s, suggests a restore, and writes nothing", async () => {
  const times: number[] = [];
  for (const [what, damage] of damages) {
    putBack();
    damage();
    const before = hashes();
    for (const words of [["serve"], ["user", "list"], ["backup", "/dev/null/x"], ["migrate"], ["doctor"]]) {
      const began = performance.now();
      const { code, out, errors } = await runCommand(words, server.env);
      times.push(performance.now() - began);
      expect([what, words[0], code]).toEqual([what, words[0], refusalOf(words)]);
      expect(words[0] === "doctor" ? out : errors).toMatch(/is damaged \([^\n]+stammtisch restore FILE/);
      expect(hashes(), `${what}, ${words[0]}`).toEqual(before);
    }
  }
  const slowest = Math.round(Math.max(...times));
  report(
    "T054",
    { damages: damages.length, "slowest refusal, ms": slowest },
    `exit 78 (serve) or 1 within ${soonMs} ms, file unchanged`,
  );
  expect(slowest).toBeLessThan(soonMs);
});

const survivable: [what: string, lost: number, damage: () => void][] = [
  ["kill without damage", 0, () => {}],
  ["no -shm", 0, () => rmSync(`${file}-shm`, { force: true })],
  ["log torn in its last commit", 1, () => truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length - 100)],
];

test.for(survivable)(
  "a server with a damaged write-ahead log loses only the damaged commits (%s: %i)",
  async ([, lost, damage]) => {
    putBack();
    damage();
    await server.start();
    const { json } = await server.run("beers", "export", "--json");
    expect(json).toHaveLength(beers - lost);
    await server.kill();
  },
);

test("an older version of the app refuses the data of a newer version without changing the database files", async () => {
  putBack();
  await server.start();
  await server.kill();
  const database = new DatabaseSync(file);
  database.exec("insert into migrations (name, at) values ('9999-future', 1)");
  // Copies the files while the database is open, as a kill would leave them: closing the database
  // would remove the log.
  for (const end of ends) copyFileSync(`${file}${end}`, `${file}${end}.kept`);
  database.close();
  putBack();
  expect(existsSync(`${file}-wal`)).toBe(true);
  const before = hashes();
  for (const words of [["serve"], ["user", "list"], ["backup", join(server.dataDir, "x")], ["migrate"]]) {
    const { code, errors } = await runCommand(words, server.env);
    expect([code, errors]).toEqual([
      refusalOf(words),
      expect.stringMatching(/^The data was written by a newer version[^\n]+\n$/),
    ]);
    expect(hashes(), words[0]).toEqual(before);
  }
});
