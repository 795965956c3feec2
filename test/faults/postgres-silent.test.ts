import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";
import { expect, test } from "vitest";

import type { ClientResponse, Client } from "#test/client.ts";
import { counters, tap } from "#test/process/load.ts";
import { listLostKeys, startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { iptables, ensureInstalled } from "../../scripts/system-programs.ts";
import { percentile, report } from "./report.ts";

/** Only root may drop packets. */
const isRoot = process.getuid?.() === 0;
const drinkers = Array.from({ length: 10 }, (_, index) => `drinker-${index}`);
const everyMs = 50;
const cutMs = 60_000;

/**
 * Lets members tap, read and open pages until `stop` is called, whatever the server answers, and
 * records all answers.
 */
function load(members: readonly Client[]) {
  const taps: { key: string; status: number; ms: number }[] = [];
  const reads: { status: number; ms: number }[] = [];
  const pages: { status: number; ms: number }[] = [];
  const going: Promise<unknown>[] = [];
  const state = { isOver: false };
  let [waiting, mostWaiting, lastAt] = [0, 0, 0];
  async function time(ask: () => Promise<ClientResponse>) {
    const began = performance.now();
    mostWaiting = Math.max(mostWaiting, ++waiting);
    const status = (await ask().catch(() => null))?.status ?? 0;
    waiting -= 1;
    if (status === 200) lastAt = performance.now();
    return { status, ms: performance.now() - began };
  }
  async function openPage(member: Client): Promise<void> {
    const began = performance.now();
    const { status } = await member.get("/beercounter");
    pages.push({ status, ms: performance.now() - began });
  }
  const done = (async () => {
    for (let round = 0; !state.isOver; round += 1) {
      const member = members[round % members.length]!;
      const key = randomUUID();
      going.push(time(async () => tap(member, key)).then((answer) => taps.push({ key, ...answer })));
      going.push(time(async () => member.get(counters)).then((answer) => reads.push(answer)));
      going.push(openPage(member));
      await sleep(everyMs);
    }
    await Promise.all(going);
  })();
  return {
    taps,
    reads,
    pages,
    mostWaiting: () => mostWaiting,
    lastAt: () => lastAt,
    stop: async () => ((state.isOver = true), done),
  };
}

const statuses = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))];
const slowest = (answers: readonly { ms: number }[]) => Math.round(Math.max(...answers.map(({ ms }) => ms)));

/** Returns the number of acknowledged beers that are missing. */
async function lostOf(server: ServerProcess, taps: ReturnType<typeof load>["taps"]): Promise<number> {
  const acknowledged = taps.filter(({ status }) => status === 200).map(({ key }) => key);
  return (await listLostKeys(server, acknowledged)).length;
}

test.runIf(isRoot)(
  "while PostgreSQL is unreachable for a minute, requests get 503 within 5 s; they succeed again once connections are free",
  async () => {
    const filter = await ensureInstalled(iptables);
    if (!filter) throw new Error("iptables is missing");
    await using server = await startServerProcess({ database: "postgres" });
    const members = await server.createMembers(...drinkers);
    const { pid } = server;
    const { port } = new URL(server.env["DATABASE_URL"]!);
    const turn = (what: "-I" | "-D") => {
      for (const end of ["--dport", "--sport"])
        execFileSync(filter, ["-w", what, "INPUT", "-i", "lo", "-p", "tcp", end, port, "-j", "DROP"]);
    };
    const running = load(members);
    await sleep(3000);
    turn("-I");
    try {
      await sleep(cutMs);
    } finally {
      turn("-D");
    }
    const healedAt = performance.now();
    await expect.poll(running.lastAt, { timeout: 20_000 }).toBeGreaterThan(healedAt);
    const backMs = Math.round(running.lastAt() - healedAt);
    await sleep(5000);
    await running.stop();
    const all = [...running.taps, ...running.reads];
    const lost = await lostOf(server, running.taps);
    const refused = all.filter(({ status }) => status === 503);
    report(
      "T043",
      {
        seconds: cutMs / 1000,
        "refused with 503": refused.length,
        "slowest 503, ms": slowest(refused),
        "slowest page, ms": slowest(running.pages),
        "most waiting at once": running.mostWaiting(),
        "first 200 after, ms": backMs,
        lost,
      },
      "503 within 5000 ms, pages at once, waiting bounded by that time, lost 0",
      "postgres",
    );
    expect([statuses(all).toSorted(), statuses(running.pages), server.pid]).toEqual([[200, 503], [200], pid]);
    expect(refused.length).toBeGreaterThan(cutMs / everyMs);
    expect(slowest(refused)).toBeLessThan(5000);
    expect(slowest(running.pages)).toBeLessThan(1000);
    expect(lost).toBe(0);
  },
);

