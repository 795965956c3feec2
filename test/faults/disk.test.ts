import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { CheckResult } from "#server/platform/doctor/check.ts";
import { uploadsFolder } from "#server/platform/http/upload.ts";
import { writeFileDurably } from "#server/platform/security/secrets.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { counters, tap } from "#test/process/load.ts";
import {
  listBookedKeys,
  password,
  runCommand,
  startServerProcess,
  type ServerProcess,
} from "#test/process/server-process.ts";
import { upload } from "#test/upload.ts";
import { report } from "./report.ts";

/** Only root may mount file systems. */
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = createTemporaryFolder();
});

afterEach(() => {
  const mounted = execFileSync("mount").toString().includes(` ${folder} `);
  if (mounted) execFileSync("umount", ["-l", folder]);
});

const mount = (...args: string[]) => execFileSync("mount", [...args, folder]);

/** Requests a health check's path every 100 ms, and records each change of its status. */
function watch(server: ServerProcess, path: string) {
  const seen: { status: number; at: number }[] = [];
  const state = { isOver: false };
  const done = (async () => {
    while (!state.isOver) {
      const { status } = await server.createClient().get(path);
      if (seen.at(-1)?.status !== status) seen.push({ status, at: performance.now() });
      await sleep(100);
    }
  })();
  return { seen, last: () => seen.at(-1)?.status, stop: async () => ((state.isOver = true), done) };
}

/**
 * Books beers until `isOver` returns true. Retries each beer with its key until the answer is 200,
 * and records all other answers in `others`.
 */
async function drink(member: Client, others: ClientResponse[], isOver: () => boolean): Promise<string[]> {
  const keys: string[] = [];
  while (!isOver()) {
    const key = randomUUID();
    for (;;) {
      const answer = await tap(member, key);
      await sleep(200);
      if (answer.status === 200) break;
      others.push(answer);
    }
    keys.push(key);
  }
  return keys;
}

function fillUp(file: string): void {
  const descriptor = openSync(file, "w");
  for (const size of [1_048_576, 4096, 1]) {
    const block = Buffer.alloc(size);
    for (;;) {
      try {
        writeSync(descriptor, block);
      } catch {
        break;
      }
    }
  }
  closeSync(descriptor);
}

test.runIf(isRoot)(
  "reads on a full disk succeed, writes get 503 until space is free, and no acknowledged beer is lost",
  async () => {
    mount("-t", "tmpfs", "-o", "size=64m", "tmpfs");
    await using server = await startServerProcess({ env: { DATA_DIR: folder } });
    const members = await server.createMembers("anna", "bert", "carla", "dora");
    const [anna] = members as [Client];
    const others: ClientResponse[] = [];
    let isOver = false;
    const drinking = members.map(async (member) => drink(member, others, () => isOver));
    const [ready, healthy] = [watch(server, "/readyz"), watch(server, "/healthz")];
    await sleep(2000);

    fillUp(join(folder, "filler"));
    await expect.poll(() => others.length, { timeout: 30_000 }).toBeGreaterThan(0);
    const failedAt = performance.now();
    await expect.poll(ready.last, { timeout: 10_000 }).toBe(503);
    const unreadyMs = ready.seen.at(-1)!.at - failedAt;
    const reads = await anna.get(counters);
    const sent = await upload(anna, fixtures.png);
    const login = await server.createClient().post("/api/login", { uname: "anna", password });
    await sleep(3000);
    const statusesOf = ({ seen }: { seen: readonly { status: number }[] }) => seen.map(({ status }) => status);
    expect([statusesOf(healthy), statusesOf(ready)]).toEqual([[200], [200, 503]]);

    const before = others.length;
    rmSync(join(folder, "filler"));
    const freedAt = performance.now();
    await expect.poll(ready.last, { timeout: 10_000 }).toBe(200);
    const readyMs = ready.seen.at(-1)!.at - freedAt;
    await expect.poll(async () => (await tap(anna, "room-again")).status, { timeout: 10_000 }).toBe(200);
    const recoveredMs = performance.now() - freedAt;
    isOver = true;
    const keys = (await Promise.all(drinking)).flat();
    await Promise.all([ready.stop(), healthy.stop()]);

    const booked = await listBookedKeys(server);
    const uploads = readdirSync(uploadsFolder({ dataDir: folder }));
    await server.kill();
    const file = new DatabaseSync(join(folder, "stammtisch.db"));
    const { integrity_check: integrity } = file.prepare("pragma integrity_check").get() as { integrity_check: string };
    file.close();
    const statuses = [...new Set(others.map(({ status }) => status))];
    report(
      "T030",
      {
        "beers acknowledged": keys.length,
        "refused meanwhile": before,
        "readyz 503 after, ms": Math.round(unreadyMs),
        "readyz 200 after room, ms": Math.round(readyMs),
        "writes again after, ms": Math.round(recoveredMs),
      },
      "readyz flips within 2000 ms, writes again within 5000 ms, lost 0",
    );
    expect(statuses).toEqual([503]);
    expect(others[0]!.headers["retry-after"]).toMatch(/^\d+$/);
    expect(others[0]!.json.message).toMatch(/^Der Dienst ist gerade nicht verfügbar/);
    expect(reads.status).toBe(200);
    expectErrors(sent, { avatar: [expect.any(String)] }, 503);
    expect([200, 503]).toContain(login.status);
    expect(booked.toSorted()).toEqual([...keys, "room-again"].toSorted());
    expect([integrity, uploads]).toEqual(["ok", []]);
    expect([unreadyMs <= 2000, readyMs <= 2000, recoveredMs <= 5000]).toEqual([true, true, true]);
  },
);

