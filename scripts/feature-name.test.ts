import { join } from "node:path";

import { expect, test } from "vitest";

import { refuseFeatureName } from "./feature-name.ts";

const root = join(import.meta.dirname, "..");

test.each([
  ["Shopping", "small English letters"],
  ["getränke", "small English letters"],
  ["delete", "a word of JavaScript or SQL"],
  ["order", "a word of JavaScript or SQL"],
  ["await", "a word of JavaScript or SQL"],
  ["news", "a feature news already"],
  ["sessions", "a table sessions already"],
  ["devices", "a field devices already"],
  ["internal", "a path /internal already"],
  ["app", "a path /app already"],
  ["kasse", "The code is English, only the screen is German"],
  ["einkauf-list", "“einkauf” is not in the list of English words"],
])("npm run new-feature refuses the name %s: %s", (name, reason) => {
  expect(refuseFeatureName(root, name)).toContain(reason);
});

test("npm run new-feature accepts new English names, and after --yes words that are not in its list", () => {
  expect(refuseFeatureName(root, "zebra-register")).toBeUndefined();
  expect(refuseFeatureName(root, "webhook-log")).toContain("“webhook” is not in the list");
  expect(refuseFeatureName(root, "webhook-log", true)).toBeUndefined();
  expect(refuseFeatureName(root, "delete", true)).toContain("a word of JavaScript");
});
