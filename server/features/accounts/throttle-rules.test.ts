import { expect, test } from "vitest";

import { pauseMsAfter } from "./throttle-rules.ts";

test("the login pause doubles with each failure after the hundredth, up to a day", () => {
  const minutes = [99, 100, 101, 102, 106, 107, 200].map((failures) => pauseMsAfter(failures, 100) / 60_000);
  expect(minutes).toEqual([0, 15, 30, 60, 960, 1440, 1440]);
});
