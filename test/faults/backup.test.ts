import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import sharp from "sharp";
import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { counters, tap } from "#test/process/load.ts";
import { createServerProcess, startServerProcess, password, type ServerProcess } from "#test/process/server-process.ts";
import { upload } from "#test/upload.ts";
import { databases, percentile, report } from "./report.ts";

const rounds = 20;
const tapsPerSecond = 50;
const beers = 1_000_000;
const kills = 8;
const killStepMs = 300;
const soonMs = 30_000;
const refusedMs = 5000;
const executable = join(import.meta.dirname, "../../bin/stammtisch");
const unames = ["anna", "bert", "carla", "dora", "emil"];

const folder = createTemporaryFolder();

/** Books 50 beers per second and uploads a picture every two seconds until `stop` is called. */
function createLoad(members: readonly Client[], picture: Buffer) {
  const state = { acknowledged: 0, attempted: 0, slow: [] as number[], isOver: false };
  const waiting = new Set<Promise<void>>();
  async function one(member: Client): Promise<void> {
    const began = performance.now();
    state.attempted += 1;
    if ((await tap(member, randomUUID())).status === 200) state.acknowledged += 1;
    state.slow.push(performance.now() - began);
  }
  const pouring = (async () => {
    for (let n = 0; !state.isOver; n += 1) {
      const tapped: Promise<void> = one(members[n % members.length]!).finally(() => waiting.delete(tapped));
      waiting.add(tapped);
      if (n % (2 * tapsPerSecond) === 0) await upload(members[n % members.length]!, picture);
      await sleep(1000 / tapsPerSecond);
    }
    await Promise.all(waiting);
  })();
  return { state, stop: async () => ((state.isOver = true), pouring) };
}

test.for(databases)(
  "every backup made under load can be restored to SQLite and to PostgreSQL (from %s)",
  async (db) => {
    await using server = await startServerProcess({ database: db });
    const members = await server.createMembers(...unames);
    const side = { create: { width: 300, height: 300, channels: 3 as const, background: "#f5b11d" } };
    const load = createLoad(members, await sharp(side).png().toBuffer());
    const made: { file: string; beers: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const file = join(folder, `${db}-${round}.backup`);
      const least = load.state.acknowledged;
      const { json } = await server.run("backup", file, "--json");
      expect(json.beers).toBeGreaterThanOrEqual(least);
      expect(json.beers).toBeLessThanOrEqual(load.state.attempted);
      made.push({ file, beers: json.beers });
    }
    await load.stop();
    const p99 = percentile(load.state.slow, 0.99);
    report(
      "T037",
      { rounds, "beers a second": tapsPerSecond, "p99 of a beer during backups, ms": p99 },
      "0 deviations, p99 of writes 200 ms",
      db,
    );

    for (const { file, beers: wanted } of [made[0]!, made.at(-1)!]) {
      for (const kind of databases) {
        await using other = await createServerProcess({ database: kind });
        expect((await other.run("restore", file, "--json")).json.beers).toBe(wanted);
        await expectConsistent(other, wanted);
      }
    }
    expect(p99).toBeLessThan(200);
  },
);

/**
 * Expects the totals to equal the number of beers, all chosen pictures to exist, and all sessions
 * and reset links to be ended. A member can log in.
 */
async function expectConsistent(server: ServerProcess, wanted: number): Promise<void> {
  const { db, close } = server.openDatabase();
  const { count } = await db
    .selectFrom("beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const group = await db.selectFrom("beer_group").select("total").executeTakeFirstOrThrow();
  const own = await db.selectFrom("beer_members").select("total").execute();
  const days = await db.selectFrom("beer_member_days").select("total").execute();
  const sum = (rows: readonly { total: number }[]) => rows.reduce((all, { total }) => all + total, 0);
  expect([Number(count), group.total, sum(own), sum(days)]).toEqual([wanted, wanted, wanted, wanted]);
  const lost = await db
    .selectFrom("users")
    .leftJoin("pictures", "pictures.id", "users.avatar_id")
    .select("users.uname")
    .where("users.avatar_id", "is not", null)
    .where("pictures.id", "is", null)
    .execute();
  expect(lost).toEqual([]);
  expect(await db.selectFrom("sessions").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("reset_tokens").select("user_id").execute()).toEqual([]);
  await close();
  await server.start();
  const client = server.createClient();
  expect((await client.post("/api/login", { uname: "anna", password })).status).toBe(200);
  expect((await client.get(counters)).json.KSKCounterVal).toBe(wanted);
}

test.for(databases)(
  "a million beers are backed up and restored within 30 s, and a killed restore leaves no data or all of it (%s)",
  async (db) => {
    await using server = await createServerProcess({ database: db });
    await using other = await createServerProcess({ database: db });
    expect((await server.run("demo", "--beers", String(beers))).code).toBe(0);
    const file = join(folder, `${db}-large.backup`);
    const times: Record<string, number> = {};
    async function timed(name: string, at: ServerProcess, ...words: string[]): Promise<void> {
      const began = performance.now();
      expect((await at.run(...words, "--json")).json).toMatchObject({ beers, users: 8 });
      times[name] = Math.round(performance.now() - began);
    }
    await timed("backup, ms", server, "backup", file);
    const damaged = join(folder, `${db}-damaged.backup`);
    const bytes = readFileSync(file);
    writeFileSync(damaged, bytes.subarray(0, bytes.length - 100));
    const began = performance.now();
    expect((await other.run("restore", damaged)).errors).toContain("is damaged or cut off");
    const refusalMs = Math.round(performance.now() - began);
    let onTheWay = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const child = spawn(executable, ["restore", file], { env: { ...process.env, ...other.env }, stdio: "ignore" });
      const ended = once(child, "exit");
      await Promise.race([sleep((kill + 1) * killStepMs), ended]);
      child.kill("SIGKILL");
      await ended;
      const { db: left, close } = other.openDatabase();
      const tables = await left.introspection.getTables();
      await close();
      if (tables.length > 0) break;
      onTheWay += 1;
    }
    if (onTheWay === kills) await timed("restore, ms", other, "restore", file);
    const { db: restored, close } = other.openDatabase();
    expect((await restored.selectFrom("beer_group").select("total").executeTakeFirstOrThrow()).total).toBe(beers);
    await close();
    const slowest = Math.max(...Object.values(times));
    report(
      "T037",
      { ...times, "refusing a damaged file, ms": refusalMs, "restores killed on the way": onTheWay },
      `each within ${soonMs} ms, refused within ${refusedMs} ms, nothing or all after a kill`,
      db,
    );
    expect(slowest).toBeLessThan(soonMs);
    expect(refusalMs).toBeLessThan(refusedMs);
    expect(onTheWay).toBeGreaterThan(0);
  },
);
