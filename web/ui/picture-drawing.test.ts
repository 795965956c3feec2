import { describe, expect, test } from "vitest";

import { fitText, lineBox, stackTexts } from "./picture-drawing.ts";

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

describe("stackTexts", () => {
  const measure = (line: string): number => [...line].length / 2;
  const longest = "Kellerkinder am Kanal von der Heide und vom Sonnenscheinweg e. V.".slice(0, 64);
  const names = ["K", "Stammtisch Nord", longest.slice(0, 40), longest, "K".repeat(64), "🍺".repeat(64)];
  const title = (text: string) => ({ text, size: 88, widest: 940 });
  const subtitle = (text: string) => ({ text: `${text}, 20. November 2026`, size: 46, widest: 940 });

  test.each(names.flatMap((one) => names.map((other) => [one, other])))(
    "no line of a picture's texts overlaps another: “%s” above “%s”",
    (one, other) => {
      const lines = stackTexts([title(one), subtitle(other)], { last: 306 }, measure);
      expect(lines.at(-1)!.y).toBe(306);
      for (const [index, { y, size }] of lines.slice(1).entries()) {
        const above = lines[index]!;
        expect(y - size * lineBox.above).toBeGreaterThanOrEqual(above.y + above.size * lineBox.below - 1e-9);
      }
      // The picture begins at 0.
      expect(lines[0]!.y - lines[0]!.size * lineBox.above).toBeGreaterThanOrEqual(0);
    },
  );

  test("stackTexts places further lines of a long text below the first one if that is the anchor", () => {
    const [first, second] = stackTexts([title(longest)], { first: 1610 }, measure);
    expect([first?.y, second?.y]).toEqual([1610, 1610 + first!.size * (lineBox.above + lineBox.below)]);
  });
});
