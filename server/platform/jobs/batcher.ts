import { isUnavailable } from "#server/db/connect.ts";

/** The queue is too long to process another item in time. */
export class OverloadedError extends Error {}

/**
 * Collects the items that arrive during a commit, and commits them together. `commit` returns a result for each item in
 * order; it must not fail after writing. A failed batch is retried item by item, unless the database is unavailable.
 * Rejects with an OverloadedError if `maxWaiting` items wait.
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
      // The waiting items would fail after the same delay.
      const failed = isUnavailable(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await commitBatch(waiting.splice(0, maxBatch));
      // Requests that have already arrived are read now, so that the next batch contains them.
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
