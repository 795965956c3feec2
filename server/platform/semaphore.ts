import { OverloadedError } from "./batcher.ts";

/** Runs work that would crowd the machine: `atOnce` at a time, the rest in the order in which it came. */
export interface Semaphore {
  <Result>(maxWaiting: number, work: () => Promise<Result>): Promise<Result>;
  /** How many wait for their turn. */
  waitingCount(): number;
}

/** `maxWaiting` bounds the queue at the time of asking; beyond it an OverloadedError says so at once. */
export function createSemaphore(permits: number): Semaphore {
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
