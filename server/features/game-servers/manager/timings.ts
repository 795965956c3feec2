import { setTimeout as sleep } from "node:timers/promises";

/** Timeouts and intervals in milliseconds; tests pass shorter values. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval in which every server is checked. */
  tickMs: 1000,
  /**
   * Maximum age of an observation in a stable phase, during a change, and while the driver is
   * unreachable.
   */
  stableMs: 30_000,
  transitionalMs: 1000,
  unreachableMs: 2000,
  /**
   * Delay between an event and the inspection of a running server, because a container that is
   * being replaced is briefly missing.
   */
  settleMs: 500,
  /**
   * Maximum age of an observation when a member opens the page, and maximum wait for a new
   * observation.
   */
  pageMs: 2000,
  pageWaitMs: 1200,
  inspectMs: 2500,
  /** Timeout of a start for the member who requested it. */
  startMs: 10_500,
  /** Interval of player queries, and time for which a page counts as open after it was loaded. */
  playersMs: 15_000,
  watchedMs: 120_000,
  /** Timeout for the leader's answer to a task of another instance. */
  remoteMs: 11_500,
  /** Time without an instance on a program's machine after which the program is unreachable. */
  machineGoneMs: 30_000,
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
