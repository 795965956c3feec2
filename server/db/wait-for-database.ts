import { setTimeout as sleep } from "node:timers/promises";

import type { Log } from "#server/platform/log.ts";
import { seconds } from "#server/time.ts";

/** Time that a starting server waits for PostgreSQL, which may start at the same time. */
const waitMs = seconds(60);
const pauseMs = seconds(1);

/** Codes of a database that is not reachable yet; 57P03: PostgreSQL is starting. */
const startingCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "57P03"]);

/**
 * Repeats `work` while the database is still starting, for at most a minute. Any other failure, e.g.
 * a wrong password, rejects at once. Returns `false` if `stop` resolves first.
 */
export async function waitForDatabase(
  work: () => Promise<void>,
  { log, stop, timeouts = { waitMs, pauseMs } }: WaitOptions,
): Promise<boolean> {
  const deadline = performance.now() + timeouts.waitMs;
  let hasLogged = false;
  for (;;) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isStarting(error) || performance.now() >= deadline) throw error;
      if (!hasLogged) log.warn("waiting-for-database", { seconds: timeouts.waitMs / 1000 });
      hasLogged = true;
    }
    const isStopped = await Promise.race([stop.then(() => true), sleep(timeouts.pauseMs, false)]);
    if (isStopped) return false;
  }
}

interface WaitOptions {
  readonly log: Log;
  readonly stop: Promise<unknown>;
  readonly timeouts?: { readonly waitMs: number; readonly pauseMs: number };
}

function isStarting(error: unknown): boolean {
  // A host name with several addresses fails with the errors of all of them.
  if (error instanceof AggregateError) return error.errors.every(isStarting);
  return startingCodes.has((error as NodeJS.ErrnoException).code ?? "");
}
