import { expect, test } from "vitest";

import { formatDay, formatNumber, formatTimeOfDay, timeAgo } from "./german.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

test("formatNumber writes numbers in the German format", () => {
  const numbers = [0, 1.5, 1234, 1_234_567, 14.33, 1234.567, -1000];
  expect(numbers.map(formatNumber)).toEqual(["0", "1,5", "1.234", "1.234.567", "14,33", "1.234,57", "-1.000"]);
});

test("formatDay writes days the same in every browser and time zone", () => {
  expect(formatDay("2026-08-05", "dayOfMonth")).toBe("5.");
  expect(formatDay("2026-09-01", "shortMonth")).toBe("Sep");
  expect(formatDay("2026-12-05", "day")).toBe("5. Dezember");
  expect(formatDay("2026-08-15", "weekday")).toBe("Samstag");
});

test.each([
  [undefined, "17:43 Uhr"],
  ["weekday", "Freitag, 17:43 Uhr"],
  ["day", "20. November, 17:43 Uhr"],
  ["weekdayAndDay", "Freitag, 20. November, 17:43 Uhr"],
  ["shortDate", "20.11.26, 17:43 Uhr"],
] as const)("formatTimeOfDay with the day style %s writes “%s”", (day, words) => {
  expect(formatTimeOfDay("2026-11-20T16:43:00Z", "Europe/Berlin", day)).toBe(words);
});

test.each([
  [0, "gerade eben"],
  [59_000, "gerade eben"],
  [61_000, "vor 1 Minute"],
  [5.5 * 60_000, "vor 5 Minuten"],
  [3 * 3_600_000, "vor 3 Stunden"],
  [25 * 3_600_000, "gestern"],
  [26 * 3_600_000, "gestern"],
  [47 * 3_600_000, "vorgestern"],
  [5 * 86_400_000, "vor 5 Tagen"],
  [17 * 86_400_000, "am 3. November"],
  [400 * 86_400_000, "am 16. Oktober 2025"],
  [-5000, "gerade eben"],
])("timeAgo writes a time %i ms ago as “%s”", (past, words) => {
  expect(timeAgo(now - past, now)).toBe(words);
});

test.each([
  [5 * 60_000, "vor 5 Min."],
  [2 * 3_600_000, "vor 2 Std."],
  [25 * 3_600_000, "gestern"],
])("timeAgo abbreviates a time %i ms ago as “%s”", (past, words) => {
  expect(timeAgo(now - past, now, "short")).toBe(words);
});
