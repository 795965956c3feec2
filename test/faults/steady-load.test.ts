import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { ClientResponse } from "#test/client.ts";
import { type ChannelSocket, openPages } from "#test/process/channel-socket.ts";
import { counters, tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { databases, percentile, report } from "./report.ts";

const seconds = Number(process.env["SECONDS"] ?? 30);
/** The test and the server compile their code in the first seconds: calls must succeed, but their times do not count. */
const warmUpSeconds = 5;
const statistics = "/api/beercounter/stats/timely";
const limits = { RATE_LIMIT_FACTOR: "10000", WS_MAX_PER_USER: "2000", WS_MAX_PER_IP: "2000" };
const unames = Array.from({ length: 10 }, (_, index) => `guest-${index}`);

/** The milliseconds of each call since its due time, and the number of calls that were not answered with 200. */
interface Load {
  readonly times: number[];
  failed: number;
}

/** Sends calls at a constant rate, however long their answers take. */
async function callAtRate(perSecond: number, call: (index: number) => Promise<ClientResponse>): Promise<Load> {
  const load: Load = { times: [], failed: 0 };
  const began = performance.now();
  const calls: Promise<void>[] = [];
  async function one(index: number): Promise<void> {
    const due = began + (index * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    const answer = await call(index).catch(() => null);
    if (index >= perSecond * warmUpSeconds) load.times.push(performance.now() - due);
    if (answer?.status !== 200) load.failed += 1;
  }
  for (let index = 0; index < perSecond * (warmUpSeconds + seconds); index += 1) calls.push(one(index));
  await Promise.all(calls);
  return load;
}

const p99 = ({ times }: Load) => percentile(times, 0.99);

test.for(databases)("reads, taps and statistics at a constant rate are answered in 60 ms (%s)", async (database) => {
  await using server = await startServerProcess({ database, env: limits });
  const members = await server.createMembers(...unames);
  const member = (index: number) => members[index % members.length]!;
  const [reads, taps, statisticsReads] = await Promise.all([
    callAtRate(500, async (index) => member(index).get(counters)),
    callAtRate(100, async (index) => tap(member(index), randomUUID())),
    callAtRate(50, async (index) => member(index).get(statistics)),
  ]);
  const failed = reads.failed + taps.failed + statisticsReads.failed;
  const number = { "GET p99, ms": p99(reads), "tap p99, ms": p99(taps), "statistics p99, ms": p99(statisticsReads) };
  report("T087", { seconds, ...number, failed }, "p99 30, 60 and 50 ms, 0 errors", database);
  expect(failed).toBe(0);
  expect(p99(reads)).toBeLessThanOrEqual(30);
  expect(p99(taps)).toBeLessThanOrEqual(60);
  expect(p99(statisticsReads)).toBeLessThanOrEqual(50);
});

test.for(databases)("250 pages receive each of ten taps per second within 100 ms (%s)", async (database) => {
  await using server = await startServerProcess({ database, env: limits });
  const members = await server.createMembers(...unames);
  const member = (index: number) => members[index % members.length]!;
  const pages = await openPages(server, members, 250);
  const tappedAt = new Map<number, number>();
  await callAtRate(10, async (index) => {
    const at = performance.now();
    const answer = await tap(member(index), randomUUID());
    tappedAt.set(answer.json.KSKCounterVal, at);
    return answer;
  });
  /**
   * Returns the totals that a page received. The filter is needed because the channel also carries
   * milestones.
   */
  const listUpdates = ({ events }: ChannelSocket) =>
    events.flatMap(({ event, data, at }) => (event === "updated" ? [{ total: Number(data["counterVal"]), at }] : []));
  const countCurrent = () => pages.filter((page) => listUpdates(page).at(-1)?.total === tappedAt.size).length;
  await expect.poll(countCurrent).toBe(pages.length);
  const waits = pages.flatMap(listUpdates).map(({ total, at }) => at - tappedAt.get(total)!);
  for (const page of pages) page.close();
  const p95 = percentile(waits, 0.95);
  report("T088", { pages: pages.length, events: waits.length, "tap to page p95, ms": p95 }, "p95 100 ms", database);
  expect(p95).toBeLessThan(100);
});
