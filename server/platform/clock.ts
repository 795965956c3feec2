import { setTimeout as sleep } from "node:timers/promises";

/** The time in epoch milliseconds. Tests pass a fake clock. */
export interface Clock {
  now(): number;
  /** Milliseconds that ignore changes of the system clock, for throttles. */
  monotonic(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: (ms) => sleep(ms),
};
