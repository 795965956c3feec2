import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("../web/ui/tokens.css", import.meta.url), "utf8");

type Scheme = "light" | "dark";

/** Returns the relative luminance of a CSS token that holds a colour or refers to another token. */
function luminance(name: string, scheme: Scheme): number {
  const value = new RegExp(`--${name}: ([^;]+);`).exec(css)?.[1] ?? "";
  const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (reference !== undefined) return luminance(reference, scheme);
  const [light, dark = light] = value.match(/#[\da-f]{6}\b/g) ?? [];
  const hex = scheme === "light" ? light : dark;
  if (hex === undefined) throw new Error(`--${name} is not a colour: ${value}`);
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string, schemes: readonly [Scheme, Scheme]): number {
  const [low, high] = [luminance(one, schemes[0]), luminance(other, schemes[1])].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const text = 4.5;
const shape = 3;

const pairs: readonly [front: string, back: string, atLeast: number][] = [
  ...["ink", "ink-soft", "link"].flatMap((front) =>
    ["table", "mat", "mat-raised"].map((back) => [front, back, text] as [string, string, number]),
  ),
  ...["error", "success", "warning", "info"].flatMap((tone) => [
    ["ink", `${tone}-mat`, text] as [string, string, number],
    [tone, `${tone}-mat`, shape] as [string, string, number],
  ]),
  ["error-ink", "mat", text],
  ["on-wood", "wood", text],
  ["on-wood", "wood-light", text],
  ["on-beer", "beer", text],
  ["on-beer", "beer-light", text],
  ["success", "success-mat", text],
  ["error-ink", "error-mat", text],
  ["on-chosen", "chosen", text],
  ["chosen", "mat", shape],
  ["chosen", "mat-raised", shape],
  ["control-edge", "mat-raised", shape],
  ["card-edge", "table", shape],
  ["mine", "mat", shape],
  ["others", "mat", shape],
  ["link", "mat", shape],
  ["control-edge", "control", shape],
  ["control-edge", "mat", shape],
  ["icon", "mat", shape],
  ["focus", "table", shape],
  ["focus", "mat", shape],
];

describe.each(["light", "dark"] as const)("colours of the %s scheme", (scheme) => {
  test.each(pairs)("the contrast of the colour %s on the background %s is at least %d", (front, back, atLeast) => {
    expect(contrast(front, back, [scheme, scheme])).toBeGreaterThanOrEqual(atLeast);
  });

  test.each([
    ["ink", text],
    ["ink-soft", text],
    ["link", text],
    ["beer-rim", shape],
    ["mine", shape],
  ] as const)("the contrast of the light scheme's colour %s on a round beer mat is at least %d", (front, atLeast) => {
    expect(contrast(front, "round-mat", ["light", scheme])).toBeGreaterThanOrEqual(atLeast);
  });
});

test("a round beer mat is much lighter than the background in the dark scheme, and a card slightly lighter", () => {
  expect(contrast("round-mat", "table", ["dark", "dark"])).toBeGreaterThan(10);
  expect(luminance("mat", "dark")).toBeGreaterThan(luminance("table", "dark"));
});

const root = join(import.meta.dirname, "..");
const sheets = globSync("web/**/*.css", { cwd: root }).map((path) => ({
  path,
  rules: readFileSync(join(root, path), "utf8").replaceAll(/\/\*.*?\*\//gs, ""),
}));

/** Drawings whose texts scale with the drawing. */
const isDrawing = (path: string) =>
  /(tv\/\w+|year-review-\w+|celebration|height-calculator-page|beer-mat)\.module\.css$/.test(path);

test("every font size is a token of the scale, fits its container, or scales with its drawing", () => {
  const found = sheets.flatMap(({ path, rules }) =>
    [...rules.matchAll(/\bfont(?:-size)?: ([^;]+);/g)].flatMap(([, value = ""]) => {
      const size = value.split(" / ")[0]!;
      const own = isDrawing(path) || size.includes("var(--text-") ? /\drem\b/ : /\d(rem|em|px)\b/;
      return own.test(size) ? [`${path}: ${value}`] : [];
    }),
  );
  expect(found).toEqual([]);
});

test("the pages have at most four breakpoints, and their containers four", () => {
  const breakpointsOf = (rule: "media" | "container") =>
    new Set(
      sheets.flatMap(({ rules }) =>
        [...rules.matchAll(new RegExp(`@${rule} ([^{]+)`, "g"))].flatMap(([, conditions = ""]) =>
          [...conditions.matchAll(/\b(width|height) [<>]=? ([\d.]+\w+)/g)].map(([, axis, size]) => `${axis} ${size}`),
        ),
      ),
    );
  expect([...breakpointsOf("media")].toSorted()).toEqual([
    "height 30rem",
    "width 30rem",
    "width 40rem",
    "width 56.25rem",
  ]);
  expect(breakpointsOf("container").size).toBeLessThanOrEqual(4);
});
