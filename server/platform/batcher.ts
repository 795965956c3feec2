import { isUnavailable } from "#server/db/connect.ts";

/** Too many items are waiting to be processed in time. */
export class OverloadedError extends Error {}

/**
 * Collects the items that arrive while the last commit runs, and commits them together: one durable write for all of them.
 * `commit` gets the items in order and returns one result for each. Throws an OverloadedError where `maxWaiting` items wait.
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
        // Items that arrived meanwhile would wait as long once more, and fail too.
        if (isUnavailable(error)) batch.push(...waiting.splice(0));
        for (const { reject } of batch) reject(error);
      }
      // Lets requests that have arrived be read, so that the next batch contains all of them.
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
