import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { subscribeToChannel } from "#test/process/channel-socket.ts";
import { counters, tap } from "#test/process/load.ts";
import { startServerProcess, startTwoInstances } from "#test/process/server-process.ts";
import { startPostgres, type TestPostgres } from "../../scripts/postgres.ts";
import { postgres, ensureInstalled } from "../../scripts/system-programs.ts";
import { report } from "./report.ts";

const clients = 10;
const tapEveryMs = 200;
const restarts = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? "immediate" : "fast"));
const listenerRounds = 20;

let database: TestPostgres;
let binary: string;

/** Starts a separate PostgreSQL, because the one that other tests share must keep running. */
beforeAll(async () => {
  binary = (await ensureInstalled(postgres)) ?? "";
  database = await startPostgres(binary);
  process.env["TEST_DATABASE_URL"] = database.url;
});

afterAll(() => database.stop());

test("a restart of PostgreSQL under load loses no acknowledged beer", async () => {
  await using server = await startServerProcess({ database: "postgres" });
  const { pid } = server;
  const [anna] = await server.createMembers("anna");
  const others: Record<string, number> = {};
  const answered = { taps: 0, slowestMs: 0, lastAt: 0, isOver: false };
  async function drink(): Promise<void> {
    while (!answered.isOver) {
      const key = randomUUID();
      for (let isAnswered = false; !isAnswered;) {
        const began = performance.now();
        const status = (await tap(anna!, key).catch(() => null))?.status ?? "connection lost";
        answered.slowestMs = Math.max(answered.slowestMs, performance.now() - began);
        isAnswered = status === 200;
        if (!isAnswered) others[status] = (others[status] ?? 0) + 1;
        await sleep(tapEveryMs);
      }
      answered.taps += 1;
      answered.lastAt = performance.now();
    }
  }
  const drinking = Array.from({ length: clients }, drink);
  const recoveries: number[] = [];
  for (const mode of restarts) {
    await sleep(2000);
    await restart(mode);
    const accepted = performance.now();
    while (answered.lastAt < accepted) await sleep(20);
    recoveries.push(answered.lastAt - accepted);
  }
  answered.isOver = true;
  await Promise.all(drinking);
  const counted = (await anna!.get(counters)).json.KSKCounterVal;
  const [slowest, recovery] = [Math.round(answered.slowestMs), Math.round(Math.max(...recoveries))];
  const onlyBusy = Object.keys(others).every((status) => status === "503" || status === "409");
  report(
    "T031",
    {
      restarts: restarts.length,
      acknowledged: answered.taps,
      counted,
      ...others,
      "slowest answer, ms": slowest,
      "first 200 after it accepts, ms": recovery,
    },
    "acknowledged = counted, only 503 (or 409 for a key in flight), 5000 ms, 5000 ms",
    "postgres",
  );
  expect(counted).toBe(answered.taps);
  expect(server.pid).toBe(pid);
  expect([onlyBusy, others]).toEqual([true, expect.anything()]);
  expect(slowest).toBeLessThan(5500);
  expect(recovery).toBeLessThan(5000);
  expect((await server.createClient().get("/readyz")).status).toBe(200);
});

test("an instance whose listening connection to PostgreSQL was cut sends its pages the missed totals", async () => {
  await using instances = await startTwoInstances();
  const { one, other } = instances;
  const [anna] = (await one.createMembers("anna")) as [Client];
  const there = anna.through(other.port);
  const page = await subscribeToChannel(other, there);
  const admin = new pg.Client(one.env["DATABASE_URL"]);
  await admin.connect();
  const waits: number[] = [];
  for (let round = 0; round < listenerRounds; round += 1) {
    const { rowCount } = await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stammtisch bus'",
    );
    expect(rowCount, "connections that were cut").toBeGreaterThan(0);
    for (let beer = 0; beer < 9; beer += 1) await tap(anna, randomUUID());
    const { json } = await tap(anna, randomUUID());
    const began = performance.now();
    // Ignores other events of the channel, e.g. milestones.
    const shown = () => page.events.findLast(({ event }) => event === "updated")?.data["counterVal"];
    while (shown() !== json.KSKCounterVal && performance.now() - began < 10_000) await sleep(10);
    waits.push(performance.now() - began);
  }
  await admin.end();
  const slowest = Math.round(Math.max(...waits));
  report(
    "T042",
    { rounds: listenerRounds, "slowest, ms": slowest },
    "pages show the true value within 5000 ms in all rounds",
    "postgres",
  );
  expect(slowest).toBeLessThan(5000);
});

/** Restarts PostgreSQL in the given shutdown mode, and waits until it accepts connections. */
async function restart(mode: string): Promise<void> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  await client.end();
  const folder = rows[0]!.data_directory;
  const { uid, gid } = statSync(folder);
  const words = ["restart", "-w", "-m", mode, "-D", folder, "-l", join(folder, "restart.log")];
  // Runs pg_ctl asynchronously, because the clients of this test run in the same process.
  const child = spawn(join(dirname(binary), "pg_ctl"), words, { uid, gid, cwd: folder, stdio: "ignore" });
  const code = await new Promise<number | null>((resolve) => void child.once("close", resolve));
  if (code !== 0) throw new Error(`pg_ctl restart failed with ${code}`);
}
