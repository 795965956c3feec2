import { expect, test } from "vitest";

import { findLastLine } from "./driver.ts";

test.each([
  ["Loading world\nbind: Address already in use\n\n", "bind: Address already in use"],
  ["10 %\r20 %\rout of disk space\r\n", "out of disk space"],
  ["\u001B[31mERROR\u001B[0m\tno\u0007 \u202Elicence", "ERROR no licence"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ["", null],
  [" \n\u0000\n", null],
])("findLastLine(%j) returns %j", (output, line) => {
  expect(findLastLine(output)).toBe(line);
});

test("findLastLine shortens a long line to 200 characters", () => {
  expect(findLastLine("🍺".repeat(200))).toBe("🍺".repeat(200));
  expect(findLastLine("🍺".repeat(201))).toBe(`${"🍺".repeat(199)}…`);
});
