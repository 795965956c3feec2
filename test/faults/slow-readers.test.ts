import { globalAgent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { type ChannelSocket, openPages } from "#test/process/channel-socket.ts";
import { tap } from "#test/process/load.ts";
import { firstInvitation, registerMember, startServerProcess } from "#test/process/server-process.ts";
import { connectionsTo, memoryOf } from "./process-stats.ts";
import { percentile, report } from "./report.ts";

const awakes = 400;
const sleepers = 50;
/**
 * Timeout in milliseconds. It is long because the system's buffers take a few MiB per socket before
 * unread data accumulates in the server.
 */
const patienceMs = 200_000;

test("the server closes sockets that stop reading, and delays no other socket", async () => {
  await using server = await startServerProcess({ env: { WS_MAX_PER_USER: "1000", WS_MAX_PER_IP: "1000" } });
  // Gives Anna a long name, because the name makes events long.
  const anna = await registerMember(server, "anna", firstInvitation(server), "🍺".repeat(30));
  const awake = await openPages(server, [anna], awakes);
  const asleep = await openPages(server, [anna], sleepers);
  for (const { webSocket } of asleep) webSocket.pause();
  // Closes the idle connections of the logins, which would otherwise close later and be counted as sleepers.
  globalAgent.destroy();
  await tap(anna, "before-the-sleepers");
  const everybody = awakes + sleepers + 1;
  await expect.poll(() => connectionsTo(server.port)).toBe(everybody);
  const memory = memoryOf(server.pid);

  const began = performance.now();
  const delays: number[] = [];
  let [taps, most] = [0, memory];
  while (connectionsTo(server.port) > everybody - sleepers && performance.now() - began < patienceMs) {
    for (let round = 0; round < 100; round += 1) await tap(anna, `for-the-sleepers-${taps++}`);
    const sent = performance.now();
    const { json } = await tap(anna, `for-the-sleepers-${taps++}`);
    for (const { events } of awake) while (events.at(-1)?.data["counterVal"] !== json.KSKCounterVal) await sleep(1);
    delays.push(performance.now() - sent);
    most = Math.max(most, memoryOf(server.pid));
    for (const socket of awake) (socket.events as unknown[]).length = 0;
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const isOpen = ({ webSocket }: ChannelSocket) => webSocket.readyState === webSocket.OPEN;
  for (const { webSocket } of asleep) webSocket.resume();
  // Each socket reads thousands of buffered events before it learns that it was closed.
  for (let second = 0; second < 30 && asleep.some(isOpen); second += 1) await sleep(1000);
  const [left, kept] = [asleep.filter(isOpen).length, awake.filter(isOpen).length];
  const [p99, grown] = [percentile(delays, 0.99), most - memory];
  report(
    "T047",
    {
      events: taps,
      seconds,
      "sleepers left": left,
      "awake left": kept,
      "awake p99, ms": p99,
      "memory grown, MiB": grown,
    },
    "every sleeper cut, everybody else served within 1000 ms at 99 %, 150 MiB",
  );
  expect([left, kept]).toEqual([0, awakes]);
  expect(p99).toBeLessThan(1000);
  expect(grown).toBeLessThan(150);
});
