import { expect, test } from "vitest";

import * as rules from "./rules.ts";

test.each([
  ["", null],
  ["?id=7", 7],
  ["?id=0", null],
  ["?id=7a", null],
  ["?id=1234567890", null],
])("the address %s belongs to the member %s", (search, id) => {
  expect(rules.parseMemberId(search)).toBe(id);
});

test("the title names whose page it is", () => {
  expect([rules.titleOf(true, "Anna"), rules.titleOf(false, "Ben"), rules.titleOf(false, undefined)]).toEqual([
    "Mein Deckel",
    "Deckel von Ben",
    "Deckel",
  ]);
});

test("a party has its day or says that it is running", () => {
  const party = { id: 1, name: "Grillen", starts_at: "2026-11-20T23:30:00Z", is_running: false, own_total: 1 };
  expect(rules.describeParty(party, "Europe/Berlin")).toBe("21. November 2026, 1 Bier");
  expect(rules.describeParty({ ...party, is_running: true, own_total: 4 }, "Europe/Berlin")).toBe(
    "läuft gerade, 4 Biere",
  );
});

test("empty own doors are named until their day, opened ones are counted", () => {
  const door = (day: number, is_filled: boolean) => ({ date: `2026-12-${String(day).padStart(2, "0")}`, is_filled });
  const calendar = { year: 2026, doors: [door(3, false), door(7, true), door(20, false)], opened: 9 };
  expect(rules.describeOwnDoors(calendar, "2026-12-01")).toEqual([
    "Türchen 3 und 20 warten auf ein Bild von dir.",
    "9 Türchen hast du geöffnet.",
  ]);
  expect(rules.describeOwnDoors({ ...calendar, opened: 0 }, "2026-12-03")).toEqual([
    "Türchen 20 wartet auf ein Bild von dir.",
  ]);
});
