import { expect, test } from "vitest";

import { oneMoreToast, toastsInWords } from "./rules.ts";

test("toasts close after each other are told together", () => {
  const one = oneMoreToast(null, 1000);
  const two = oneMoreToast(one, 5999);
  const three = oneMoreToast(two, 10_998);
  expect([one, two, three].map((toasts) => toastsInWords(toasts, "Ben"))).toEqual([
    "Ben prostet zurück!",
    "2 × Prost zurück",
    "3 × Prost zurück",
  ]);
  expect(toastsInWords(oneMoreToast(three, 15_998), "Anna")).toBe("Anna prostet zurück!");
});
