import { expect, test } from "vitest";

import * as rules from "./rules.ts";

test("titleOf returns a page title with the name of the member whose page is shown", () => {
  expect([rules.titleOf(true, "Anna"), rules.titleOf(false, "Ben"), rules.titleOf(false, undefined)]).toEqual([
    "Mein Deckel",
    "Deckel von Ben",
    "Deckel",
  ]);
});

test("describeParty returns the date of an ended party, or that the party is still running", () => {
  const party = { id: 1, name: "Grillen", starts_at: "2026-11-20T23:30:00Z", is_running: false, own_total: 1 };
  expect(rules.describeParty(party, "Europe/Berlin")).toBe("21. November 2026, 1 Bier");
  expect(rules.describeParty({ ...party, is_running: true, own_total: 4 }, "Europe/Berlin")).toBe(
    "läuft gerade, 4 Biere",
  );
});

test("describeOwnDoors names empty doors until their day, and counts opened doors", () => {
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

const person = (name: string, disabled = false) => ({ name, uname: name, email: `${name}@x.example`, disabled });

test("filterMembers finds parts of names regardless of accents, and lists disabled members last", () => {
  const members = [person("Zoé"), person("Bernd", true), person("Änne"), person("Anna")];
  const names = (wanted: string) => rules.filterMembers(members, wanted).map(({ name }) => name);
  expect(names("")).toEqual(["Anna", "Änne", "Zoé", "Bernd"]);
  expect(names("zoe")).toEqual(["Zoé"]);
  expect(names("ANN x.example")).toEqual(["Anna", "Änne"]);
  expect(names("niemand")).toEqual([]);
});
