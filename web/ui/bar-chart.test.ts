import { expect, test } from "vitest";

import { barHeight } from "./bar-chart.tsx";

test.each([
  [0, [0, 0], 0],
  [1, [1], 100],
  [1, [1, 3], 33.33],
  [2, [3, 2], 66.67],
  [5, [], 0],
])("a bar with the value %i among the values %j is %d percent high", (value, values, height) => {
  expect(barHeight(value, values)).toBe(height);
});
