import { expect, test } from "vitest";

import { problems } from "./checks.ts";

test("a type error that the compiler prints once per TypeScript project is shown only once, with all lines of its message", () => {
  const one = "contract/a.ts(1,2): error TS2322: Type A is not B.\n  Property x is missing.";
  const other = "server/b.ts(3,4): error TS2304: Cannot find name c.";
  expect(problems(`${one}\n${one}\n${other}\n`)).toBe(`${one}\n${other}`);
});
