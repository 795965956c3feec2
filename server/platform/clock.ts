/** Wall-clock time in epoch milliseconds. Tests pass a clock of their own. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
