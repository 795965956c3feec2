import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createCrop, frameShare, moveCrop, outputSize, rotateCrop, zoomCrop, type Crop } from "./crop.ts";

test("a crop begins in the middle with the whole shorter side, or the share that is asked for", () => {
  expect(createCrop(400, 200)).toEqual({ width: 400, height: 200, x: 200, y: 100, side: 200, turns: 0 });
  expect(createCrop(400, 200, 0.8).side).toBe(160);
});

test("dragging to the right shows what is further left, whichever way the picture is turned", () => {
  const crop = createCrop(1000, 1000, frameShare);
  const drag = { x: 0.08, y: 0 };
  expect(moveCrop(crop, drag)).toMatchObject({ x: 420, y: 500 });
  expect(moveCrop(rotateCrop(crop, 1), drag)).toMatchObject({ x: 500, y: 580 });
  expect(moveCrop(rotateCrop(rotateCrop(crop, 1), 1), drag)).toMatchObject({ x: 580, y: 500 });
  expect(moveCrop(rotateCrop(crop, -1), drag)).toMatchObject({ x: 500, y: 420 });
});

test("four turns lead back", () => {
  const crop = createCrop(300, 200, frameShare);
  expect([1, 1, 1, 1].reduce<Crop>((turning) => rotateCrop(turning, 1), crop)).toEqual(crop);
  expect(rotateCrop(rotateCrop(crop, 1), -1)).toEqual(crop);
});

test("zooming keeps what lies under the pointer", () => {
  const crop = zoomCrop(createCrop(1000, 1000, frameShare), 2);
  const at = { x: 0.1, y: -0.2 };
  const under = ({ x, y, side }: Crop) => [x + (at.x * side) / frameShare, y + (at.y * side) / frameShare];
  const closer = zoomCrop(crop, 1.1, at);
  expect(under(closer)[0]).toBeCloseTo(under(crop)[0]!);
  expect(under(closer)[1]).toBeCloseTo(under(crop)[1]!);
  expect(closer.side).toBeCloseTo(crop.side / 1.1);
});

test("the frame never leaves the picture and the result never exceeds 1000 pixels", () => {
  const part = fc.double({ min: -2, max: 2, noNaN: true });
  const step = fc.oneof(
    fc.record({ x: part, y: part }).map((by) => (crop: Crop) => moveCrop(crop, by)),
    fc.record({ x: part, y: part, factor: fc.double({ min: 0.01, max: 100, noNaN: true }) }).map(
      ({ factor, ...at }) =>
        (crop: Crop) =>
          zoomCrop(crop, factor, at),
    ),
    fc.constantFrom<1 | -1>(1, -1).map((by) => (crop: Crop) => rotateCrop(crop, by)),
  );
  const length = fc.integer({ min: 1, max: 12_000 });
  fc.assert(
    fc.property(length, length, fc.array(step, { maxLength: 30 }), (width, height, all) => {
      const crop = all.reduce((current, next) => next(current), createCrop(width, height));
      const slack = 1e-6;
      expect(crop.x - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.y - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.x + crop.side / 2).toBeLessThanOrEqual(width + slack);
      expect(crop.y + crop.side / 2).toBeLessThanOrEqual(height + slack);
      expect(outputSize(crop, 1000)).toBeLessThanOrEqual(1000);
      expect(outputSize(crop, 1000)).toBeGreaterThanOrEqual(1);
    }),
  );
});
