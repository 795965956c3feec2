import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { tapUntil } from "#test/process/load.ts";
import { createServerProcess, listBookedKeys, listLostKeys } from "#test/process/server-process.ts";
import { report } from "./report.ts";

const cuts = Number(process.env["CUTS"] ?? 50);
const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

test.runIf(hasCompiler)("a power cut that loses all unsynced data loses no acknowledged beer", async () => {
  const folder = createTemporaryFolder();
  const library = join(folder, "lossy-disk.so");
  execFileSync("gcc", ["-shared", "-fPIC", "-o", library, join(import.meta.dirname, "lossy-disk.c"), "-ldl"]);
  const synced = join(folder, "synced");
  mkdirSync(synced);
  await using server = await createServerProcess();
  Object.assign(server.env, { LD_PRELOAD: library, LOSSY_FROM: server.dataDir, LOSSY_TO: synced });

  await server.start();
  const members = await server.createMembers("anna", "ben", "carla");
  let isOver = false;
  const clients = members.flatMap((member) => [0, 1].map(async () => tapUntil(member, () => isOver)));
  let losses = 0;
  for (let cut = 0; cut < cuts; cut += 1) {
    await sleep(200 + Math.random() * 600);
    await server.kill();
    if (losesAnything(server.dataDir, synced)) losses += 1;
    for (const name of readdirSync(server.dataDir)) rmSync(join(server.dataDir, name), { recursive: true });
    cpSync(synced, server.dataDir, { recursive: true });
    await server.start();
  }
  isOver = true;
  const keys = (await Promise.all(clients)).flat();
  const lost = (await listLostKeys(server, keys)).length;
  const booked = await listBookedKeys(server);
  const double = booked.length - new Set(booked).size;
  report("T004b", { cuts, beers: keys.length, lost, double, "cuts that lost bytes": losses }, "lost 0, double 0");
  expect([lost, double, booked.length]).toEqual([0, 0, keys.length]);
});

/** Returns `true` if the database's log on the disk differs from its last synced copy. */
function losesAnything(dataDir: string, synced: string): boolean {
  const [now, kept] = [dataDir, synced].map((folder) => readFileSync(join(folder, "stammtisch.db-wal")));
  return !now!.equals(kept!);
}
