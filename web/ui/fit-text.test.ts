import { expect, test } from "vitest";

import { fitText } from "./fit-text.ts";

test.each<[string, string, { size: number; lines: string[] }]>([
  ["in the largest size", "Anna", { size: 64, lines: ["Anna"] }],
  ["in a smaller size", "Maximiliane Huber", { size: 61, lines: ["Maximiliane Huber"] }],
  ["in two lines", "David von der Heide-Sonnenschein", { size: 57, lines: ["David von der", "Heide-Sonnenschein"] }],
  ["in two lines without a space", "D".repeat(32), { size: 61, lines: [`${"D".repeat(16)}-`, "D".repeat(16)] }],
  ["in two lines that are cut", "🍺".repeat(64), { size: 40, lines: [`${"🍺".repeat(25)}…`, `${"🍺".repeat(25)}…`] }],
])("a name on the year review's picture is drawn %s, and never below 40 px", (_, name, fitted) => {
  const measure = (text: string): number => [...text].length / 2;
  expect(fitText(name, { size: 64, widest: 520 }, measure)).toEqual(fitted);
});
