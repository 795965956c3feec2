import { setTimeout as sleep } from "node:timers/promises";

/** The system's clock, or a fake clock in tests. `now` returns milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /**
   * Returns milliseconds for measuring durations. Changes of the system clock do not affect them.
   */
  monotonic(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: (ms) => sleep(ms),
};
