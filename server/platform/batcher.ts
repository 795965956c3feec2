import { isUnavailable } from "#server/db/connect.ts";

/** Too many items are waiting to be processed in time. */
export class OverloadedError extends Error {}

/**
 * Collects the items that arrive while the last commit runs, and commits them together: one durable write for all of them.
 * `commit` gets the items in order and returns one result for each; it must not fail after it has written. A batch that fails,
 * unless the database is unavailable, is tried again item by item. Throws an OverloadedError where `maxWaiting` items wait.
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
  interface Entry {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (reason: unknown) => void;
  }
  const waiting: Entry[] = [];
  let isRunning = false;

  async function commitBatch(batch: readonly Entry[]): Promise<void> {
    try {
      const results = await commit(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) {
        for (const entry of batch) await commitBatch([entry]);
        return;
      }
      // Items that arrived meanwhile would wait as long once more, and fail too.
      const failed = isUnavailable(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await commitBatch(waiting.splice(0, maxBatch));
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
