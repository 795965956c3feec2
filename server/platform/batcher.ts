import { isUnavailable } from "#server/db/connect.ts";

/** More is waiting than could be answered in time. */
export class OverloadedError extends Error {}

/**
 * Collects what arrives while the last commit runs and commits it together: one durable write serves everybody in it,
 * and nobody is answered before it. `commit` gets items in order and returns one result for each.
 */
export function createBatcher<Item, Result>({
  commit,
  maxBatch,
  maxWaiting,
}: {
  commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  maxBatch: number;
  maxWaiting: number;
}): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve: (result: Result) => void; reject: (reason: unknown) => void }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch);
      try {
        const results = await commit(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        // Whoever came meanwhile has waited as long as the others, and would wait as long once more.
        if (isUnavailable(error)) batch.push(...waiting.splice(0));
        for (const { reject } of batch) reject(error);
      }
      // Lets the requests that arrived meanwhile be read, so that the next batch holds all of them.
      await new Promise(setImmediate);
    }
    isRunning = false;
  }

  return (item) => {
    if (waiting.length >= maxWaiting) return Promise.reject(new OverloadedError());
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void run());
    });
  };
}
