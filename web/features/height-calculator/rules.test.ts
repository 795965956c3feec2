import { expect, test } from "vitest";

import { describeHeight, thanksText } from "./rules.ts";

test.each([
  [180, "1,80", "5,91"],
  [0, "0,00", "0,00"],
  [1, "0,01", "0,03"],
  [1.5, "0,02", "0,05"],
  [172.5, "1,73", "5,66"],
  [999, "9,99", "32,78"],
  [100_000, "1000,00", "3280,84"],
])("describeHeight converts %d cm to %s m and %s feet", (centimetres, metres, feet) => {
  expect(describeHeight(centimetres)).toMatchObject({
    metres: `Du bist ${metres} m groß!`,
    feet: `(Good to know: In Amerika sind das ${feet} Fuß.)`,
  });
});

test("describeHeight adds a remark only to impossible heights", () => {
  for (const usual of [100, 150, 180, 230]) expect(describeHeight(usual).remark).toBe("");
  for (const silly of [0, 1.5, 20, 99, 231, 999, 50_000]) expect(describeHeight(silly).remark).not.toBe("");
});

test("thanksText names the member who requested the height calculator", () => {
  expect(thanksText("Ben")).toBe("Diese Funktion wurde angefragt von Ben ...");
});
