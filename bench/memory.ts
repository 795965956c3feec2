// Compares the idle server's memory with that of plain Node with the same libraries. The goal is at
// most 130 MB for our server.
import { setTimeout as sleep } from "node:timers/promises";

import { memoryOf } from "#test/faults/process-stats.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "./baseline.ts";
import { median, printTable } from "./measure.ts";

const rounds = 3;
const restMs = 20_000;

export async function measureMemory(): Promise<void> {
  const app: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await using server = await startServerProcess();
    using libraries = await startBaseline(server.dataDir, "libraries-server.js");
    await sleep(restMs);
    app.push(memoryOf(server.pid));
    baseline.push(memoryOf(libraries.pid));
  }
  const row = {
    "app MiB": median(app),
    "baseline MiB": median(baseline),
    "app / baseline": median(app) / median(baseline),
  };
  printTable(`Memory ${restMs / 1000} s after the start (medians)`, [row]);
}
