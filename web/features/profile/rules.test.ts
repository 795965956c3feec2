import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ApiError } from "#web/platform/api.ts";
import {
  describeCount,
  frameShare,
  moveCrop,
  outputSize,
  createCrop,
  rotateCrop,
  uploadErrorText,
  zoomCrop,
  type Crop,
} from "./rules.ts";

test("a crop begins in the middle with four fifths of the shorter side", () => {
  expect(createCrop(400, 200)).toEqual({ width: 400, height: 200, x: 200, y: 100, side: 160, turns: 0 });
});

test("dragging to the right shows what is further left, whichever way the picture is turned", () => {
  const crop = createCrop(1000, 1000);
  const drag = { x: 0.08, y: 0 };
  expect(moveCrop(crop, drag)).toMatchObject({ x: 420, y: 500 });
  expect(moveCrop(rotateCrop(crop, 1), drag)).toMatchObject({ x: 500, y: 580 });
  expect(moveCrop(rotateCrop(rotateCrop(crop, 1), 1), drag)).toMatchObject({ x: 580, y: 500 });
  expect(moveCrop(rotateCrop(crop, -1), drag)).toMatchObject({ x: 500, y: 420 });
});

test("four turns lead back", () => {
  const crop = createCrop(300, 200);
  expect([1, 1, 1, 1].reduce<Crop>((turning) => rotateCrop(turning, 1), crop)).toEqual(crop);
  expect(rotateCrop(rotateCrop(crop, 1), -1)).toEqual(crop);
});

test("zooming keeps what lies under the pointer", () => {
  const crop = zoomCrop(createCrop(1000, 1000), 2);
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
      expect(outputSize(crop)).toBeLessThanOrEqual(1000);
      expect(outputSize(crop)).toBeGreaterThanOrEqual(1);
    }),
  );
});

test.each([
  [0, "Noch keine Profilbilder hochgeladen."],
  [1, "1 von 20 Profilbildern"],
  [19, "19 von 20 Profilbildern"],
  [20, "Mehr als 20 Profilbilder gehen nicht. Lösche erst eins."],
])("below %i pictures stands: %s", (pictures, words) => {
  expect(describeCount(pictures)).toBe(words);
});

test.each([
  [
    new ApiError(422, "Nein.", { avatar: ["Profilbild muss ein Bild sein.", "Und klein."] }),
    "Profilbild muss ein Bild sein.",
  ],
  [new ApiError(0, "Keine Verbindung."), "Keine Verbindung."],
  [new ApiError(408, "Zeitüberschreitung der Anfrage."), /zu langsam/],
  [new ApiError(503, "Gerade nicht."), "Es ist ein Fehler aufgetreten."],
  [new Error("The canvas is empty."), "Es ist ein Fehler aufgetreten."],
])("an upload that failed with %s says why", (error, text) => {
  expect(uploadErrorText(error)).toMatch(text);
});
