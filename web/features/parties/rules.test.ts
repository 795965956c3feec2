import { expect, test } from "vitest";

import { describeDay, describePeople, formatEverybody, formatLength } from "./rules.ts";

test("describeDay returns the start of a running party, and the date of an ended party", () => {
  const party = {
    id: 1,
    name: "Kegeln",
    ends_at: "2026-11-21T07:30:00Z",
    total: 0,
    guest_total: 0,
    member_count: 1,
    asking_count: 0,
  };
  const starts_at = "2026-11-20T19:30:00Z";
  expect(describeDay({ ...party, starts_at, is_running: true }, "Europe/Berlin")).toBe("seit Freitag, 20:30 Uhr");
  expect(describeDay({ ...party, starts_at, is_running: false }, "Europe/Berlin")).toBe("20. November 2026");
});

test.each([
  ["a member", { by: "Ben", is_starter_former: false }, "3 Leute, gestartet von Ben."],
  [
    "a member who has left",
    { by: "Ehemaliges Mitglied", is_starter_former: true },
    "3 Leute, gestartet von einem ehemaligen Mitglied.",
  ],
  ["a member who pauses", { by: "", is_starter_former: false }, "3 Leute."],
])(
  "describePeople names the member who started a party, unless the member has left or pauses: %s",
  (_, starter, text) => {
    expect(describePeople({ users: [], others: 3, guest_count: 0, ...starter })).toBe(text);
  },
);

test.each([
  [0, "3 Leute"],
  [1, "3 Mitglieder und 1 Gast"],
  [2, "3 Mitglieder und 2 Gäste"],
])("formatEverybody adds %i guests to the number of members", (guest_count, text) => {
  expect(formatEverybody({ users: [], others: 3, guest_count })).toBe(text);
});

test.each([
  [0, "1 Min."],
  [5 * 60_000, "5 Min."],
  [60 * 60_000, "1 Std."],
  [285 * 60_000, "4 Std. 45 Min."],
  [12 * 60 * 60_000, "12 Std."],
])("formatLength(%i) returns %j", (ms, text) => {
  expect(formatLength(ms)).toBe(text);
});
