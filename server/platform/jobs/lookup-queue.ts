import { OverloadedError } from "./batcher.ts";

/** Maximum number of keys that one query looks up. */
export const keysPerQuery = 500;
/** Maximum number of queries at the same time; the database pool has ten connections. */
const concurrentQueries = 4;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly outcome: PromiseWithResolvers<Value | undefined>;
}

/**
 * Creates a function that looks up the value of one key; `undefined` if there is none. Keys that are
 * requested while earlier queries run share the next query. So a value is never older than its
 * request, and thousands of requests at the same time, e.g. after a restart, need few queries. The
 * function rejects if the query fails. With `maxWait`, it also rejects with an OverloadedError after
 * `maxWait` milliseconds.
 */
export function createLookupQueue<Key, Value>(parts: {
  find(keys: readonly Key[]): Promise<ReadonlyMap<Key, Value>>;
  maxWait?: number;
}): (key: Key) => Promise<Value | undefined> {
  const { find, maxWait } = parts;
  const waiting = new Set<Waiting<Key, Value>>();
  let running = 0;

  async function runQuery(): Promise<void> {
    const batch = [...waiting].slice(0, keysPerQuery);
    for (const one of batch) waiting.delete(one);
    try {
      const found = await find([...new Set(batch.map(({ key }) => key))]);
      for (const { key, outcome } of batch) outcome.resolve(found.get(key));
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
    running -= 1;
    startQueries();
  }

  function startQueries(): void {
    while (running < concurrentQueries && waiting.size > 0) {
      running += 1;
      void runQuery();
    }
  }

  return async (key) => {
    const one: Waiting<Key, Value> = { key, outcome: Promise.withResolvers() };
    // Waits until all keys that are requested in this turn of the event loop have been added.
    if (waiting.size === 0) setImmediate(startQueries);
    waiting.add(one);
    if (maxWait === undefined) return one.outcome.promise;
    const timer = setTimeout(() => {
      waiting.delete(one);
      one.outcome.reject(new OverloadedError());
    }, maxWait);
    return one.outcome.promise.finally(() => clearTimeout(timer));
  };
}
