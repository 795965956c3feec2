import { readdirSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { monitorLatency } from "./latency-monitor.ts";
import { handlesOf, memoryOf } from "./process-stats.ts";
import { report } from "./report.ts";

const second = 1000;

test("the server disconnects clients that send headers or bodies slowly, and does not delay members", async () => {
  await using server = await startServerProcess();
  const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
  const { pid } = server;
  const [handles, memory] = [handlesOf(pid), memoryOf(pid)];
  const body = `POST /api/login HTTP/1.1\r\n${linesOf(server, anna)}Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n`;
  const silent = await openMany(server, 100, "");
  const heads = await openMany(server, 1000, "GET /api/config HTTP/1.1\r\nX: ");
  const bodies = await openMany(server, 500, body);
  const dripping = setInterval(() => {
    for (const { socket } of [...heads, ...bodies]) if (socket.writable) socket.write("x");
  }, second);
  const asking = monitorLatency(server, bert);
  await Promise.all([...silent, ...heads, ...bodies].map(({ ended }) => ended));
  clearInterval(dripping);
  const { p99, most } = await asking.stop();
  const number = {
    "silent, s": slowest(silent),
    "headers, s": slowest(heads),
    "bodies, s": slowest(bodies),
    "GET p99, ms": p99,
    "memory grown, MiB": most - memory,
    "sockets left": handlesOf(pid) - handles,
  };
  report("T071", number, "headers ≤ 13 s, bodies ≤ 65 s, GET p99 ≤ 100 ms, no socket left");
  expect([...silent, ...heads, ...bodies].every(({ heard }) => heard.startsWith("HTTP/1.1 408"))).toBe(true);
  await expect.poll(() => handlesOf(pid), { timeout: 5 * second }).toBeLessThanOrEqual(handles + 5);
  expect(slowest(heads)).toBeLessThanOrEqual(13);
  expect(slowest(bodies)).toBeLessThanOrEqual(65);
  expect(p99).toBeLessThanOrEqual(100);
});

test("the server disconnects clients that never read their responses, and does not delay members", async () => {
  await using server = await startServerProcess();
  const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
  const { pid } = server;
  const [handles, memory] = [handlesOf(pid), memoryOf(pid)];
  // Sends ten requests at once, because a single response fits into the system's buffers.
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\n${linesOf(server, anna)}\r\n`.repeat(10);
  const asking = monitorLatency(server, bert);
  const readers = [
    ...(await openMany(server, 250, ask("/internal/audio/1"), false)),
    ...(await openMany(server, 250, ask(`/assets/${largestAsset()}`), false)),
  ];
  const began = performance.now();
  await expect.poll(() => handlesOf(pid), { timeout: 60 * second }).toBeGreaterThanOrEqual(handles + 500);
  await expect.poll(() => handlesOf(pid), { timeout: 200 * second, interval: second }).toBeLessThanOrEqual(handles + 5);
  const seconds = Math.round((performance.now() - began) / second);
  const { p99, most } = await asking.stop();
  for (const { socket } of readers) socket.destroy();
  report(
    "T071",
    { "closed after, s": seconds, "GET p99, ms": p99, "memory grown, MiB": most - memory },
    "all closed ≤ 125 s, GET p99 ≤ 100 ms, memory +≤ 150 MiB",
  );
  expect(seconds).toBeLessThanOrEqual(125);
  expect(p99).toBeLessThanOrEqual(100);
  expect(most - memory).toBeLessThanOrEqual(150);
});

function largestAsset(): string {
  const folder = join(import.meta.dirname, "../../dist/assets");
  const sizes = readdirSync(folder).map((name) => ({ name, size: statSync(join(folder, name)).size }));
  return sizes.toSorted((one, other) => other.size - one.size)[0]!.name;
}

interface Slow {
  readonly socket: Socket;
  heard: string;
  /** Milliseconds until the server closed the connection. */
  ms: number;
  readonly ended: Promise<void>;
}

/**
 * Opens connections that the client never closes, and sends `text`, the beginning of a request, on
 * each connection.
 */
async function openMany({ port }: ServerProcess, many: number, text: string, isReading = true): Promise<Slow[]> {
  const slow: Slow[] = [];
  while (slow.length < many) {
    const opening = Array.from({ length: 50 }, async () => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      await new Promise((resolve) => void socket.once("connect", resolve));
      const began = performance.now();
      const ended = new Promise<void>((resolve) => void socket.once("end", resolve).once("close", resolve));
      const one: Slow = {
        socket,
        heard: "",
        ms: 0,
        ended: ended.then(() => void (one.ms = performance.now() - began)),
      };
      if (isReading) socket.on("data", (data: Buffer) => (one.heard += data.toString("latin1")));
      else socket.pause();
      socket.write(text);
      return one;
    });
    slow.push(...(await Promise.all(opening)));
  }
  return slow;
}

const slowest = (slow: readonly Slow[]) => Math.round(Math.max(...slow.map(({ ms }) => ms)) / 100) / 10;

const linesOf = ({ port }: ServerProcess, member: Client) =>
  `Host: localhost:${port}\r\nCookie: ${member.cookieHeader}\r\nX-XSRF-TOKEN: ${member.csrfToken}\r\n`;
