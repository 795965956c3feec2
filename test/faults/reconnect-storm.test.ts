import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import type { PusherClientOptions, PusherClientState } from "./pusher-clients.ts";
import { report } from "./report.ts";

const pages = 1000;
const members = 50;

test("a thousand pages reconnect within ten seconds after the server was killed, and none is refused", async () => {
  await using server = await startServerProcess({
    env: { WS_MAX_PER_IP: "2000", WS_MAX_PER_USER: "30", RATE_LIMIT_FACTOR: "20" },
  });
  const seated = await server.createMembers(...Array.from({ length: members }, (_, index) => `guest-${index}`));
  const headers = seated.map((member) => ({
    host: member.host,
    cookie: member.cookieHeader,
    "x-xsrf-token": member.csrfToken,
  }));
  const argument: PusherClientOptions = { port: server.port, count: pages, headers };
  const child = spawn(process.execPath, [join(import.meta.dirname, "pusher-clients.ts"), JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let state: PusherClientState = { joined: 0, refused: {}, slowestAuth: 0 };
    createInterface(child.stdout).on("line", (line) => (state = JSON.parse(line) as PusherClientState));
    await expect.poll(() => state.joined, { timeout: 60_000 }).toBe(pages);
    await tap(seated[0]!, "before-the-kill");

    await server.kill();
    await expect.poll(() => state.joined, { timeout: 5000 }).toBe(0);
    await server.start();
    const began = performance.now();
    while (state.joined < pages && performance.now() - began < 60_000) await sleep(20);
    const seconds = (performance.now() - began) / 1000;
    const { joined, refused, slowestAuth } = state;
    const limited = refused["429"] ?? 0;
    report(
      "T048",
      {
        pages,
        joined,
        "seconds until all were back": Number(seconds.toFixed(1)),
        "429": limited,
        "slowest authorisation, ms": Math.round(slowestAuth),
      },
      "all back within 10 s, 0 refused as too many, authorised within 2000 ms",
    );
    expect([joined, refused]).toEqual([pages, {}]);
    expect(seconds).toBeLessThan(10);
    expect(slowestAuth).toBeLessThan(2000);
  } finally {
    child.kill();
  }
});