test.runIf(isRoot)("a server whose disk is read-only refuses to start, with a message of one line", async () => {
  mount("-t", "tmpfs", "-o", "size=16m", "tmpfs");
  const env = { DATA_DIR: folder, PORT: "3999" };
  await runCommand(["migrate"], env);
  mount("-o", "remount,ro");
  const began = performance.now();
  const { code, errors } = await runCommand(["serve"], env);
  const ms = Math.round(performance.now() - began);
  report("T041", ms, "exit 1 within 5000 ms");
  expect([code, errors]).toEqual([1, expect.stringMatching(/^DATA_DIR: [^\n]+ is not a writable folder[^\n]+\n$/)]);
  expect(ms).toBeLessThan(5000);
});

test.runIf(isRoot)("a backup or restore without disk space names the path and leaves no partial backup", async () => {
  const data = createTemporaryFolder();
  await runCommand(["demo", "--beers", "1"], { DATA_DIR: data });
  const [whole, cut] = [join(data, "whole.backup"), join(folder, "cut.backup")];
  await runCommand(["backup", whole], { DATA_DIR: data });
  mount("-t", "tmpfs", "-o", "size=1m", "tmpfs");
  const backup = await runCommand(["backup", cut], { DATA_DIR: data });
  expect([backup.code, backup.errors]).toEqual([1, `${cut} cannot be written by user 0 (ENOSPC).\n`]);
  expect(readdirSync(folder)).toEqual([]);
  const { code, errors } = await runCommand(["restore", whole], { DATA_DIR: folder });
  expect([code, errors]).toEqual([1, "DATA_DIR: the database cannot be used (database or disk is full).\n"]);
});

test.runIf(isRoot)(
  "the command “doctor” says that the disk is full, with a database and before the first start",
  async () => {
    mount("-t", "tmpfs", "-o", "size=2m", "tmpfs");
    const env = { DATA_DIR: folder, PORT: "3999" };
    const fill = join(folder, "fill");
    const findDatabaseCheck = async () => {
      const { checks } = (await runCommand(["doctor", "--json"], env)).json as { checks: CheckResult[] };
      return checks.find(({ name }) => name === "database");
    };
    for (const effect of ["created", "used"]) {
      if (effect === "used") await runCommand(["migrate"], env);
      fillUp(fill);
      expect(await findDatabaseCheck()).toMatchObject({
        ok: false,
        detail: `The disk of ${folder} is full, so the database cannot be ${effect}. Free some space.`,
      });
      rmSync(fill);
    }
  },
);

test.runIf(isRoot)("a file that does not fit on the disk is not written, and its previous version is kept", () => {
  mount("-t", "tmpfs", "-o", "size=16k", "tmpfs");
  const file = join(folder, "secrets.json");
  writeFileDurably(file, "before");
  expect(() => writeFileDurably(file, "x".repeat(20_000))).toThrow("ENOSPC");
  expect(readFileSync(file, "utf8")).toBe("before");
});

test.runIf(isRoot)("reads on a file system that becomes read-only succeed, and writes get 503", async () => {
  const image = `${folder}.img`;
  writeFileSync(image, "");
  truncateSync(image, 64 * 1_048_576);
  execFileSync("mkfs.ext4", ["-q", image]);
  mount("-o", "loop,errors=remount-ro", image);
  const device = basename(execFileSync("findmnt", ["-no", "SOURCE", folder]).toString().trim());
  await using server = await startServerProcess({ env: { DATA_DIR: folder } });
  const [anna] = await server.createMembers("anna");
  await tap(anna!, "before-the-fault");
  // Makes the kernel handle an ext4 error, as it does for a broken disk.
  writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "1");
  await expect.poll(async () => (await server.createClient().get("/readyz")).status, { timeout: 5000 }).toBe(503);
  const tapped = await tap(anna!, "after-the-fault");
  const reads = await anna!.get(counters);
  const health = await server.createClient().get("/healthz");
  const number = { tap: tapped.status, reads: reads.status, healthz: health.status };
  report("T041", number, "writes 503, reads 200, healthz 200");
  expect(number).toEqual({ tap: 503, reads: 200, healthz: 200 });
  await server.kill();
  execFileSync("umount", [folder]);
  rmSync(image);
});
