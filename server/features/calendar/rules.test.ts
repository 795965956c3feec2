import { expect, test } from "vitest";

import { calendarDays, isCalendarDay, isDate, nextCalendarYear, shownCalendarYear } from "./rules.ts";

test.each(["2026-12-5", "2026-13-01", "2026-02-30", "05.12.2026", "heute", "2026-12-05T00:00:00Z", "02026-12-05", ""])(
  "isDate rejects %j",
  (text) => {
    expect(isDate(text)).toBe(false);
  },
);

test("calendarDays returns the 24 days from 1 to 24 December", () => {
  const days = calendarDays(2026);
  expect([days.length, days[0], days[23]]).toEqual([24, "2026-12-01", "2026-12-24"]);
  expect(days.every((day) => isDate(day) && isCalendarDay(day))).toBe(true);
  for (const day of ["2026-11-30", "2026-12-25", "2026-12-31"]) expect(isCalendarDay(day)).toBe(false);
});

test.each([
  ["2026-10-31", 2025, 2026],
  ["2026-11-01", 2026, 2026],
  ["2026-12-24", 2026, 2026],
  ["2026-12-25", 2026, 2027],
  ["2027-01-01", 2026, 2027],
])("the calendar shown on %s is that of %i, and the next door to open belongs to %i", (today, shown, next) => {
  expect([shownCalendarYear(today), nextCalendarYear(today)]).toEqual([shown, next]);
});
