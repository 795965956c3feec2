import { expect, test } from "vitest";

import { csvLine } from "./account-rules.ts";

test.each([
  ["=cmd|x", "'=cmd|x"],
  ["+49", "'+49"],
  ["-1", "'-1"],
  ["@SUM", "'@SUM"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ["＝1", "'＝1"],
  ["a=b", "a=b"],
  ["Käse", "Käse"],
])("csvLine writes %j so that a spreadsheet does not run it as a formula", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});
