/** Wall-clock time in epoch milliseconds. Tests pass a clock of their own. */
export interface Clock {
  now(): number;
  /** The same, but setting the system clock does not change it while the process runs. For throttles. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
};
