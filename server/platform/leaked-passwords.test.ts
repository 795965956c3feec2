import { expect, test } from "vitest";

import { isLeaked } from "./leaked-passwords.ts";

test.for(["password", "PassWord", "12345678", "iloveyou", "trustno1"])("%s is leaked", (password) => {
  expect(isLeaked(password)).toBe(true);
});

test.for(["", "p", "password\n", "Kupferkessel im Regen", "12345678 "])("%j is not", (password) => {
  expect(isLeaked(password)).toBe(false);
});
