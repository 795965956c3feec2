import { expect, test } from "vitest";

import { addToast, describeToasts } from "./rules.ts";

test("one message counts the members who toast the reader within five seconds of each other", () => {
  const one = addToast(null, 1000);
  const two = addToast(one, 5999);
  const three = addToast(two, 10_998);
  expect([one, two, three].map((toasts) => describeToasts(toasts, "Ben"))).toEqual([
    "Ben prostet zurück!",
    "2 × Prost zurück",
    "3 × Prost zurück",
  ]);
  expect(describeToasts(addToast(three, 15_998), "Anna")).toBe("Anna prostet zurück!");
});
