import { setTimeout as sleep } from "node:timers/promises";

/** Timeouts and intervals in milliseconds; tests pass shorter ones. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval of the checks of every server. */
  tickMs: 1000,
  /** Maximum age of an observation: in a stable phase, during a transition, and while the driver is unreachable. */
  stableMs: 30_000,
  transitionalMs: 1000,
  unreachableMs: 2000,
  /** Delay before a running server's driver is asked after an event: a container that is being replaced is briefly missing. */
  settleMs: 500,
  /** Maximum age of an observation when a member opens the page, and the longest wait for a new one. */
  pageMs: 2000,
  pageWaitMs: 1200,
  inspectMs: 2500,
  /** Timeout of a start for the member who requested it. */
  startMs: 10_500,
  /** Interval of player counts, and the time a page counts as open after it was read. */
  playersMs: 15_000,
  watchedMs: 120_000,
  /** Timeout of another instance. */
  remoteMs: 11_500,
};

/** Resolves to the promise's value, or to `fallback` after `ms`. */
export async function withTimeout<Value, Fallback>(
  promise: Promise<Value>,
  ms: number,
  fallback: Fallback,
): Promise<Value | Fallback> {
  const over = new AbortController();
  const wait = sleep(ms, fallback, { signal: over.signal }).catch(() => fallback);
  try {
    return await Promise.race([promise, wait]);
  } finally {
    over.abort();
  }
}
