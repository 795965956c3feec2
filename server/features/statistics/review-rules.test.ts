import { expect, test } from "vitest";

import { addDays } from "#server/features/beers/rules.ts";
import { findClosestMember, lastOpenYear, nameDrinkers, summarizeGroupYear, summarizeOwnYear } from "./review-rules.ts";

const anna = { id: 1, name: "Anna", profile_picture: null };
const ben = { id: 2, name: "Ben", profile_picture: null };
const carla = { id: 3, name: "Carla", profile_picture: null };
const members = [carla, ben, anna];
const nobody = { members: [], others: 0 };
const sumOf = (day: string, visits = 1, total = visits) => ({ day, visits, total, alcohol_free: 0 });

test.each([
  ["2026-01-01", 2025],
  ["2026-11-30", 2025],
  ["2026-12-01", 2026],
  ["2026-12-31", 2026],
  ["2027-01-01", 2026],
])("the latest year with a review on %s is %i", (today, year) => {
  expect(lastOpenYear(today)).toBe(year);
});

test("the busiest month and weekday of a year review are chosen by visits (a member's days with a beer), not by beers", () => {
  // May has three visits with one beer each, all on Mondays. June has one visit with nine beers, on
  // a Friday.
  const days = [sumOf("2026-05-04", 2), sumOf("2026-05-11"), sumOf("2026-06-05", 1, 9)];
  const group = summarizeGroupYear(days, 4, nobody);
  expect(group).toMatchObject({ total: 12, previous_total: 4, month: 5, weekday: 0 });
  expect(group.longest).toMatchObject({ day: "2026-06-05", total: 9 });
});

test("a year review prefers among months, weekdays or days with equally many visits the one with more beers, then the earlier one", () => {
  const days = [sumOf("2026-03-02"), sumOf("2026-04-07", 1, 2), sumOf("2026-05-06", 1, 2)];
  expect(summarizeGroupYear(days, 0, nobody)).toMatchObject({
    month: 4,
    weekday: 1,
    longest: { day: "2026-04-07" },
  });
});

test("a year review sorts the members of its longest evening by name, and counts those without a name", () => {
  expect(nameDrinkers([3, 2, 1, 4], members)).toEqual({ members: [anna, ben, carla], others: 1 });
});

test("a year review names as company the member with the most days in common, and among equals the first by name", () => {
  const shared = (bens: number, carlas: number) =>
    new Map([
      [2, bens],
      [3, carlas],
      [4, 9],
    ]);
  expect(findClosestMember(shared(1, 2), members)).toEqual({ member: carla, days: 2 });
  expect(findClosestMember(shared(1, 1), members)).toEqual({ member: ben, days: 1 });
  expect(findClosestMember(new Map([[4, 9]]), members)).toBeNull();
});

test.each<[string, string[], { from: string; to: string; days: number } | null]>([
  ["a single day", ["2026-03-02"], null],
  ["two days in a row", ["2026-03-02", "2026-03-03"], null],
  ["days around a leap day", ["2028-02-28", "2028-03-01"], { from: "2028-02-29", to: "2028-02-29", days: 1 }],
  ["equal pauses", ["2026-03-01", "2026-03-04", "2026-03-07"], { from: "2026-03-02", to: "2026-03-03", days: 2 }],
  [
    "days around the change to summer time",
    ["2026-03-28", "2026-03-30"],
    { from: "2026-03-29", to: "2026-03-29", days: 1 },
  ],
])("summarizeOwnYear finds the longest time without beer for %s", (_, days, pause) => {
  const own = summarizeOwnYear(
    days.map((day) => sumOf(day)),
    null,
  );
  expect(own?.pause).toEqual(pause);
});

test("summarizeOwnYear returns null for a member without beers", () => {
  expect(summarizeOwnYear([], null)).toBeNull();
});

test("a year review with beers on every day of a leap year has 366 days and no pause", () => {
  const days = Array.from({ length: 366 }, (_, index) => sumOf(addDays("2028-01-01", index), 40));
  const group = summarizeGroupYear(days, 0, nobody);
  // In 2028, Saturdays and Sundays occur 53 times, and January is the first month with 31 days.
  expect([group.total, group.days.length, group.weekday, group.month]).toEqual([14_640, 366, 5, 1]);
  expect(summarizeOwnYear(days, null)).toMatchObject({ first: "2028-01-01", last: "2028-12-31", pause: null });
});
