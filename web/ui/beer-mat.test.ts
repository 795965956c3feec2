import { expect, test } from "vitest";

import { difference, maxSingleStrokes, splitTally } from "./beer-mat.tsx";

test.each([
  [0, 0, 0],
  [1, 0, 1],
  [5, 0, 5],
  [maxSingleStrokes, 0, 50],
  [51, 10, 1],
  [55, 11, 0],
  [1234, 246, 4],
])(
  "splitTally splits %i beers into %i bundles of five, whose number is written beside one bundle, and %i single strokes",
  (count, times, strokes) => {
    expect(splitTally(count)).toEqual({ times, strokes });
  },
);

test.each([
  ["1.233", "1.234", "1.23", ["3>4"]],
  ["1.239", "1.240", "1.2", ["3>4", "9>0"]],
  ["9", "10", "", [" >1", "9>0"]],
  ["999", "1.000", "", [" >1", " >.", "9>0", "9>0", "9>0"]],
  ["100", "99", "", ["0>9", "0>9"]],
])("only the changed digits are animated when a number changes from %s to %s", (was, text, kept, rolls) => {
  const roll = difference(was, text);
  expect(roll.kept).toBe(kept);
  expect(roll.figures.map(({ before, now }) => `${before}>${now}`)).toEqual(rolls);
});
