import { setTimeout as sleep } from "node:timers/promises";

/** Timeouts and intervals in milliseconds; tests pass shorter values. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  tickMs: 1000,
  /** Age from which the driver's report on a server in a stable phase is renewed. */
  stableMs: 30_000,
  /** Age from which the driver's report on a server that is starting or stopping is renewed. */
  transitionalMs: 1000,
  /**
   * Age from which the report of an unreachable driver is renewed; also the interval of player queries while a server
   * is starting.
   */
  unreachableMs: 2000,
  /**
   * Delay between a driver's event and the inspection of a running server, because a container that is being replaced
   * is briefly missing.
   */
  settleMs: 500,
  /** Age from which a report is renewed when a member opens the page of game servers. */
  pageMs: 2000,
  /** Maximum time for which that page waits for the renewed reports. */
  pageWaitMs: 1200,
  inspectMs: 2500,
  /** Maximum time after which the member who requested a start gets an answer. */
  startMs: 10_500,
  /** Interval of player queries while a server is running. */
  playersMs: 15_000,
  /** Time for which the page of game servers counts as open after it was loaded. */
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
