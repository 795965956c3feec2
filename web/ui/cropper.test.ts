import { expect, test } from "vitest";

import { createCrop, findMiddle } from "./cropper.tsx";

test("a new crop is a centered square as wide as the picture's shorter side, or as the given share of that side", () => {
  const square = (x: number, y: number, side: number) => ({ area: { x, y, width: side, height: side }, rotation: 0 });
  expect(createCrop({ width: 400, height: 200 })).toEqual(square(100, 0, 200));
  expect(createCrop({ width: 400, height: 200 }, 0.8)).toEqual(square(120, 20, 160));
  expect(createCrop({ width: 1, height: 1 }, 0.2)).toEqual(square(0, 0, 1));
});

test("findMiddle returns a picture's center relative to the crop, with width and height swapped if turned by 90 degrees", () => {
  const picture = { width: 400, height: 200 };
  const area = { x: 10, y: 30, width: 100, height: 100 };
  expect([0, 90, 180, 270].map((rotation) => findMiddle(picture, { area, rotation }))).toEqual([
    { x: 190, y: 70 },
    { x: 90, y: 170 },
    { x: 190, y: 70 },
    { x: 90, y: 170 },
  ]);
});
