import { expect, test } from "vitest";

import { addDays } from "#server/features/beercounter/rules.ts";
import { summarizeGroupYear, lastOpenYear, summarizeOwnYear } from "./rules.ts";

const anna = { id: 1, name: "Anna", profile_picture: null };
const ben = { id: 2, name: "Ben", profile_picture: null };
const carla = { id: 3, name: "Carla", profile_picture: null };
const members = [carla, ben, anna];
const visit = (day: string, user_id: number, total = 1) => ({ day, user_id, total, alcohol_free: 0 });

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
  const days = [visit("2026-05-04", 1), visit("2026-05-04", 2), visit("2026-05-11", 1), visit("2026-06-05", 3, 9)];
  const group = summarizeGroupYear(days, members, new Map([["2025-05-05", 4]]));
  expect(group).toMatchObject({ total: 12, previous_total: 4, month: 5, weekday: 0 });
  expect(group.longest).toEqual({ day: "2026-06-05", total: 9, members: [carla], others: 0 });
});

test("a year review prefers among months, weekdays or days with equally many visits the one with more beers, then the earlier one", () => {
  const days = [visit("2026-03-02", 1), visit("2026-04-07", 1, 2), visit("2026-05-06", 1, 2)];
  expect(summarizeGroupYear(days, members, new Map())).toMatchObject({
    month: 4,
    weekday: 1,
    longest: { day: "2026-04-07", members: [anna] },
  });
});

test("a year review sorts the members of its longest evening by name, not by beers", () => {
  const days = [
    visit("2026-03-02", 3, 5),
    visit("2026-03-02", 2, 1),
    visit("2026-03-02", 1, 3),
    visit("2026-03-02", 4),
  ];
  expect(summarizeGroupYear(days, members, new Map()).longest).toMatchObject({
    members: [anna, ben, carla],
    others: 1,
  });
});

test("a year review names as company the member with the most days in common, and among equals the first by name", () => {
  const days = [
    visit("2026-03-02", 1),
    visit("2026-03-02", 2, 20),
    visit("2026-03-03", 1),
    visit("2026-03-03", 3),
    visit("2026-03-04", 1),
    visit("2026-03-04", 3),
    visit("2026-03-05", 2),
    visit("2026-03-06", 2),
    visit("2026-03-07", 2),
  ];
  expect(summarizeOwnYear(days, members, 1)?.company).toEqual({ member: carla, days: 2 });
  expect(summarizeOwnYear(days.slice(0, 4), members, 1)?.company).toEqual({ member: ben, days: 1 });
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
  expect(
    summarizeOwnYear(
      days.map((day) => visit(day, 1)),
      members,
      1,
    )?.pause,
  ).toEqual(pause);
});

test("summarizeOwnYear returns null for a member without beers", () => {
  expect(summarizeOwnYear([visit("2026-03-02", 2)], members, 1)).toBeNull();
});

test("a year review counts and names forty members on every day of a leap year", () => {
  const guests = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    name: `Gast ${index + 1}`,
    profile_picture: null,
  }));
  const days = Array.from({ length: 366 }, (_, index) => addDays("2028-01-01", index)).flatMap((day) =>
    guests.map(({ id }) => visit(day, id)),
  );
  const group = summarizeGroupYear(days, guests, new Map());
  expect([group.total, group.days.length, group.longest.members.length, group.longest.others]).toEqual([
    14_640, 366, 40, 0,
  ]);
  // In 2028, Saturdays and Sundays occur 53 times, and January is the first month with 31 days.
  expect([group.weekday, group.month]).toEqual([5, 1]);
  const own = summarizeOwnYear(days, guests, 7);
  expect(own).toMatchObject({ total: 366, first: "2028-01-01", last: "2028-12-31", pause: null });
  expect(own!.company).toMatchObject({ member: { name: "Gast 1" }, days: 366 });
});
