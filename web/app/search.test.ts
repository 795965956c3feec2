import { expect, test } from "vitest";

import { parseSearch, stringifySearch } from "./search.ts";

test.each([
  "",
  "?redirectedFrom=/profile",
  "?redirectedFrom=/game-servers%3Fa%3Db",
  "?redirectedFrom=/a&redirectedFrom=/b",
  "?id=007",
  "?id=1e3&is=true",
  "?zeitraum=woche&am=2026-11-21",
])("parsing and writing the query string %j returns it unchanged", (query) => {
  expect(stringifySearch(parseSearch(query))).toBe(query);
});

test("parseSearch returns strings, and stringifySearch omits undefined values", () => {
  expect(parseSearch("?id=7&is=true&a=1&a=2")).toEqual({ id: "7", is: "true", a: ["1", "2"] });
  expect(stringifySearch({ zeitraum: "jahr", am: undefined })).toBe("?zeitraum=jahr");
});
