import { expect, test } from "vitest";

import { createBatcher, OverloadedError } from "./batcher.ts";

/** A batcher whose commits wait until the test finishes them. */
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

test("what arrives while a commit runs is committed together, in order, and everybody gets their own result", async () => {
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

test("no item is resolved before its commit", async () => {
  const { submit, letGo, batches } = createControlledBatcher();
  let isAnswered = false;
  const answer = submit(1).then(() => (isAnswered = true));
  while (batches.length === 0) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  await letGo();
  await answer;
});

test("the items of a failed commit are tried one by one, so that only the one at fault is rejected", async () => {
  const { batches, submit, letGo } = createControlledBatcher();
  const results = Promise.allSettled([submit(12), submit(13), submit(1)]);
  for (let commit = 0; commit < 4; commit++) await letGo();
  expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[12, 13, 1], [12], [13], [1]]);
  const next = submit(2);
  await letGo();
  expect(await next).toBe("done 2");
});

test("where the database is unavailable, items that wait for the next commit fail at once as well", async () => {
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

test("more than can wait is refused at once, not kept", async () => {
  const { submit, letGo } = createControlledBatcher();
  const accepted = [1, 2, 3, 4, 5].map(submit);
  await expect(submit(6)).rejects.toThrow(OverloadedError);
  await letGo();
  await letGo();
  expect(await Promise.all(accepted)).toHaveLength(5);
});
