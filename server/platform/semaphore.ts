import { OverloadedError } from "./batcher.ts";

/**
 * Limits how much expensive work runs at a time to so many permits; the rest waits in order. Calls throw an OverloadedError where
 * `maxWaiting` others are waiting.
 */
export function createSemaphore(permits: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  async function withPermit<Result>(maxWaiting: number, work: () => Promise<Result>): Promise<Result> {
    if (running >= permits) {
      if (waiting.length >= maxWaiting) throw new OverloadedError();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }
  /** `waitingCount`: how many are waiting for a permit. */
  return Object.assign(withPermit, { waitingCount: () => waiting.length });
}
