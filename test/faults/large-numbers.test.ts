import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { counters, tap } from "#test/process/load.ts";
import { createServerProcess, startServerProcess } from "#test/process/server-process.ts";
import { memoryOf } from "./process-stats.ts";
import { databases, percentile, report } from "./report.ts";

const manyBeers = 5_000_000;
const reads = [counters, "/api/beercounter/stats/user", "/api/beercounter/stats/timely", "/api/beercounter/beers"];

test("five million beers are counted exactly and read within 200 ms", { timeout: 1_200_000 }, async () => {
  await using server = await createServerProcess();
  const began = performance.now();
  const { json } = await server.run("demo", "--beers", String(manyBeers), "--json");
  const filling = Math.round((performance.now() - began) / 1000);
  const startMs = Math.round(await server.start());
  const client = server.createClient();
  const { uname, password } = json.members[0];
  await client.post("/api/login", { uname, password });

  const number: Record<string, number> = { "filling, s": filling, "start, ms": startMs };
  for (const path of reads) {
    const times: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const asked = performance.now();
      expect((await client.get(path)).status).toBe(200);
      times.push(performance.now() - asked);
    }
    number[`${path} p99, ms`] = percentile(times, 0.99);
  }
  report("T105", number, "each p99 ≤ 200 ms");
  for (const path of reads) expect(number[`${path} p99, ms`], path).toBeLessThanOrEqual(200);

  const { json: before } = await client.get(counters);
  expect(before.KSKCounterVal).toBe(manyBeers);
  const { users } = (await client.get("/api/beercounter/stats/user")).json;
  const counts = users.map((user: { beercounter_entries_count: number }) => user.beercounter_entries_count);
  expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(manyBeers);
  expect((await tap(client, "one-more-on-top")).json).toEqual({
    KSKCounterVal: manyBeers + 1,
    userCounterVal: before.userCounterVal + 1,
  });
});

const keys = 100_000;
const atOnce = 100;

test.for(databases)("100,000 idempotency keys book one beer each without growing the memory (%s)", async (db) => {
  await using server = await startServerProcess({ database: db });
  const [anna] = (await server.createMembers("anna")) as [Client];
  // Keys have the maximum length. The first tenth of the keys warms the server up before the
  // measurement.
  const sent: string[] = [];
  async function tapMany(until: number): Promise<void> {
    const work = async () => {
      while (sent.length < until) {
        const key = randomBytes(48).toString("base64url");
        sent.push(key);
        const { status } = await tap(anna, key);
        if (status !== 200) throw new Error(`A tap was answered ${status}.`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  await tapMany(keys / 10);
  const memory = memoryOf(server.pid);
  await tapMany(keys);
  const grown = memoryOf(server.pid) - memory;
  report("T094", { keys, "memory grown, MiB": grown }, "one beer per key, memory +≤ 50 MiB", db);
  expect((await anna.get(counters)).json.KSKCounterVal).toBe(keys);
  expect((await tap(anna, sent[0]!)).headers["idempotent-replayed"]).toBe("true");

  expect((await tap(anna, "x".repeat(65))).status, "a key that is too long").toBe(422);
  const late = { "idempotency-key": "refused-at-first", "tap-age": String(8 * 24 * 60 * 60_000) };
  expect((await anna.post(counters, undefined, late)).status).toBe(422);
  expect((await tap(anna, "refused-at-first")).json.KSKCounterVal, "only beers are remembered").toBe(keys + 1);
  expect(grown).toBeLessThanOrEqual(50);
});