test("while PostgreSQL has no free connection, requests get 503 within 5 s, and they succeed again after it", async () => {
  await using server = await startServerProcess({ database: "postgres" });
  const members = await server.createMembers(...drinkers);
  const crowd: pg.Client[] = [];
  const crowdIn = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: server.env["DATABASE_URL"]!, application_name: "crowd" });
      client.on("error", () => {});
      const isIn = await client.connect().then(
        () => true,
        () => false,
      );
      if (!isIn) return;
      crowd.push(client);
    }
  };
  await crowdIn();
  await crowd[0]!.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name <> 'crowd'");
  await crowdIn();
  const running = load(members);
  await sleep(10_000);
  const meanwhile = [...running.taps, ...running.reads];
  await Promise.all(crowd.map(async (client) => client.end()));
  const freeAt = performance.now();
  await expect.poll(running.lastAt, { timeout: 20_000 }).toBeGreaterThan(freeAt);
  const backMs = Math.round(running.lastAt() - freeAt);
  await sleep(2000);
  await running.stop();
  const lost = await lostOf(server, running.taps);
  report(
    "T043",
    {
      "refused with 503": meanwhile.filter(({ status }) => status === 503).length,
      "slowest, ms": slowest(meanwhile),
      "first 200 after, ms": backMs,
      lost,
    },
    "503 within 5000 ms, 200 again within 5000 ms, lost 0",
    "postgres",
  );
  expect(statuses(meanwhile)).toContain(503);
  expect([statuses([...running.taps, ...running.reads]).toSorted(), lost]).toEqual([[200, 503], 0]);
  expect(slowest(meanwhile)).toBeLessThan(5000);
  expect(backMs).toBeLessThan(5000);
});

test("while the table of beers is locked, taps get 503 within 5 s, and reads are not delayed", async () => {
  await using server = await startServerProcess({ database: "postgres" });
  const members = await server.createMembers(...drinkers);
  const holder = new pg.Client(server.env["DATABASE_URL"]);
  await holder.connect();
  const before = load(members);
  await sleep(5000);
  await before.stop();
  await holder.query("begin; lock table beers in access exclusive mode");
  const during = load(members);
  await sleep(30_000);
  await during.stop();
  await holder.query("rollback");
  await holder.end();
  const after = await tap(members[0]!, "after-the-lock");
  const lost = await lostOf(server, [...before.taps, ...during.taps]);
  const [usual, held] = [before.reads, during.reads].map((reads) =>
    percentile(
      reads.map(({ ms }) => ms),
      0.99,
    ),
  );
  report(
    "T043",
    {
      taps: during.taps.length,
      "slowest 503, ms": slowest(during.taps),
      "most waiting at once": during.mostWaiting(),
      "reads p99 before, ms": usual!,
      "reads p99 meanwhile, ms": held!,
      lost,
    },
    "503 within 5000 ms, waiting ≤ 100, reads p99 ≤ twice that before + 250 ms, lost 0",
    "postgres",
  );
  expect([statuses(during.taps), statuses(during.reads), after.status, lost]).toEqual([[503], [200], 200, 0]);
  expect(slowest(during.taps)).toBeLessThan(5500);
  expect(during.mostWaiting()).toBeLessThanOrEqual(100);
  // A read that waited for the lock would take two seconds.
  expect(held).toBeLessThanOrEqual(2 * usual! + 250);
});
