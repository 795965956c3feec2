import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { isLeaked } from "./leaked-passwords.ts";

test.for(["password", "PassWord", "12345678", "iloveyou", "trustno1"])(
  "isLeaked recognizes %s as a leaked password",
  (password) => {
    expect(isLeaked(password)).toBe(true);
  },
);

test.for(["", "p", "password\n", "Kupferkessel im Regen", "12345678 "])(
  "isLeaked does not count %j as a leaked password",
  (password) => {
    expect(isLeaked(password)).toBe(false);
  },
);

test("isLeaked recognizes all of the more than 17,000 leaked passwords, in capital letters too", () => {
  const entries = readFileSync(new URL("leaked-passwords.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  expect(entries.length).toBeGreaterThan(17_000);
  expect(entries.filter((entry) => !isLeaked(entry) || !isLeaked(entry.toUpperCase()))).toEqual([]);
});
