import { setTimeout as sleep } from "node:timers/promises";

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
  { onWait, stop, timeouts = { waitMs, pauseMs } }: WaitOptions,
): Promise<boolean> {
  const deadline = performance.now() + timeouts.waitMs;
  let isWaiting = false;
  for (;;) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isStarting(error) || performance.now() >= deadline) throw error;
      if (!isWaiting) onWait();
      isWaiting = true;
    }
    const isStopped = await Promise.race([stop.then(() => true), sleep(timeouts.pauseMs, false)]);
    if (isStopped) return false;
  }
}

interface WaitOptions {
  /** Called once, when the waiting begins. */
  readonly onWait: () => void;
  readonly stop: Promise<unknown>;
  readonly timeouts?: { readonly waitMs: number; readonly pauseMs: number };
}

function isStarting(error: unknown): boolean {
  // If a host name has several addresses, Node combines the failures of all of them into one error.
  if (error instanceof AggregateError) return error.errors.every(isStarting);
  return startingCodes.has((error as NodeJS.ErrnoException).code ?? "");
}
