import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { subscribeToChannel, type ChannelSocket } from "#test/process/channel-socket.ts";
import { tap } from "#test/process/load.ts";
import { createServerProcess } from "#test/process/server-process.ts";
import { memoryOf } from "./process-stats.ts";
import { percentile, report } from "./report.ts";

const sockets = Number(process.env["SOCKETS"] ?? 10_000);
const members = 20;
const atOnce = 50;
const taps = 10;

test(
  "ten thousand open pages: little memory for each, and every tap reaches all of them soon",
  { timeout: 900_000 },
  async () => {
    const max = String(sockets + members);
    const env = { WS_MAX_SOCKETS: String(2 * sockets), WS_MAX_PER_USER: max, WS_MAX_PER_IP: String(2 * sockets) };
    await using server = await createServerProcess({ env: { ...env, RATE_LIMIT_FACTOR: "10000" } });
    await server.start();
    const seated = await server.createMembers(...Array.from({ length: members }, (_, index) => `guest-${index}`));
    const before = memoryOf(server.pid);
    const pages: ChannelSocket[] = [];
    while (pages.length < sockets) {
      const count = Math.min(atOnce, sockets - pages.length);
      const opened = Array.from({ length: count }, async (_, index) =>
        subscribeToChannel(server, seated[index % members]!),
      );
      pages.push(...(await Promise.all(opened)));
    }

    const waits: number[] = [];
    for (let number = 1; number <= taps; number += 1) {
      const began = performance.now();
      await tap(seated[0]!, randomUUID());
      const isTold = ({ events }: ChannelSocket) => events.at(-1)?.data["counterVal"] === number;
      await expect.poll(() => pages.every(isTold), { timeout: 30_000, interval: 50 }).toBe(true);
      waits.push(...pages.map(({ events }) => events.at(-1)!.at - began));
    }
    const memory = memoryOf(server.pid);
    const each = Math.round(((memory - before) * 1024) / sockets);
    const p99 = percentile(waits, 0.99);
    report(
      "T046",
      { sockets, "KiB each": each, "memory, MiB": memory, "tap to page p99, ms": p99, delivered: waits.length / taps },
      "25 KiB each, 400 MiB, p99 1000 ms, all reached",
    );
    for (const page of pages) page.close();
    expect(each).toBeLessThanOrEqual(25);
    expect(memory).toBeLessThanOrEqual(400);
    expect(p99).toBeLessThanOrEqual(1000);
  },
);
