import { expect, test } from "vitest";

import { countBeers, findRoundBeers } from "./member-rules.ts";

test("countBeers returns the beers of today, this week, this year and all days", () => {
  const days = [
    { day: "2025-12-31", total: 1 },
    { day: "2026-01-01", total: 2 },
    // The next two days are a Sunday and a Monday.
    { day: "2026-11-15", total: 4 },
    { day: "2026-11-16", total: 8 },
    { day: "2026-11-20", total: 16 },
  ];
  expect(countBeers(days, "2026-11-20")).toEqual({ today: 16, week: 24, year: 30, total: 31 });
  expect(countBeers([], "2026-11-20")).toEqual({ today: 0, week: 0, year: 0, total: 0 });
});

test("countBeers on New Year's Day adds the beers of the last days of December to the current week, but not to the current year", () => {
  const days = [
    { day: "2026-12-31", total: 3 },
    { day: "2027-01-01", total: 1 },
  ];
  expect(countBeers(days, "2027-01-01")).toMatchObject({ week: 4, year: 1 });
});

test("findRoundBeers returns the first beer and the newest five milestones with their days", () => {
  expect(findRoundBeers([])).toEqual([]);
  expect(findRoundBeers([{ day: "2026-01-01", total: 49 }])).toEqual([
    { count: 1, day: "2026-01-01" },
    { count: 10, day: "2026-01-01" },
  ]);
  const days = [
    { day: "2026-01-01", total: 49 },
    { day: "2026-01-02", total: 51 },
    { day: "2026-02-01", total: 900 },
    { day: "2026-03-01", total: 1000 },
  ];
  expect(findRoundBeers(days).map(({ count, day }) => `${count} ${day}`)).toEqual([
    "1 2026-01-01",
    "250 2026-02-01",
    "500 2026-02-01",
    "1000 2026-02-01",
    "1500 2026-03-01",
    "2000 2026-03-01",
  ]);
});
