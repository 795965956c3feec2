import { expect, test } from "vitest";

import { createCurve, curvePath, curvePosition } from "./area-curve.tsx";

test("the curve of a single beer is one hill that begins and ends at 0", () => {
  const heights = createCurve([1]).map(({ y }) => Math.round(y * 100) / 100);
  expect(heights).toEqual([0, 0.17, 0.67, 1, 0.67, 0.17, 0]);
  expect(curvePosition(0, 1)).toBe(0.5);
});

test("the smooth SVG path of a curve begins and ends on the baseline, and stays between it and the highest value", () => {
  const path = curvePath(createCurve([0, 9, 0, 0, 1, 30, 2]), 1000, 200);
  const numbers = path.match(/-?[\d.]+/g)!.map(Number);
  const heights = numbers.filter((_, index) => index % 2 === 1);
  expect([Math.min(...heights), Math.max(...heights)]).toEqual([0, 200]);
  const ends = [path.startsWith("M0 200C"), path.endsWith(" 1000 200")];
  expect(ends).toEqual([true, true]);
});

test("a curve without beers is flat", () => {
  expect(createCurve([0, 0]).every(({ y }) => y === 0)).toBe(true);
});
