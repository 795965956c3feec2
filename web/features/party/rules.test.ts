import { expect, test } from "vitest";

import { formatLength, parsePartyId } from "./rules.ts";

test.each([
  ["?id=7", 7],
  ["", null],
  ["?id=", null],
  ["?id=0", null],
  ["?id=7e1", null],
  ["?id=1234567890", null],
])("the address %j leads to party %j", (search, id) => {
  expect(parsePartyId(search)).toBe(id);
});

test.each([
  [0, "1 Min."],
  [5 * 60_000, "5 Min."],
  [60 * 60_000, "1 Std."],
  [285 * 60_000, "4 Std. 45 Min."],
  [12 * 60 * 60_000, "12 Std."],
])("%i ms are %j", (ms, text) => {
  expect(formatLength(ms)).toBe(text);
});
