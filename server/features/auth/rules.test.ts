import { expect, test } from "vitest";

import { accountPause, minute } from "./rules.ts";

test("the pause doubles with each further failure, up to a day", () => {
  const minutes = [99, 100, 101, 102, 106, 107, 200].map((failures) => accountPause(failures, 100) / minute);
  expect(minutes).toEqual([0, 15, 30, 60, 960, 1440, 1440]);
});
