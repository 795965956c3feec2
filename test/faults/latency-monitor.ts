import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "#test/client.ts";
import { counters } from "#test/process/load.ts";
import type { ServerProcess } from "#test/process/server-process.ts";
import { memoryOf } from "./process-stats.ts";
import { percentile } from "./report.ts";

/**
 * Measurements during an attack: the 99th percentile of a member's GET in milliseconds, and the
 * server's largest memory in MiB.
 */
interface LatencyReport {
  readonly p99: number;
  readonly most: number;
}

/**
 * Reads the counters every few milliseconds until `stop` is called, which throws if any answer was
 * not 200.
 */
export function monitorLatency(
  server: ServerProcess,
  member: Client,
  everyMs = 20,
): { stop(): Promise<LatencyReport> } {
  const waits: number[] = [];
  let most = 0;
  const over = new AbortController();
  async function ask(): Promise<void> {
    while (!over.signal.aborted) {
      const began = performance.now();
      // Measures a failed connection like an answer instead of throwing: a connection fails only if
      // the machine is too slow to run the attack.
      const answer = await member.get(counters).catch(() => null);
      if (answer && answer.status !== 200) throw new Error(`A member was answered ${answer.status}.`);
      waits.push(performance.now() - began);
      most = Math.max(most, memoryOf(server.pid));
      await sleep(everyMs);
    }
  }
  const asking = ask();
  // Prevents an unhandled rejection, because stop() rethrows an early failure.
  asking.catch(() => {});
  return {
    async stop() {
      over.abort();
      await asking;
      return { p99: percentile(waits, 0.99), most };
    },
  };
}
