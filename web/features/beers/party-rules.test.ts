import { describe, expect, test } from "vitest";

import type { ShownParty } from "#contract/party.ts";
import { addTap, answerTap, applyEvent, applyFetched, createCounterState, removeBooked } from "./counter-rules.ts";
import {
  addOwnBeers,
  countUnseenBeers,
  describeEarlier,
  describePartyPeople,
  describeSum,
  formatSum,
  updateShownParty,
} from "./party-rules.ts";

const party = { is_running: true, is_member: true, user_counter: 5, counters_version: 100 };
const counters = createCounterState({ group: 50, own: 5 }, 100);
const answer = { group: 51, own: 6, version: 101 };

describe("countUnseenBeers", () => {
  test("countUnseenBeers counts a tap until the party's numbers include that beer", () => {
    const tapped = addTap(counters);
    expect(countUnseenBeers(party, tapped)).toBe(1);
    const answered = answerTap(tapped, answer);
    expect(countUnseenBeers(party, answered)).toBe(1);
    expect(countUnseenBeers({ ...party, user_counter: 6, counters_version: 101 }, answered)).toBe(0);
  });

  test("countUnseenBeers skips an unanswered tap that the party's numbers already include", () => {
    const tapped = addTap(counters);
    expect(countUnseenBeers({ ...party, user_counter: 6, counters_version: 101 }, tapped)).toBe(0);
    expect(countUnseenBeers({ ...party, user_counter: 6, counters_version: 101 }, addTap(tapped))).toBe(1);
  });

  test("countUnseenBeers counts taps that are not sent yet, also if the page knows only the counts of an earlier visit", () => {
    const kept = createCounterState({ group: 50, own: 5 });
    expect(countUnseenBeers(party, addTap(addTap(kept)))).toBe(2);
  });

  test("countUnseenBeers subtracts an undone beer at once", () => {
    expect(countUnseenBeers(party, removeBooked(counters))).toBe(-1);
    const otherDrank = applyEvent(counters, { counterVal: 51, version: 101 }, null);
    expect(countUnseenBeers({ ...party, counters_version: 101 }, removeBooked(otherDrank))).toBe(-1);
  });

  test("countUnseenBeers ignores counters older than the party's numbers", () => {
    const older = createCounterState({ group: 40, own: 2 });
    expect(countUnseenBeers(party, older)).toBe(0);
    const fetched = applyFetched(older, { group: 50, own: 5, version: 100 }, 0);
    expect(countUnseenBeers(party, fetched)).toBe(0);
  });

  test("countUnseenBeers is 0 for non-members of the party, after its end, and without counters", () => {
    const tapped = addTap(counters);
    expect(countUnseenBeers({ ...party, is_member: false }, tapped)).toBe(0);
    expect(countUnseenBeers({ ...party, is_running: false }, tapped)).toBe(0);
    expect(countUnseenBeers(party, undefined)).toBe(0);
  });
});

describe("updateShownParty", () => {
  const users = [1, 2].map((id) => ({ id, beercounter_entries_count: 1, is_home: false }));
  const numbers = { id: 7, total: 3, guest_total: 1, own_total: 1, user_counter: 5, counters_version: 100 };
  const shown = { ...numbers, users } as unknown as ShownParty;
  const change = (totals: [number, number][], guest_total = 1) => ({
    version: 101,
    totals: [[1, 6]] satisfies [number, number][],
    parties: [{ id: 7, total: 4, guest_total, totals }],
  });

  test("updateShownParty merges the new numbers of an event into a party and its ranking", () => {
    const next = updateShownParty(shown, change([[1, 2]]), 1);
    expect(next).toMatchObject({ total: 4, own_total: 2, user_counter: 6, counters_version: 101 });
    expect(next?.users.map((user) => user.beercounter_entries_count)).toEqual([2, 1]);
  });

  test.each([
    ["the party has ended", { ...change([[1, 2]]), parties: [] }],
    ["a member is new", change([[3, 1]])],
    ["a guest has drunk", change([], 2)],
  ])("updateShownParty returns null if the event lacks something: %s", (_, event) => {
    expect(updateShownParty(shown, event, 1)).toBeNull();
  });
});

test("addOwnBeers changes a party's total and the member's count, which never become negative", () => {
  expect(addOwnBeers({ total: 3, own_total: 1 }, 2)).toEqual({ total: 5, own_total: 3 });
  expect(addOwnBeers({ total: 3, own_total: 0 }, -1)).toEqual({ total: 2, own_total: 0 });
});

test.each([
  [1, "21:30", "Du hast in den letzten zwei Stunden ein Bier getrunken. Soll es bei der Party zählen?"],
  [3, "20:31", "Du hast in den letzten zwei Stunden 3 Biere getrunken. Sollen sie bei der Party zählen?"],
  [3, "22:31", "Du hast seit 20:30 Uhr 3 Biere getrunken. Sollen sie bei der Party zählen?"],
])("the question if %i earlier beers should count at a party at %s names their time", (earlier, time, text) => {
  const now = Date.parse(`2026-11-20T${time}:00+01:00`);
  expect(describeEarlier({ id: 1, starts_at: "2026-11-20T19:30:00Z", earlier }, now, "Europe/Berlin")).toBe(text);
});

test.each([
  [14, 0, null, "14 Biere"],
  [14, 2, "12 und 2 von Gästen", "12 Biere und 2 von Gästen"],
  [2, 1, "1 und 1 von Gästen", "1 Bier und 1 von Gästen"],
])("a party's sum of %i beers names the %i of guests", (total, guest_total, parts, sum) => {
  expect([describeSum({ total, guest_total }), formatSum({ total, guest_total })]).toEqual([parts, sum]);
});

test.each([
  [["Anna", "Ben"], 0, "Dabei: Anna und Ben"],
  [["Anna", "Ben"], 1, "Dabei: Anna, Ben und 1 weitere"],
  [["Anna", "Ben", "Carla", "David", "Emil"], 2, "Dabei: Anna, Ben, Carla und 4 weitere"],
  [[], 1, "Dabei: 1 Person"],
])("a party with the members %j and %i unnamed people is described as %j", (names, others, text) => {
  const users = names.map((name, id) => ({ id, name, profile_picture: null }));
  expect(describePartyPeople(users, others)).toBe(text);
});
