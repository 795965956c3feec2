import { describe, expect, test } from "vitest";

import type { PeriodStats, Span } from "#contract/statistics.ts";
import { chartTitle, formatComparison, emptyTexts, listPeriodBars, formatPeriod } from "./rules.ts";

function periodOf(span: Span, from: string, to: string, rest: Partial<PeriodStats> = {}): PeriodStats {
  const nothing = { earlier: null, later: null, total: 0, alcohol_free: 0, before: null, bars: [], users: [] };
  return { span, from, to, today: "2026-11-21", ...nothing, ...rest };
}

test.each<[PeriodStats, string]>([
  [periodOf("week", "2026-11-16", "2026-11-22"), "16. bis 22. November 2026"],
  [periodOf("week", "2026-06-29", "2026-07-05"), "29. Juni bis 5. Juli 2026"],
  [periodOf("week", "2026-12-28", "2027-01-03"), "28. Dezember 2026 bis 3. Januar 2027"],
  [periodOf("month", "2026-03-01", "2026-03-31"), "März 2026"],
  [periodOf("year", "2026-01-01", "2026-12-31"), "2026"],
  [periodOf("all", "2024-03-03", "2026-11-21", { total: 1 }), "Seit dem 3. März 2024"],
  [periodOf("all", "2026-11-21", "2026-11-21"), "Bis heute"],
])("formatPeriod names the period of the statistics in German (case %#)", (stats, name) => {
  expect(formatPeriod(stats)).toBe(name);
});

const week = (to: string, total: number, before: string, isWhole = false) =>
  periodOf("week", "2026-11-16", to, {
    total,
    before: { from: "2026-11-09", to: before, total: 10, is_whole: isWhole },
  });
const month = (from: string, to: string, before: [from: string, to: string], isWhole = false) =>
  periodOf("month", from, to, {
    total: 22,
    before: { from: before[0], to: before[1], total: 10, is_whole: isWhole },
  });

test.each<[PeriodStats, string | null]>([
  [week("2026-11-22", 12, "2026-11-14"), "2 mehr als letzte Woche um diese Zeit."],
  [week("2026-11-22", 9, "2026-11-14"), "1 weniger als letzte Woche um diese Zeit."],
  [week("2026-11-22", 10, "2026-11-15", true), "Genauso viele wie letzte Woche."],
  [{ ...week("2026-11-22", 1244, "2026-11-15", true), today: "2026-12-24" }, "1.234 mehr als in der Woche davor."],
  [month("2026-11-01", "2026-11-30", ["2026-10-01", "2026-10-21"]), "12 mehr als im Oktober um diese Zeit."],
  [month("2026-03-01", "2026-03-31", ["2026-02-01", "2026-02-28"], true), "12 mehr als im Februar."],
  [month("2027-01-01", "2027-01-31", ["2026-12-01", "2026-12-05"]), "12 mehr als im Dezember 2026 um diese Zeit."],
  [
    periodOf("year", "2026-01-01", "2026-12-31", {
      before: { from: "2025-01-01", to: "2025-11-21", total: 1, is_whole: false },
    }),
    "1 weniger als im Jahr 2025 um diese Zeit.",
  ],
  [
    periodOf("year", "2025-01-01", "2025-12-31", {
      before: { from: "2024-01-01", to: "2024-12-31", total: 7, is_whole: true },
    }),
    "7 weniger als im Jahr 2024.",
  ],
  [{ ...week("2026-11-22", 0, "2026-11-14"), before: null }, null],
  [periodOf("week", "2026-11-16", "2026-11-22", { before: { ...week("", 0, "x").before!, total: 0 } }), null],
])("formatComparison compares a period's beers with the previous period's (case %#)", (stats, words) => {
  expect(formatComparison(stats)).toBe(words);
});

describe("period bars", () => {
  const shown = (stats: PeriodStats) =>
    listPeriodBars(stats).map(({ label, shortLabel, value, height, mark }) => [label, shortLabel, value, height, mark]);

  test("the statistics chart labels a week's bars with weekdays, marks today, and leaves future days empty", () => {
    const bars = [
      { time: "2026-11-20", total: 4 },
      { time: "2026-11-21", total: 0 },
      { time: "2026-11-22", total: 0 },
    ];
    expect(shown(periodOf("week", "2026-11-16", "2026-11-22", { bars }))).toEqual([
      ["Freitag", "Fr", "4", 100, undefined],
      ["Samstag", "Sa", "0", 0, "heute"],
      ["Sonntag", "So", "", 0, undefined],
    ]);
  });

  test("the statistics chart labels a month's bars with dates, a year's bars with months, and all time's bars with years", () => {
    const days = [{ time: "2026-11-01", total: 1 }];
    expect(shown(periodOf("month", "2026-11-01", "2026-11-30", { bars: days }))).toEqual([
      ["1. November", "1", "1", 100, undefined],
    ]);
    const months = [
      { time: "2026-03", total: 1234 },
      { time: "2026-11", total: 617 },
      { time: "2026-12", total: 0 },
    ];
    expect(shown(periodOf("year", "2026-01-01", "2026-12-31", { bars: months }))).toEqual([
      ["März 2026", "Mär", "1.234", 100, undefined],
      ["November 2026", "Nov", "617", 50, "jetzt"],
      ["Dezember 2026", "Dez", "", 0, undefined],
    ]);
    const years = [
      { time: "2025", total: 0 },
      { time: "2026", total: 3 },
    ];
    expect(shown(periodOf("all", "2025-12-31", "2026-11-21", { bars: years }))).toEqual([
      ["2025", undefined, "0", 0, undefined],
      ["2026", undefined, "3", 100, "jetzt"],
    ]);
  });

  test("the statistics chart has a title even before its numbers are loaded", () => {
    const bars = [{ time: "2026-01", total: 0 }];
    const year = periodOf("all", "2026-05-01", "2026-11-21", { bars });
    expect(chartTitle({ span: "all", day: null }, year)).toBe("Monat für Monat");
    expect(chartTitle({ span: "all", day: null }, undefined)).toBe("Jahr für Jahr");
    expect(chartTitle({ span: "year", day: null }, undefined)).toBe("Monat für Monat");
    expect(chartTitle({ span: "month", day: null }, undefined)).toBe("Tag für Tag");
  });

  test("the statistics of a past period without beers show a different text than those of the current period", () => {
    expect(emptyTexts(periodOf("month", "2026-11-01", "2026-11-30")).chart).toBe("Noch nichts getrunken.");
    expect(emptyTexts(periodOf("month", "2026-10-01", "2026-10-31")).chart).toBe("Da war Ruhe am Tisch.");
    expect(emptyTexts(periodOf("all", "2026-11-21", "2026-11-21")).ranking).toBe("Noch sind alle nüchtern.");
  });
});
