import { describe, expect, test } from "vitest";

import type { TvParty, TvScreen } from "#contract/tv.ts";
import {
  barWidth,
  clockHands,
  clockPlace,
  findShownParty,
  formatClock,
  formatPeople,
  driftOffset,
  isQuiet,
  tonightText,
  findAnnouncement,
  listLatest,
  pollDelay,
  prostText,
  computeScale,
  rankingLayout,
} from "./rules.ts";

const now = Date.parse("2026-11-20T21:00:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const tap = (id: number, name: string, seconds: number) => ({ id, name, avatarId: null, at: ago(seconds), kind: null });
const milestone = (id: number, seconds: number) =>
  ({ id, kind: "group", count: 100 * id, userName: "Anna", avatarId: null, at: ago(seconds) }) as const;
const createParty = (id: number, guest_taps: TvParty["guest_taps"]): TvParty => ({
  ...{ id, name: `Party ${id}`, total: 0, guest_total: 0, members: [], others: 0, drinkers: [], guest_taps },
});
const empty: TvScreen = {
  group_name: "Stammtisch",
  group_short: "KSK",
  total: 0,
  tonight: 0,
  parties: [],
  drinkers: [],
  taps: [],
  milestone: null,
};

test("pollDelay is two seconds, and grows to at most 30 seconds after failures", () => {
  expect([0, 1, 2, 3, 4, 100].map(pollDelay)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

describe("findAnnouncement", () => {
  const before = { ...empty, taps: [tap(4, "Anna", 90)] };

  test("findAnnouncement names each drinker of new beers once, in the order in which they drank", () => {
    const taps = [tap(8, "Anna", 1), tap(7, "Ben", 2), tap(6, "Anna", 3), ...before.taps];
    const announcement = findAnnouncement(before, { ...empty, taps }, now);
    expect(announcement?.kind === "taps" && announcement.drinkers.map(({ name }) => name)).toEqual(["Anna", "Ben"]);
  });

  test.each<[string, TvScreen]>([
    ["a beer that is booked a minute late", { ...empty, taps: [...before.taps, tap(9, "Ben", 60)] }],
    ["a beer drunk while the television was off", { ...empty, taps: [tap(9, "Ben", 3600), ...before.taps] }],
    ["an undone beer", { ...empty, taps: [tap(3, "Carla", 95)] }],
    ["a renamed member", { ...empty, taps: [tap(4, "Annika", 90)] }],
    ["a milestone older than a minute", { ...before, milestone: milestone(7, 61) }],
  ])("findAnnouncement does not announce %s", (_, after) => expect(findAnnouncement(before, after, now)).toBeNull());

  test("findAnnouncement announces the beer of a guest like that of a member, without a picture", () => {
    const old = { ...before, parties: [createParty(1, [{ id: 2, name: "Mia", at: ago(50) }])] };
    const guests = [3, 2].map((id) => ({ id, name: "Mia", at: ago(id === 3 ? 1 : 50) }));
    const after = { ...old, taps: [tap(5, "Anna", 2), ...before.taps], parties: [createParty(1, guests)] };
    const announcement = findAnnouncement(old, after, now);
    expect(announcement?.kind === "taps" && announcement.drinkers).toMatchObject([
      { name: "Anna" },
      { name: "Mia", avatarId: null },
    ]);
    expect(findAnnouncement(after, after, now)).toBeNull();
    const late = [{ id: 9, name: "Mia", at: ago(60) }];
    expect(findAnnouncement(old, { ...old, parties: [createParty(1, late)] }, now)).toBeNull();
  });

  test("findAnnouncement announces a milestone and not the beer that reached it", () => {
    const after = { ...empty, taps: [tap(9, "Ben", 1), ...before.taps], milestone: milestone(7, 1) };
    expect(findAnnouncement({ ...before, milestone: milestone(6, 900) }, after, now)?.kind).toBe("milestone");
    expect(findAnnouncement({ ...before, milestone: milestone(7, 1) }, after, now)?.kind).toBe("taps");
  });
});

test("listLatest returns the newest ten taps of members and guests, newest first", () => {
  const taps = Array.from({ length: 10 }, (_, index) => tap(20 - index, "Anna", index * 10));
  const screen = { ...empty, taps, parties: [createParty(1, [{ id: 2, name: "Mia", at: ago(5) }])] };
  expect(listLatest(screen).map(({ id }) => id)).toEqual([20, -2, 19, 18, 17, 16, 15, 14, 13, 12]);
});

test.each([
  [["Anna"], "Prost, Anna!"],
  [["Anna", "Ben"], "Prost, Anna und Ben!"],
  [["Anna", "Ben", "Carla"], "Prost, alle zusammen!"],
])("prostText(%j) returns “%s”", (names, words) => expect(prostText(names)).toBe(words));

test.each([
  [0, 1, 1],
  [8, 1, 8],
  [13, 2, 7],
  [40, 2, 20],
  [60, 3, 20],
])("rankingLayout shows %i members in %i columns of %i rows", (members, columns, rows) => {
  expect(rankingLayout(members)).toEqual({ columns, rows });
});

test("barWidth is 100 % for the highest count, and 0 for all members before the first beer", () => {
  expect([barWidth(3, [9, 3]), barWidth(9, [9, 3]), barWidth(0, [0, 0])]).toEqual([33.33, 100, 0]);
});

test("driftOffset moves a TV's content by less than 10 px and returns to the start", () => {
  const places = Array.from({ length: 8 }, (_, step) => driftOffset(now + step * 90_000));
  expect(new Set(places.map(String)).size).toBe(8);
  expect(Math.max(...places.flat().map(Math.abs))).toBeLessThan(10);
  expect(driftOffset(now + 8 * 90_000)).toEqual(driftOffset(now));
});

test.each([
  [1920, 1080, true, 16],
  [3840, 2160, true, 32],
  [1280, 800, true, 10.67],
  [390, 844, false, 13.93],
  [1080, 1920, false, 20],
])("computeScale chooses the wide layout on a screen of %i × %i px: %s", (width, height, isWide, em) => {
  const scale = computeScale(width, height);
  expect([scale.isWide, Math.round(scale.em * 100) / 100]).toEqual([isWide, em]);
});

test("formatClock changes the date at midnight in the group's time zone", () => {
  expect(formatClock(Date.parse("2026-11-22T22:59:59Z"), "Europe/Berlin")).toEqual({
    day: "Sonntag, 22. November",
    time: "23:59",
  });
  expect(formatClock(Date.parse("2026-11-22T23:00:00Z"), "Europe/Berlin")).toEqual({
    day: "Montag, 23. November",
    time: "00:00",
  });
});

describe("quiet clock", () => {
  const longAgo = now - 86_400_000;
  test.each<[string, TvScreen, number, boolean]>([
    ["is shown five minutes after the last tap", { ...empty, taps: [tap(1, "Anna", 300)] }, longAgo, true],
    ["is not shown 299 seconds after the last tap", { ...empty, taps: [tap(1, "Anna", 299)] }, longAgo, false],
    [
      "is not shown right after a milestone",
      { ...empty, taps: [tap(1, "Anna", 900)], milestone: milestone(1, 3) },
      longAgo,
      false,
    ],
    [
      "is not shown right after a beer of a guest",
      { ...empty, parties: [createParty(1, [{ id: 1, name: "Mia", at: ago(3) }])] },
      longAgo,
      false,
    ],
    ["is not shown right after the page was opened", empty, now - 1000, false],
    ["is shown five minutes after the page was opened, without any beer", empty, now - 300_000, true],
  ])("a TV's clock for times without beers %s", (_, screen, openedAt, expected) =>
    expect(isQuiet(screen, openedAt, now)).toBe(expected),
  );

  test.each([
    ["00:00", 0, 0],
    ["03:00", 90, 0],
    ["21:30", 285, 180],
  ])("clockHands returns angles for %s: %i° for the hour hand and %i° for the minute hand", (time, hour, minute) => {
    expect(clockHands(time)).toEqual({ hour, minute });
  });

  test("clockPlace moves a TV's clock through most of the free space, and never out of it", () => {
    const places = Array.from({ length: 360 }, (_, step) => clockPlace(now + step * 10_000));
    expect(Math.max(...places.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))).toBeLessThanOrEqual(100);
    expect(Math.max(...places.map(({ x }) => x)) - Math.min(...places.map(({ x }) => x))).toBeGreaterThan(150);
  });
});

test("findShownParty alternates between the running parties, and returns null if no party runs", () => {
  const parties = [createParty(1, []), createParty(2, [])];
  const shown = [0, 20_000, 40_000].map((later) => findShownParty(parties, 1_200_000 + later)?.id);
  expect(shown).toEqual([1, 2, 1]);
  expect(findShownParty([], now)).toBeNull();
});

test.each([
  [["Anna"], 0, "Anna"],
  [["Anna", "Ben"], 1, "Anna, Ben und 1 weiterer"],
  [["Anna", "Ben", "Carla", "David", "Emil"], 0, "Anna, Ben, Carla, David und Emil"],
  [["Anna", "Ben", "Carla", "David", "Emil", "Frieda"], 2, "Anna, Ben, Carla, David und 4 weitere"],
  [[], 2, "2 dabei"],
])("formatPeople(%j and %i unnamed people) returns “%s”", (names, others, text) => {
  const members = names.map((name, id) => ({ id, name, avatarId: null }));
  expect(formatPeople({ members, others })).toBe(text);
});

test("tonightText returns “heute” from 06:00 to 15:59, and “heute Abend” at other times", () => {
  expect(["06:00", "15:59", "16:00", "23:59", "05:59"].map(tonightText)).toEqual([
    "heute",
    "heute",
    "heute Abend",
    "heute Abend",
    "heute Abend",
  ]);
});
