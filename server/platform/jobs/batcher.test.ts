import { expect, test } from "vitest";

import { createBatcher, OverloadedError } from "./batcher.ts";

/** Creates a batcher in which each commit finishes only when the test calls `letGo`. */
function createControlledBatcher() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const submit = createBatcher<number, string>({
    maxBatch: 3,
    maxWaiting: 5,
    commit: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (items.includes(13)) throw new Error("unlucky");
      if (items.includes(14)) throw new Error("Connection terminated unexpectedly");
      return items.map((item) => `done ${item}`);
    },
  });
  async function finishCommit(): Promise<void> {
    while (gates.length === 0) await new Promise(setImmediate);
    gates.shift()!();
  }
  return { batches, submit, letGo: finishCommit };
}

test("items that reach the batcher during a commit are committed together, each with its own result", async () => {
  const { batches, submit, letGo } = createControlledBatcher();
  const first = submit(1);
  while (batches.length === 0) await new Promise(setImmediate);
  const rest = [2, 3, 4, 5].map(submit);
  await letGo();
  expect(await first).toBe("done 1");
  await letGo();
  await letGo();
  expect(await Promise.all(rest)).toEqual(["done 2", "done 3", "done 4", "done 5"]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test("the promise of a batched item resolves only after the item's commit", async () => {
  const { submit, letGo, batches } = createControlledBatcher();
  let isAnswered = false;
  const answer = submit(1).then(() => (isAnswered = true));
  while (batches.length === 0) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  await letGo();
  await answer;
});

test("the batcher retries the items of a failed commit one by one, and rejects only the faulty item", async () => {
  const { batches, submit, letGo } = createControlledBatcher();
  const results = Promise.allSettled([submit(12), submit(13), submit(1)]);
  for (let commit = 0; commit < 4; commit++) await letGo();
  expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[12, 13, 1], [12], [13], [1]]);
  const next = submit(2);
  await letGo();
  expect(await next).toBe("done 2");
});

test("an unavailable database also rejects the items that wait for the next commit", async () => {
  const { batches, submit, letGo } = createControlledBatcher();
  const first = submit(14);
  while (batches.length === 0) await new Promise(setImmediate);
  const results = Promise.allSettled([first, ...[2, 3, 4, 5].map(submit)]);
  await letGo();
  expect((await results).filter(({ status }) => status === "rejected")).toHaveLength(5);
  const next = submit(6);
  await letGo();
  expect(await next).toBe("done 6");
  expect(batches).toEqual([[14], [6]]);
});

test("the batcher rejects an item at once if its queue is full", async () => {
  const { submit, letGo } = createControlledBatcher();
  const accepted = [1, 2, 3, 4, 5].map(submit);
  await expect(submit(6)).rejects.toThrow(OverloadedError);
  await letGo();
  await letGo();
  expect(await Promise.all(accepted)).toHaveLength(5);
});
