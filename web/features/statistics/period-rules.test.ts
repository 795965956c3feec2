import { expect, test } from "vitest";

import { choiceOf, searchOf, validateSearch } from "./period-rules.ts";

test.each([
  [{}, "month", null],
  [{ zeitraum: "woche" }, "week", null],
  [{ zeitraum: "monat", am: "2026-02-28" }, "month", "2026-02-28"],
  [{ am: "2028-02-29", zeitraum: "jahr" }, "year", "2028-02-29"],
  [{ zeitraum: "gesamt" }, "all", null],
  [{ zeitraum: "WOCHE" }, "month", null],
  [{ zeitraum: ["woche", "jahr"] }, "month", null],
  [{ zeitraum: "week", am: "heute" }, "month", null],
  [{ zeitraum: "woche", am: "2026-02-29" }, "week", null],
  [{ zeitraum: "woche", am: "2026-13-01" }, "week", null],
  [{ zeitraum: "woche", am: "2026-1-1" }, "week", null],
  [{ zeitraum: "woche", am: "-000001-01-01" }, "week", null],
  [{ zeitraum: "\uFFFD", am: "<script>" }, "month", null],
] as const)(
  "the query parameters %j of the statistics page select the span “%s” and the day %s",
  (search, span, day) => {
    expect(choiceOf(validateSearch(search))).toEqual({ span, day });
  },
);

test("choiceOf restores the period choice from a query that searchOf wrote", () => {
  for (const span of ["week", "month", "year", "all"] as const)
    for (const day of [null, "2026-11-21"]) {
      expect(choiceOf(validateSearch({ ...searchOf({ span, day }) }))).toEqual({ span, day });
    }
});
