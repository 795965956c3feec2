import { describe, expect, test } from "vitest";

import { hours, toIso } from "#server/time.ts";
import { findAutomaticEnd, findEarliestBeer } from "./rules.ts";

test.each([
  ["in the evening", "2026-11-20T19:30:00Z", "Europe/Berlin", "2026-11-21T11:00:00.000Z"],
  ["after midnight", "2026-11-21T01:30:00Z", "Europe/Berlin", "2026-11-21T11:00:00.000Z"],
  ["just before six", "2026-11-21T04:59:59Z", "Europe/Berlin", "2026-11-21T11:00:00.000Z"],
  ["at six", "2026-11-21T05:00:00Z", "Europe/Berlin", "2026-11-22T11:00:00.000Z"],
  ["at noon", "2026-11-21T11:00:00Z", "Europe/Berlin", "2026-11-22T11:00:00.000Z"],
  ["before the clocks go forward", "2026-03-28T19:00:00Z", "Europe/Berlin", "2026-03-29T10:00:00.000Z"],
  ["in the night the clocks go forward", "2026-03-29T01:30:00Z", "Europe/Berlin", "2026-03-29T10:00:00.000Z"],
  ["before the clocks go back", "2026-10-24T18:00:00Z", "Europe/Berlin", "2026-10-25T11:00:00.000Z"],
  ["in the hour that occurs twice", "2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25T11:00:00.000Z"],
  ["in the evening, far to the east", "2026-11-20T06:30:00Z", "Pacific/Kiritimati", "2026-11-20T22:00:00.000Z"],
  ["in the evening, far to the west", "2026-11-21T07:30:00Z", "Pacific/Pago_Pago", "2026-11-21T23:00:00.000Z"],
  ["with an odd offset", "2026-11-20T14:00:00Z", "Asia/Kathmandu", "2026-11-21T06:15:00.000Z"],
])("a party that starts %s (%s, %s) ends automatically at %s", (_, start, timeZone, end) => {
  expect(toIso(findAutomaticEnd(Date.parse(start), timeZone))).toBe(end);
});

describe("findEarliestBeer", () => {
  const start = Date.parse("2026-11-20T19:30:00Z");
  const elsewhere = (from: number, until: number | null) => ({
    starts_at: start + hours(from),
    ends_at: start + hours(14),
    counts_from: 0,
    counts_until: until === null ? null : start + hours(until),
  });

  test.each([
    ["two hours before the start", 0, [], -2],
    ["two hours ago", 0.5, [], -1.5],
    ["the start, after more than two hours", 3, [], null],
    ["the end of a stay elsewhere", 0.5, [elsewhere(-3, -1)], -1],
    ["two hours ago, after a stay elsewhere that ended earlier", 0, [elsewhere(-9, -3)], -2],
    ["two hours ago, with a stay elsewhere that began after the start", 0.5, [elsewhere(0.25, null)], -1.5],
    ["the start, with a stay elsewhere that goes on", 0.5, [elsewhere(-1, null)], null],
  ])("a member who joins a party can include beers since %s", (_, now, stays, expected) => {
    const earliest = findEarliestBeer({ starts_at: start }, start + hours(now), stays);
    expect(earliest).toBe(expected === null ? null : start + hours(expected));
  });
});
