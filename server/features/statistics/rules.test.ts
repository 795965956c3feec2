import { expect, test } from "vitest";

import type { Span } from "#contract/statistics.ts";
import { addDays } from "#server/features/beers/rules.ts";
import { earlierDay, laterDay, previousPeriod, resolvePeriod, listBarTimes } from "./rules.ts";

const long = { firstDay: "2019-03-03", today: "2029-12-31" };

const periods: [name: string, span: Span, day: string, from: string, to: string][] = [
  ["a Monday begins its week", "week", "2026-11-16", "2026-11-16", "2026-11-22"],
  ["a Sunday ends its week", "week", "2026-11-22", "2026-11-16", "2026-11-22"],
  ["the week in which the clocks go back has seven days", "week", "2026-10-25", "2026-10-19", "2026-10-25"],
  ["the week in which the clocks go forward has seven days", "week", "2027-03-28", "2027-03-22", "2027-03-28"],
  ["week 53 of 2026 includes days of 2027", "week", "2026-12-31", "2026-12-28", "2027-01-03"],
  ["the first days of 2027 belong to week 53 of 2026", "week", "2027-01-03", "2026-12-28", "2027-01-03"],
  ["November has 30 days", "month", "2026-11-21", "2026-11-01", "2026-11-30"],
  ["December has 31 days", "month", "2026-12-31", "2026-12-01", "2026-12-31"],
  ["February has 28 days", "month", "2027-02-10", "2027-02-01", "2027-02-28"],
  ["February has 29 days in a leap year", "month", "2028-02-29", "2028-02-01", "2028-02-29"],
  ["1 January is the first day of its year", "year", "2026-01-01", "2026-01-01", "2026-12-31"],
  ["31 December is the last day of its year", "year", "2026-12-31", "2026-01-01", "2026-12-31"],
  ["the whole time lasts from the first beer to today", "all", "2026-11-21", "2019-03-03", "2029-12-31"],
  [
    "a day before the first beer selects the month of the first beer",
    "month",
    "1850-01-01",
    "2019-03-01",
    "2019-03-31",
  ],
  ["a day after today selects the current year", "year", "9999-12-31", "2029-01-01", "2029-12-31"],
];

test.each(periods)("resolvePeriod returns the period of a day: %s", (_, span, day, from, to) => {
  expect(resolvePeriod(span, day, long)).toEqual({ from, to });
});

test("resolvePeriod returns only the current period for a group without beers", () => {
  const bounds = { firstDay: null, today: "2026-11-21" };
  expect(resolvePeriod("all", "2026-01-01", bounds)).toEqual({ from: "2026-11-21", to: "2026-11-21" });
  const week = resolvePeriod("week", "2026-01-01", bounds);
  expect(week).toEqual({ from: "2026-11-16", to: "2026-11-22" });
  expect([earlierDay("week", week, bounds), laterDay("week", week, bounds)]).toEqual([null, null]);
  expect(previousPeriod("week", week, bounds)).toBeNull();
});

const comparisons: [name: string, span: Span, today: string, day: string, before: string | null][] = [
  ["a running week is compared up to the same weekday", "week", "2026-11-21", "2026-11-21", "2026-11-09 2026-11-14"],
  ["a week is compared with one day on its Monday", "week", "2026-11-16", "2026-11-16", "2026-11-09 2026-11-09"],
  [
    "a week is compared with the whole previous week on its Sunday",
    "week",
    "2026-11-22",
    "2026-11-22",
    "2026-11-09 2026-11-15 whole",
  ],
  [
    "a week that is over is compared with the whole previous week",
    "week",
    "2026-11-23",
    "2026-11-21",
    "2026-11-09 2026-11-15 whole",
  ],
  ["a running month is compared up to the same date", "month", "2026-11-21", "2026-11-21", "2026-10-01 2026-10-21"],
  [
    "30 November is compared up to 30 October, not with the whole month",
    "month",
    "2026-11-30",
    "2026-11-30",
    "2026-10-01 2026-10-30",
  ],
  [
    "a month that is over is compared with the whole previous month",
    "month",
    "2026-12-01",
    "2026-11-30",
    "2026-10-01 2026-10-31 whole",
  ],
  [
    "31 March is compared with the whole of February",
    "month",
    "2027-03-31",
    "2027-03-31",
    "2027-02-01 2027-02-28 whole",
  ],
  [
    "29 March of a leap year is compared with the whole of February",
    "month",
    "2028-03-29",
    "2028-03-29",
    "2028-02-01 2028-02-29 whole",
  ],
  [
    "January is compared with December of the previous year",
    "month",
    "2027-01-05",
    "2027-01-05",
    "2026-12-01 2026-12-05",
  ],
  ["a running year is compared up to the same date", "year", "2026-11-21", "2026-01-01", "2025-01-01 2025-11-21"],
  ["29 February is compared up to 28 February", "year", "2028-02-29", "2028-02-29", "2027-01-01 2027-02-28"],
  [
    "28 February is compared up to 28 February of a leap year",
    "year",
    "2029-02-28",
    "2029-02-28",
    "2028-01-01 2028-02-28",
  ],
  [
    "31 December is compared with the whole previous year",
    "year",
    "2026-12-31",
    "2026-12-31",
    "2025-01-01 2025-12-31 whole",
  ],
  [
    "a year that is over is compared with the whole previous year",
    "year",
    "2027-01-01",
    "2026-06-01",
    "2025-01-01 2025-12-31 whole",
  ],
  [
    "a month is compared with the month of the first beer",
    "month",
    "2019-04-10",
    "2019-04-10",
    "2019-03-01 2019-03-10",
  ],
  [
    "a period is not compared if the previous one ends before the first beer",
    "month",
    "2019-04-02",
    "2019-04-02",
    null,
  ],
  ["the whole time is not compared", "all", "2026-11-21", "2026-11-21", null],
];

test.each(comparisons)(
  "previousPeriod returns the days with which a period is compared: %s",
  (_, span, today, day, expected) => {
    const bounds = { firstDay: "2019-03-03", today };
    const before = previousPeriod(span, resolvePeriod(span, day, bounds), bounds);
    expect(before && `${before.from} ${before.to}${before.isWhole ? " whole" : ""}`).toBe(expected);
  },
);

test.each<Span>(["week", "month", "year"])(
  "the periods of the span “%s” within ten years follow one another without a gap, in both directions",
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

test("listBarTimes returns the days of a week or month, the months of a year, and the years of the whole time", () => {
  const week = listBarTimes("week", { from: "2026-12-28", to: "2027-01-03" });
  expect([week.length, week[0], week[6]]).toEqual([7, "2026-12-28", "2027-01-03"]);
  const months = listBarTimes("year", { from: "2026-01-01", to: "2026-12-31" });
  expect([months.length, months[0], months[11]]).toEqual([12, "2026-01", "2026-12"]);
  expect(listBarTimes("month", { from: "2028-02-01", to: "2028-02-29" })).toHaveLength(29);
  expect(listBarTimes("all", { from: "2024-12-31", to: "2026-01-01" })).toEqual(["2024", "2025", "2026"]);
  expect(listBarTimes("all", { from: "2026-03-03", to: "2026-11-21" })).toEqual(months);
});
