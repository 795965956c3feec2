import { expect, test } from "vitest";

import { isRetryable, retryDelay } from "./outbox-rules.ts";

test.each([
  [0, true],
  [401, true],
  [404, true],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [403, false],
  [419, false],
  [422, false],
])("isRetryable for status %i returns %s", (status, isWorth) => {
  expect(isRetryable(status)).toBe(isWorth);
});

test("retryDelay doubles from half a second up to 30 seconds", () => {
  expect([1, 2, 3, 7, 20].map((failures) => retryDelay(failures, 0.5))).toEqual([500, 1000, 2000, 30_000, 30_000]);
  expect(retryDelay(1, 0)).toBe(375);
});
