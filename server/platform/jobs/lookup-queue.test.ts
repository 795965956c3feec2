import { expect, test, vi } from "vitest";

import { OverloadedError } from "./batcher.ts";
import { createLookupQueue } from "./lookup-queue.ts";

const double = (keys: readonly number[]) => new Map(keys.map((key) => [key, 2 * key]));

test("keys that are requested in the same turn of the event loop share a query, and a repeated key is looked up once", async () => {
  const find = vi.fn(async (keys: readonly number[]) => double(keys));
  const lookUp = createLookupQueue({ find });
  expect(await Promise.all([1, 2, 2, 3].map(lookUp))).toEqual([2, 4, 4, 6]);
  expect(find.mock.calls).toEqual([[[1, 2, 3]]]);
});

test("keys that are requested while four queries run share the next query", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const find = vi.fn(async (keys: readonly number[]) => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    await run.promise;
    return double(keys);
  });
  const lookUp = createLookupQueue({ find });
  const first: Promise<number | undefined>[] = [];
  for (const key of [1, 2, 3, 4]) {
    first.push(lookUp(key));
    await expect.poll(() => runs.length).toBe(key);
  }
  const later = [lookUp(5), lookUp(1)];
  await new Promise(setImmediate);
  expect(runs).toHaveLength(4);
  runs[1]!.resolve();
  await expect.poll(() => runs.length).toBe(5);
  for (const run of runs) run.resolve();
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 2]);
  expect(find.mock.calls).toEqual([[[1]], [[2]], [[3]], [[4]], [[5, 1]]]);
});

test("a key without a value is undefined, and a failed query rejects only its own keys", async () => {
  const find = vi.fn(async (): Promise<Map<number, number>> => new Map());
  const lookUp = createLookupQueue({ find });
  find.mockRejectedValueOnce(new Error("database is down"));
  await expect(lookUp(1)).rejects.toThrow("database is down");
  expect(await lookUp(1)).toBeUndefined();
});

test("a lookup is refused as overloaded if its query does not end in time", async () => {
  const lookUp = createLookupQueue({ find: async () => new Promise<Map<number, number>>(() => {}), maxWait: 5 });
  await expect(lookUp(1)).rejects.toThrow(OverloadedError);
});
