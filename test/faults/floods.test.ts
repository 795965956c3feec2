import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { tapUntilAnswered } from "#test/process/load.ts";
import { startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { monitorLatency } from "./latency-monitor.ts";
import { bytesReadBy, memoryOf } from "./process-stats.ts";
import { databases, percentile, report } from "./report.ts";

const kib = 1024;
const gib = 2 ** 30;
type PostTarget = readonly [path: string, limit: number, type: string];
const upload: PostTarget = ["/api/images/avatar", 5.25 * 1024 * kib, "multipart/form-data; boundary=x"];
const posts: readonly PostTarget[] = [
  ["/api/login", 4 * kib, "application/json"],
  ["/api/register", 4 * kib, "application/json"],
  ["/api/forgot-password", 4 * kib, "application/json"],
  ["/api/beercounter/counters", kib, "application/json"],
  ["/broadcasting/auth", 2 * kib, "application/x-www-form-urlencoded"],
  ["/login", 1024 * kib, "application/json"],
  upload,
];

test("endless request bodies are cut off at their size limit, with and without a Content-Length", async () => {
  await using server = await startServerProcess();
  const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
  const number: Record<string, number> = {};
  let heard = 0;
  // Sends a first flood before the measurement, so that the baseline includes the memory of normal
  // work.
  await Promise.all(Array.from({ length: 50 }, () => floodWith(server, anna, upload, false)));
  const memory = memoryOf(server.pid);
  const asking = monitorLatency(server, bert);
  for (const post of posts) {
    const [path] = post;
    const refusal = path === "/login" ? 405 : 413;
    for (const hasLength of [true, false]) {
      const before = bytesReadBy(server.pid);
      const answers = await Promise.all(Array.from({ length: 50 }, () => floodWith(server, anna, post, hasLength)));
      const each = Math.round((bytesReadBy(server.pid) - before) / 50 / kib);
      number[`${path}${hasLength ? "" : ", chunks"}, KiB read`] = each;
      // Many clients receive no answer, because the server resets connections that keep sending.
      const statuses = answers.filter((status) => status !== 0);
      expect(new Set([...statuses, refusal]), path).toEqual(new Set([refusal]));
      heard += statuses.length;
    }
  }
  expect(heard).toBeGreaterThan(0);
  const { p99, most } = await asking.stop();
  Object.assign(number, { "GET p99, ms": p99, "memory grown, MiB": most - memory });
  report("T073", number, "read ≤ limit + 64 KiB each, memory +≤ 30 MiB");
  for (const [path, limit] of posts) {
    for (const how of ["", ", chunks"])
      expect(number[`${path}${how}, KiB read`], `${path}${how}`).toBeLessThanOrEqual(limit / kib + 64);
  }
  expect(most - memory).toBeLessThanOrEqual(30);
});

/**
 * Sends up to one gibibyte, and resolves to the status of the answer, or to 0 if the connection
 * closed without one.
 */
function floodWith(
  { port }: ServerProcess,
  member: Client,
  [path, , type]: PostTarget,
  hasLength: boolean,
): Promise<number> {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Cookie: ${member.cookieHeader}`,
    `X-XSRF-TOKEN: ${member.csrfToken}`,
    `Content-Type: ${type}`,
    hasLength ? `Content-Length: ${gib}` : "Transfer-Encoding: chunked",
  ];
  const bytes = Buffer.alloc(64 * kib, 0x20);
  const piece = hasLength ? bytes : Buffer.concat([Buffer.from("10000\r\n"), bytes, Buffer.from("\r\n")]);
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let [heard, sent] = ["", 0];
    function send(): void {
      while (socket.writable && sent < gib) {
        sent += bytes.length;
        if (!socket.write(piece)) return;
      }
    }
    socket.on("connect", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      send();
    });
    socket.on("drain", send);
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => (heard += data.toString("latin1")));
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0)));
  });
}

test.for(databases)(
  "200 bogus logins per second from 200 addresses do not delay members' requests (%s)",
  async (db) => {
    await using server = await startServerProcess({
      database: db,
      env: { TRUST_PROXY: "127.0.0.1", RATE_LIMIT_FACTOR: "1" },
    });
    const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
    const memory = memoryOf(server.pid);
    const attackers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const attacker = server.createClient({ "x-forwarded-for": `203.0.113.${index}` });
        await attacker.get("/sanctum/csrf-cookie");
        return attacker;
      }),
    );
    const asking = monitorLatency(server, anna, 100);
    const taps: number[] = [];
    const over = new AbortController();
    const tapping = (async () => {
      while (!over.signal.aborted) {
        const tapped = performance.now();
        await tapUntilAnswered(bert, randomUUID());
        taps.push(performance.now() - tapped);
        await sleep(200);
      }
    })();
    const statuses = new Map<number, number>();
    const sending: Promise<void>[] = [];
    const began = performance.now();
    for (let sent = 0; performance.now() - began < 60_000; sent += 1) {
      const login = { uname: sent % 2 ? "anna" : `nobody-${sent}`, password: "falsch-falsch" };
      const answer = attackers[sent % 200]!.post("/api/login", login).catch(() => ({ status: 0 }));
      sending.push(answer.then(({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)));
      await sleep(Math.max(0, began + (sent + 1) * 5 - performance.now()));
    }
    await Promise.all(sending);
    over.abort();
    await tapping;
    const { p99, most } = await asking.stop();
    const tapP99 = percentile(taps, 0.99);
    report(
      "T074",
      {
        logins: sending.length,
        ...Object.fromEntries(statuses),
        "GET p99, ms": p99,
        "POST beer p99, ms": tapP99,
        "memory grown, MiB": most - memory,
      },
      "only 422, 429, 503; GET p99 ≤ 250 ms, beer p99 ≤ 500 ms, memory +≤ 150 MiB",
      db,
    );
    expect([...statuses.keys()].filter((status) => ![0, 422, 429, 503].includes(status))).toEqual([]);
    expect((await anna.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(taps.length);
    expect(most - memory).toBeLessThanOrEqual(150);
    expect(p99).toBeLessThanOrEqual(250);
    expect(tapP99).toBeLessThanOrEqual(500);
  },
);
