import { OverloadedError } from "./batcher.ts";

/**
 * Runs at most `permits` calls at once; further calls wait in order. Rejects with an OverloadedError if `maxWaiting`
 * calls already wait.
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
  return Object.assign(withPermit, { waitingCount: () => waiting.length });
}
