import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";
import { WebSocket } from "ws";

import { openPages, type ChannelSocket } from "#test/process/channel-socket.ts";
import { tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "../../bench/baseline.ts";
import { memoryOf, processorTimeOf } from "./process-stats.ts";
import { percentile, report } from "./report.ts";

const sockets = Number(process.env["SOCKETS"] ?? 10_000);
const members = 20;
const atOnce = 50;
const taps = 10;
const idleMs = 20_000;

test(
  "ten thousand open pages need at most 25 KiB of memory each, and receive every tap within a second",
  { timeout: 900_000 },
  async () => {
    const max = String(sockets + members);
    const env = { WS_MAX_SOCKETS: String(2 * sockets), WS_MAX_PER_USER: max, WS_MAX_PER_IP: String(2 * sockets) };
    await using server = await startServerProcess({ env: { ...env, RATE_LIMIT_FACTOR: "10000" } });
    const seated = await server.createMembers(...Array.from({ length: members }, (_, index) => `guest-${index}`));
    const before = memoryOf(server.pid);
    const pages = await openPages(server, seated, sockets);

    const waits: number[] = [];
    for (let number = 1; number <= taps; number += 1) {
      const began = performance.now();
      await tap(seated[0]!, randomUUID());
      const isTold = ({ events }: ChannelSocket) => events.at(-1)?.data["counterVal"] === number;
      await expect.poll(() => pages.every(isTold), { timeout: 30_000, interval: 50 }).toBe(true);
      waits.push(...pages.map(({ events }) => events.at(-1)!.at - began));
    }
    const memory = memoryOf(server.pid);
    const each = ((memory - before) * 1024) / sockets;
    const p99 = percentile(waits, 0.99);
    const worked = processorTimeOf(server.pid);
    await sleep(idleMs);
    const idle = ((processorTimeOf(server.pid) - worked) / idleMs) * 100;
    for (const page of pages) page.close();
    const eachBare = await measureBareSockets(server.dataDir);
    report(
      "T046",
      {
        sockets,
        "KiB each": each.toFixed(1),
        "KiB each of bare ws": eachBare.toFixed(1),
        "memory, MiB": memory,
        "tap to page p99, ms": p99,
        delivered: waits.length / taps,
        "idle processor, %": idle.toFixed(1),
      },
      "25 KiB each and 1.5 times bare ws, 400 MiB, p99 1000 ms, all reached, 5 % when idle",
    );
    expect(each).toBeLessThanOrEqual(Math.min(25, 1.5 * eachBare));
    expect(idle).toBeLessThanOrEqual(5);
    expect(memory).toBeLessThanOrEqual(400);
    expect(p99).toBeLessThanOrEqual(1000);
  },
);

/** Returns the KiB of memory per open socket of a minimal WebSocket server, for comparison. */
async function measureBareSockets(folder: string): Promise<number> {
  using bare = await startBaseline(folder);
  const before = memoryOf(bare.pid);
  const open: WebSocket[] = [];
  while (open.length < sockets) {
    const opened = Array.from({ length: atOnce }, () => new WebSocket(`ws://127.0.0.1:${bare.port}/`));
    await Promise.all(opened.map(async (socket) => once(socket, "open")));
    open.push(...opened);
  }
  const each = ((memoryOf(bare.pid) - before) * 1024) / sockets;
  for (const socket of open) socket.terminate();
  return each;
}
