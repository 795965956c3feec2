import { setTimeout as sleep } from "node:timers/promises";

/** Tests pass shorter values. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  tickMs: 1000,
  /** Maximum age of the driver's report on a server in a stable phase. */
  stableMs: 30_000,
  /** Maximum age of the report on a server that is starting or stopping. */
  transitionalMs: 1000,
  /** Maximum age of the report of an unreachable driver; also the interval of player queries during a start. */
  unreachableMs: 2000,
  /** Delay before inspecting a running server after an event: a container that is being replaced is briefly missing. */
  settleMs: 500,
  /** Maximum age of a report when a member opens the page. */
  pageMs: 2000,
  /** Maximum time for which that page waits. */
  pageWaitMs: 1200,
  inspectMs: 2500,
  /** Maximum time until the member who requested a start gets an answer. */
  startMs: 10_500,
  /** Interval of player queries while a server is running. */
  playersMs: 15_000,
  /** Time for which the page counts as open after it was loaded. */
  watchedMs: 120_000,
  /** Timeout for the leader's answer to another instance. */
  remoteMs: 11_500,
  /** Time without an instance on its machine after which a program is unreachable. */
  machineGoneMs: 30_000,
};

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
