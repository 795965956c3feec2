// Durable beers per second: the whole server (session, CSRF token, rate limits, idempotency key, event) against the bare
// program in limit-http-sqlite.ts that does nothing but write the same rows. Both commit to disk before they answer; ours
// may put beers that arrive together into one commit. Runs alternate, so that a busy machine slows both down alike.
// The aim: faster than the limit at 64 connections.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openServer } from "#test/process/server.ts";
import { askAgainAndAgain, median, printTable, requestHead } from "./measure.ts";

const connectionCounts = [1, 16, 64];
const rounds = 5;
const seconds = 3;

export async function measureDurable(): Promise<void> {
  await using server = await openServer();
  await server.start();
  const [anna] = await server.members("anna");
  const limitPort = server.port + 1;
  const limit = spawn(
    process.execPath,
    [join(import.meta.dirname, "limit-http-sqlite.ts"), join(server.dataDir, "limit.db"), String(limitPort)],
    { stdio: "inherit" },
  );
  const head = requestHead("POST", "/api/beercounter/counters", anna!);
  try {
    await sleep(500);
    const rows = [];
    for (const connections of connectionCounts) {
      const ours: number[] = [];
      const limits: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        limits.push((await askAgainAndAgain({ port: limitPort, connections, seconds, head })).perSecond);
        ours.push((await askAgainAndAgain({ port: server.port, connections, seconds, head })).perSecond);
      }
      rows.push({
        connections: String(connections),
        "ours /s": median(ours),
        "limit /s": median(limits),
        "ours / limit": median(ours) / median(limits),
      });
    }
    printTable("Durable beers per second (medians of alternating runs)", rows);
  } finally {
    limit.kill();
  }
}
