import { setTimeout as sleep } from "node:timers/promises";

import { seconds } from "#server/time.ts";

/** PostgreSQL may start at the same time as the server. */
const waitMs = seconds(60);
const pauseMs = seconds(1);

/** 57P03: PostgreSQL is starting. */
const startingCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "57P03"]);

/**
 * Repeats `work` while the database is starting, for at most a minute. Any other failure, e.g. a wrong password,
 * rejects at once. Resolves to `false` if `stop` resolves first.
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
  // Node combines the failures of a host name's addresses into one error.
  if (error instanceof AggregateError) return error.errors.every(isStarting);
  return startingCodes.has((error as NodeJS.ErrnoException).code ?? "");
}
