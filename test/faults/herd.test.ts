import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { databases, percentile, report } from "./report.ts";

const pages = 1000;
const beers = 40;
const everyMs = 500;
const idleReads = 300;
const charts = ["user", "timely"].map((name) => `/api/beercounter/stats/${name}`);
const env = { RATE_LIMIT_FACTOR: "10000" };
/** Clients of others reload at random times within 20 ms per client. */
const spread = () => 20 * pages * Math.random();
const unames = Array.from({ length: 10 }, (_, index) => `guest-${index}`);

interface Reads {
  readonly times: number[];
  failed: number;
}

/** Loads the charts as a page does, and records the milliseconds until each answer. */
async function readCharts(member: Client, reads: Reads): Promise<void> {
  await Promise.all(
    charts.map(async (path) => {
      const began = performance.now();
      const answer = await member.get(path).catch(() => null);
      reads.times.push(performance.now() - began);
      if (answer?.status !== 200) reads.failed += 1;
    }),
  );
}

test.for(databases)(
  "a thousand pages that reload the charts after every beer are answered quickly (%s)",
  async (database) => {
    await using server = await startServerProcess({ database, env });
    const members = await server.createMembers(...unames);
    const reads: Reads = { times: [], failed: 0 };
    const reloads = new Map<number, Promise<void>>();

    /** Reloads the charts as a page does: once, after a random delay, for all beers until then. */
    async function reload(page: number): Promise<void> {
      await sleep(spread());
      reloads.delete(page);
      await readCharts(members[page % members.length]!, reads);
    }

    const begun: Promise<void>[] = [];
    for (let beer = 0; beer < beers; beer += 1) {
      expect((await tap(members[beer % members.length]!, randomUUID())).status).toBe(200);
      for (let page = 0; page < pages; page += 1) {
        if (reloads.has(page)) continue;
        reloads.set(page, reload(page));
        begun.push(reloads.get(page)!);
      }
      await sleep(everyMs);
    }
    await Promise.all(begun);
    const p99 = percentile(reads.times, 0.99);
    report(
      "T086",
      { pages, reloads: begun.length, failed: reads.failed, "statistics p99, ms": p99 },
      "p99 300 ms, 0 errors",
      database,
    );
    expect(reads.failed).toBe(0);
    expect(p99).toBeLessThanOrEqual(300);
  },
);

test.for(databases)(
  "a thousand pages that reload the charts after one beer wait at most three times as long as a single page (%s)",
  async (database) => {
    await using server = await startServerProcess({ database, env });
    const members = await server.createMembers(...unames);
    const member = (index: number) => members[index % members.length]!;
    const [warmUp, idle, herd] = Array.from({ length: 3 }, (): Reads => ({ times: [], failed: 0 }));
    // Warms up the test and the server before the measurement, because they compile code in their
    // first calls.
    for (let read = 0; read < idleReads; read += 1) await readCharts(member(read), warmUp!);
    for (let read = 0; read < idleReads; read += 1) {
      await readCharts(member(read), idle!);
      await sleep(10);
    }
    await tap(member(0), randomUUID());
    await Promise.all(
      Array.from({ length: pages }, async (_, page) => {
        await sleep(spread());
        await readCharts(member(page), herd!);
      }),
    );
    const [idleP99, herdP99] = [percentile(idle!.times, 0.99), percentile(herd!.times, 0.99)];
    report(
      "T086",
      { pages, "of one page p99, ms": idleP99, "of all pages p99, ms": herdP99, failed: herd!.failed },
      "p99 at most 3 times that of one page, 0 errors",
      database,
    );
    expect(herd!.failed).toBe(0);
    expect(herdP99).toBeLessThanOrEqual(3 * idleP99);
  },
);
