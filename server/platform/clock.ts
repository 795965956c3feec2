import { setTimeout as sleep } from "node:timers/promises";

/** `now` returns epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Milliseconds for durations, unaffected by changes of the system clock. */
  monotonic(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
  sleep: (ms) => sleep(ms),
};
