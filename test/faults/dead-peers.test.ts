import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { type ChannelSocket, openPages, subscribeToChannel } from "#test/process/channel-socket.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { iptables, ensureInstalled } from "../../scripts/system-programs.ts";
import { report } from "./report.ts";

/** Only root may drop packets. */
const isRoot = process.getuid?.() === 0;
const dead = 500;
const patienceMs = 190_000;

test.runIf(isRoot)("sockets of pages that vanished stop counting towards the socket limit", async () => {
  const filter = await ensureInstalled(iptables);
  if (!filter) throw new Error("iptables is missing");
  await using server = await startServerProcess({ env: { WS_MAX_PER_USER: String(dead), WS_MAX_PER_IP: "1000" } });
  const [anna] = await server.createMembers("anna");
  const pages = await openPages(server, [anna!], dead);
  const isTurnedAway = async () =>
    subscribeToChannel(server, anna!).then(
      (page) => (page.close(), false),
      () => true,
    );
  expect(await isTurnedAway()).toBe(true);

  const ports = pages.map(
    ({ webSocket }) => (webSocket as unknown as { _socket: { localPort: number } })._socket.localPort,
  );
  const chain = `dead-${server.port}`;
  const run = (...words: string[]) => execFileSync(filter, ["-w", ...words]);
  run("-N", chain);
  for (const port of ports)
    for (const end of ["--dport", "--sport"]) run("-A", chain, "-p", "tcp", end, String(port), "-j", "DROP");
  const entry = ["INPUT", "-i", "lo", "-p", "tcp", "-j", chain];
  run("-I", ...entry);
  try {
    const began = performance.now();
    while ((await isTurnedAway()) && performance.now() - began < patienceMs) await sleep(500);
    const firstMs = performance.now() - began;
    // All dead sockets are gone once the same number of new pages has connected.
    const others: ChannelSocket[] = [];
    while (others.length < dead && performance.now() - began < patienceMs) {
      const page = await subscribeToChannel(server, anna!).catch(() => null);
      if (page) others.push(page);
      else await sleep(500);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    for (const { close } of [...pages, ...others]) close();
    report(
      "T078",
      {
        sockets: dead,
        "first place free, s": Math.round(firstMs / 1000),
        "all places free, s": seconds,
        free: others.length,
      },
      `all within ${patienceMs / 1000} s`,
    );
    expect(others).toHaveLength(dead);
  } finally {
    run("-D", ...entry);
    run("-F", chain);
    run("-X", chain);
  }
});
