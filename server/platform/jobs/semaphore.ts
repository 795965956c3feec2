import { OverloadedError } from "./batcher.ts";

/**
 * Creates a function that runs at most `permits` calls of expensive work at once; further calls
 * wait in order. It rejects a call with an OverloadedError if `maxWaiting` calls are already
 * waiting.
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
  /** `waitingCount` returns the number of calls that wait for a permit. */
  return Object.assign(withPermit, { waitingCount: () => waiting.length });
}
