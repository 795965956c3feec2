import { expect, test } from "vitest";

import { hours, minutes } from "#server/time.ts";
import { isBusiestHour } from "./photo-rules.ts";

const starts_at = Date.parse("2026-11-20T19:00:00Z");

/** Takes the minutes after the start of each quarter of an hour, and its beers. */
const countsAt = (...beers: readonly (readonly [minute: number, count: number])[]) =>
  beers.map(([minute, count]) => ({ quarter: (starts_at + minutes(minute)) / minutes(15), count }));

test.each([
  ["has at least as many beers as each hour before", countsAt([0, 4], [105, 4]), 2, hours(2), true],
  ["has fewer beers than an hour before", countsAt([0, 2], [30, 3], [105, 4]), 2, hours(2), false],
  ["has fewer than four beers", countsAt([105, 3]), 2, hours(2), false],
  ["is within the first one and a half hours", countsAt([75, 4]), 2, minutes(89), false],
  ["ends after one and a half hours", countsAt([75, 4]), 2, minutes(90), true],
  ["has only one member there", countsAt([105, 9]), 1, hours(2), false],
  ["has its beers in several quarters", countsAt([75, 1], [90, 1], [105, 2]), 3, hours(2), true],
  ["had its beers more than an hour ago", countsAt([45, 4]), 3, hours(3), false],
])("an hour of a party that %s: asked for photos: %5$s", (_, counts, people, after, isAsked) => {
  expect(isBusiestHour({ starts_at }, counts, people, starts_at + after)).toBe(isAsked);
});
