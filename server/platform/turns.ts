import { OverloadedError } from "./group-commit.ts";

/** Runs work that would crowd the machine: `atOnce` at a time, the rest in the order in which it came. */
export type Turns = <Result>(maxWaiting: number, work: () => Promise<Result>) => Promise<Result>;

/** `maxWaiting` bounds the queue at the time of asking; beyond it an OverloadedError says so at once. */
export function openTurns(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (maxWaiting, work) => {
    if (running >= atOnce) {
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
  };
}
