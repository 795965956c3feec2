import { expect, test } from "vitest";

import { coalesce } from "./coalesce.ts";

test("calls that arrive during a coalesced read share the next read and get its result", async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const ask = coalesce(() => {
    reads.push(Promise.withResolvers());
    return reads.at(-1)!.promise;
  });
  const first = ask();
  const later = Promise.all(Array.from({ length: 1000 }, ask));
  reads[0]!.resolve(1);
  expect(await first).toBe(1);
  reads[1]!.resolve(2);
  expect(new Set(await later)).toEqual(new Set([2]));
  expect(reads).toHaveLength(2);
});

test("a failed coalesced read rejects only the calls that share the read", async () => {
  const results = [Promise.reject(new Error("away")), Promise.resolve(2)];
  const ask = coalesce(() => results.shift()!);
  const answers = await Promise.allSettled([ask(), ask()]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
