import { expect, test } from "vitest";

import { parseQuery, writeQuery } from "./query.ts";

test.each([
  "",
  "?redirectedFrom=/profile",
  "?redirectedFrom=/game-servers%3Fa%3Db",
  "?redirectedFrom=/a&redirectedFrom=/b",
  "?id=007",
  "?id=1e3&is=true",
  "?zeitraum=woche&am=2026-11-21",
])("parsing and writing the query string %j returns it unchanged", (query) => {
  expect(writeQuery(parseQuery(query))).toBe(query);
});

test("parseQuery returns strings, and writeQuery omits undefined values", () => {
  expect(parseQuery("?id=7&is=true&a=1&a=2")).toEqual({ id: "7", is: "true", a: ["1", "2"] });
  expect(writeQuery({ zeitraum: "jahr", am: undefined })).toBe("?zeitraum=jahr");
});
