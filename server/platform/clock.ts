import { setTimeout as sleep } from "node:timers/promises";

/** Wall-clock time in epoch milliseconds. Tests pass a clock of their own. */
export interface Clock {
  now(): number;
  /** The same, but setting the system clock does not change it while the process runs. For throttles. */
  monotonic(): number;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: (ms) => sleep(ms),
};
