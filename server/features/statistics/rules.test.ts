import { expect, test } from "vitest";

import type { Span } from "#contract/statistics.ts";
import { addDays } from "#server/features/beercounter/rules.ts";
import { earlierDay, laterDay, previousPeriod, resolvePeriod, listBarTimes } from "./rules.ts";

const long = { firstDay: "2019-03-03", today: "2029-12-31" };

const periods: [name: string, span: Span, day: string, from: string, to: string][] = [
  ["a Monday begins its week", "week", "2026-11-16", "2026-11-16", "2026-11-22"],
  ["a Sunday ends its week", "week", "2026-11-22", "2026-11-16", "2026-11-22"],
  ["the week of the long Sunday has seven days", "week", "2026-10-25", "2026-10-19", "2026-10-25"],
  ["the week of the short Sunday too", "week", "2027-03-28", "2027-03-22", "2027-03-28"],
  ["week 53 lies in two years", "week", "2026-12-31", "2026-12-28", "2027-01-03"],
  ["from either side", "week", "2027-01-03", "2026-12-28", "2027-01-03"],
  ["November has 30 days", "month", "2026-11-21", "2026-11-01", "2026-11-30"],
  ["December has 31", "month", "2026-12-31", "2026-12-01", "2026-12-31"],
  ["February has 28", "month", "2027-02-10", "2027-02-01", "2027-02-28"],
  ["or 29", "month", "2028-02-29", "2028-02-01", "2028-02-29"],
  ["a year begins in January", "year", "2026-01-01", "2026-01-01", "2026-12-31"],
  ["and ends with December", "year", "2026-12-31", "2026-01-01", "2026-12-31"],
  ["everything lasts from the first beer to today", "all", "2026-11-21", "2019-03-03", "2029-12-31"],
  ["what lies before the first beer leads to it", "month", "1850-01-01", "2019-03-01", "2019-03-31"],
  ["what lies ahead leads to today", "year", "9999-12-31", "2029-01-01", "2029-12-31"],
];

test.each(periods)("%s", (_, span, day, from, to) => {
  expect(resolvePeriod(span, day, long)).toEqual({ from, to });
});

test("a group without a beer has periods of its own day only", () => {
  const bounds = { firstDay: null, today: "2026-11-21" };
  expect(resolvePeriod("all", "2026-01-01", bounds)).toEqual({ from: "2026-11-21", to: "2026-11-21" });
  const week = resolvePeriod("week", "2026-01-01", bounds);
  expect(week).toEqual({ from: "2026-11-16", to: "2026-11-22" });
  expect([earlierDay("week", week, bounds), laterDay("week", week, bounds)]).toEqual([null, null]);
  expect(previousPeriod("week", week, bounds)).toBeNull();
});

const comparisons: [name: string, span: Span, today: string, day: string, before: string | null][] = [
  ["a week that lasts: until the same weekday", "week", "2026-11-21", "2026-11-21", "2026-11-09 2026-11-14"],
  ["on a Monday: one day", "week", "2026-11-16", "2026-11-16", "2026-11-09 2026-11-09"],
  ["on a Sunday: the whole week", "week", "2026-11-22", "2026-11-22", "2026-11-09 2026-11-15 whole"],
  ["a week that is over: whole", "week", "2026-11-23", "2026-11-21", "2026-11-09 2026-11-15 whole"],
  ["a month that lasts: until the same date", "month", "2026-11-21", "2026-11-21", "2026-10-01 2026-10-21"],
  ["the 30th is not the end of October", "month", "2026-11-30", "2026-11-30", "2026-10-01 2026-10-30"],
  ["a month that is over: whole", "month", "2026-12-01", "2026-11-30", "2026-10-01 2026-10-31 whole"],
  ["no 31st of February", "month", "2027-03-31", "2027-03-31", "2027-02-01 2027-02-28 whole"],
  ["the 29th of a leap February", "month", "2028-03-29", "2028-03-29", "2028-02-01 2028-02-29 whole"],
  ["December before January", "month", "2027-01-05", "2027-01-05", "2026-12-01 2026-12-05"],
  ["a year that lasts: until the same date", "year", "2026-11-21", "2026-01-01", "2025-01-01 2025-11-21"],
  ["29 February: until the 28th", "year", "2028-02-29", "2028-02-29", "2027-01-01 2027-02-28"],
  ["28 February after a leap year", "year", "2029-02-28", "2029-02-28", "2028-01-01 2028-02-28"],
  ["31 December: the whole year", "year", "2026-12-31", "2026-12-31", "2025-01-01 2025-12-31 whole"],
  ["a year that is over: whole", "year", "2027-01-01", "2026-06-01", "2025-01-01 2025-12-31 whole"],
  ["the first beer in between counts", "month", "2019-04-10", "2019-04-10", "2019-03-01 2019-03-10"],
  ["nothing is compared with before the first beer", "month", "2019-04-02", "2019-04-02", null],
  ["everything is compared with nothing", "all", "2026-11-21", "2026-11-21", null],
];

test.each(comparisons)("compared – %s", (_, span, today, day, expected) => {
  const bounds = { firstDay: "2019-03-03", today };
  const before = previousPeriod(span, resolvePeriod(span, day, bounds), bounds);
  expect(before && `${before.from} ${before.to}${before.isWhole ? " whole" : ""}`).toBe(expected);
});

test.each<Span>(["week", "month", "year"])(
  "every %s of ten years follows the one before without a gap, and back again",
  (span) => {
    let period = resolvePeriod(span, long.firstDay, long);
    expect(earlierDay(span, period, long)).toBeNull();
    for (;;) {
      const later = laterDay(span, period, long);
      if (later === null) break;
      const next = resolvePeriod(span, later, long);
      expect(next.from).toBe(addDays(period.to, 1));
      expect(resolvePeriod(span, earlierDay(span, next, long)!, long)).toEqual(period);
      expect(previousPeriod(span, next, long)).toMatchObject({ from: period.from });
      period = next;
    }
    expect(period.to >= long.today).toBe(true);
  },
);

test("a chart has the days of a week or month, the months of a year, the years of everything", () => {
  const week = listBarTimes("week", { from: "2026-12-28", to: "2027-01-03" });
  expect([week.length, week[0], week[6]]).toEqual([7, "2026-12-28", "2027-01-03"]);
  const months = listBarTimes("year", { from: "2026-01-01", to: "2026-12-31" });
  expect([months.length, months[0], months[11]]).toEqual([12, "2026-01", "2026-12"]);
  expect(listBarTimes("month", { from: "2028-02-01", to: "2028-02-29" })).toHaveLength(29);
  expect(listBarTimes("all", { from: "2024-12-31", to: "2026-01-01" })).toEqual(["2024", "2025", "2026"]);
  expect(listBarTimes("all", { from: "2026-03-03", to: "2026-11-21" })).toEqual(months);
});
