import { setTimeout as sleep } from "node:timers/promises";

/** All in milliseconds. Tests pass shorter ones. */
export interface Timings {
  /** How often every server is thought of. */
  readonly beat: number;
  /** How old the last look may be: while all is calm, on the way from one state to another, and without an engine. */
  readonly calm: number;
  readonly unsettled: number;
  readonly unreachable: number;
  /** How old it may be when somebody opens the page, and how long that page waits for a new one. */
  readonly opened: number;
  readonly openedWait: number;
  readonly inspectWithin: number;
  /** How long whoever starts a server waits for an answer. */
  readonly startWithin: number;
  /** How often players are counted, and how long a page counts as open after it was read. */
  readonly count: number;
  readonly watched: number;
  /** How long another instance may take. */
  readonly remote: number;
}

export const defaultTimings: Timings = {
  beat: 1000,
  calm: 30_000,
  unsettled: 1000,
  unreachable: 2000,
  opened: 2000,
  openedWait: 1200,
  inspectWithin: 2500,
  startWithin: 10_500,
  count: 15_000,
  watched: 120_000,
  remote: 11_500,
};

/** What the promise comes to, or the other value when it takes longer. */
export async function within<Value, Late>(ms: number, promise: Promise<Value>, late: Late): Promise<Value | Late> {
  const over = new AbortController();
  const wait = sleep(ms, late, { signal: over.signal }).catch(() => late);
  try {
    return await Promise.race([promise, wait]);
  } finally {
    over.abort();
  }
}
