import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { subscribeToChannel } from "#test/process/channel-socket.ts";
import { counters, tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { handlesOf, memoryOf } from "./process-stats.ts";
import { report } from "./report.ts";

const minutes = Number(process.env["MINUTES"] ?? 10);
const minute = 60_000;
const reads = [counters, "/api/beercounter/stats/user", "/api/beercounter/stats/timely", "/api/beercounter/beers", "/"];

test("memory and open files do not grow during a long evening", { timeout: (minutes + 10) * minute }, async () => {
  await using server = await startServerProcess({ env: { RATE_LIMIT_FACTOR: "1000", WS_MAX_PER_IP: "1000" } });
  const members = await server.createMembers(...Array.from({ length: 20 }, (_, index) => `guest-${index}`));
  const over = new AbortController();
  let calls = 0;
  let failed = 0;

  /** Reads and taps as a member, and reopens the realtime connection every 20 calls. */
  async function spendTheEvening(member: Client): Promise<void> {
    while (!over.signal.aborted) {
      const page = await subscribeToChannel(server, member);
      for (let turn = 0; turn < 20 && !over.signal.aborted; turn += 1) {
        const { status } =
          turn % 5 === 0 ? await tap(member, randomUUID()) : await member.get(reads[turn % reads.length]!);
        calls += 1;
        if (status !== 200) failed += 1;
        await sleep(100);
      }
      page.close();
    }
  }

  const evenings = members.map(async (member) => spendTheEvening(member));
  await sleep((minutes / 2) * minute);
  const half = { memory: memoryOf(server.pid), files: handlesOf(server.pid) };
  await sleep((minutes / 2) * minute);
  const end = { memory: memoryOf(server.pid), files: handlesOf(server.pid) };
  over.abort();
  await Promise.all(evenings);
  const grown = Math.round((end.memory / half.memory - 1) * 100);
  const files = end.files - half.files;
  report(
    "T090",
    { minutes, calls, failed, "memory, MiB": end.memory, "grown since half time, %": grown, "open files": files },
    "memory +≤ 15 %, open files ± 25, 0 errors",
  );
  expect(failed).toBe(0);
  expect(grown).toBeLessThanOrEqual(15);
  // Allows a difference of 25 files, because pages may be opening or closing during the
  // measurement.
  expect(Math.abs(files)).toBeLessThanOrEqual(25);
});
