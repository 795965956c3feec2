import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { isLeaked } from "./leaked-passwords.ts";

test.for(["password", "PassWord", "12345678", "iloveyou", "trustno1"])("%s is leaked", (password) => {
  expect(isLeaked(password)).toBe(true);
});

test.for(["", "p", "password\n", "Kupferkessel im Regen", "12345678 "])("%j is not", (password) => {
  expect(isLeaked(password)).toBe(false);
});

test("every entry of the list is leaked, in capitals too, and the list is long", () => {
  const entries = readFileSync(new URL("leaked-passwords.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  expect(entries.length).toBeGreaterThan(17_000);
  expect(entries.filter((entry) => !isLeaked(entry) || !isLeaked(entry.toUpperCase()))).toEqual([]);
});
