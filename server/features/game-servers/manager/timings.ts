import { setTimeout as sleep } from "node:timers/promises";

/** How long things take and how often they happen; tests pass shorter ones. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** How often every server is checked. */
  tickMs: 1000,
  /** How old an observation may be: in a stable phase, during a change, and while the driver is unreachable. */
  stableMs: 30_000,
  transitionalMs: 1000,
  unreachableMs: 2000,
  /** How long after a change to a running server its driver is asked: one that is replaced is gone for a moment. */
  settleMs: 500,
  /** How old it may be when somebody opens the page, and how long that request waits for a new one. */
  pageMs: 2000,
  pageWaitMs: 1200,
  inspectMs: 2500,
  /** How long a member who starts a server waits for an answer. */
  startMs: 10_500,
  /** How often players are counted, and how long a page counts as open after it was read. */
  playersMs: 15_000,
  watchedMs: 120_000,
  /** How long another instance may take. */
  remoteMs: 11_500,
};

/** What the promise resolves to, or `fallback` where it takes longer than `ms`. */
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
