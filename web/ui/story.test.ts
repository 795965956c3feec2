import { expect, test } from "vitest";

import { gestureStep } from "./story.tsx";

test.each<[string, number, number, number, number, -1 | 0 | 1]>([
  ["a tap on the right half", 300, 400, 302, 401, 1],
  ["a tap on the left half", 90, 400, 90, 400, -1],
  ["a swipe to the left", 300, 400, 200, 410, 1],
  ["a swipe to the right", 100, 400, 200, 390, -1],
  ["a short swipe", 200, 400, 180, 400, 0],
  ["scrolling", 200, 400, 150, 600, 0],
])("gestureStep turns %s into a step to the next, previous or same card", (_, startX, startY, endX, endY, step) => {
  expect(gestureStep({ startX, startY, endX, endY, width: 390 })).toBe(step);
});
