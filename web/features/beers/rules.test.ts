import { describe, expect, test } from "vitest";

import {
  compareDrinkers,
  receivedTimelyStats,
  type Drinker,
  type OwnBeer,
  type ShownRanking,
} from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/client/outbox-rules.ts";
import {
  addRanks,
  addToast,
  applyDelivery,
  describeLatest,
  describePresent,
  describeToasts,
  findHighlightedYear,
  formatNames,
  formatTime,
  isEmptyWeek,
  isSameDay,
  isSameWeek,
  listAverageBars,
  listPastBeers,
  listWeekBars,
  milestoneTexts,
  pickSaying,
  prostText,
  sayings,
  updateRanking,
  weekdayIndex,
} from "./rules.ts";

describe("listPastBeers", () => {
  const own = (id: number, at: string, late = false, removable_seconds = 60): OwnBeer => ({
    id,
    key: `key-${id}`,
    at: `2026-11-20T${at}:00.000Z`,
    late,
    kind: id === 2 ? "0,0" : null,
    removable_seconds,
    booked_by: null,
  });
  const entry = (beer: string, at: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
    id: beer,
    endpoint: "drinkBeer",
    beer,
    memberId: 1,
    postedAt: Date.parse(`2026-11-20T${at}:00Z`),
    isRefused: false,
    failures: 1,
    ...changes,
  });

  test("the member's history lists booked and pending beers, newest first, without undone beers", () => {
    const past = listPastBeers(
      [own(1, "18:00", false, 0), own(2, "19:00"), own(3, "17:00", true), own(4, "16:00")],
      [],
      [
        entry("new", "20:00"),
        entry("no", "15:00", { isRefused: true, body: { kind: "0,0" } }),
        entry("key-2", "19:00"),
        entry("key-4", "16:00", { endpoint: "undoTap" }),
        entry("never-mind", "14:00", { endpoint: "undoTap" }),
      ],
    );
    expect(past.map(({ key, state, kind, isRemovable }) => [key, state, kind, isRemovable])).toEqual([
      ["new", "waiting", null, true],
      ["key-2", "booked", "0,0", true],
      ["key-1", "booked", null, false],
      ["key-3", "late", null, true],
      ["no", "refused", "0,0", true],
    ]);
  });

  test("the history names who else drank or booked a beer, and undoes it there", () => {
    const byAnna: OwnBeer = { ...own(1, "18:00"), booked_by: { kind: "member", name: "Anna" } };
    const forCarla = { ...own(2, "19:00"), member: { id: 3, name: "Carla" } };
    const pending = entry("new", "20:00", { endpoint: "drinkFor", params: { id: "4" }, drinker: "David" });
    const past = listPastBeers([byAnna], [forCarla], [pending]);
    expect(past.map(({ drinker, bookedBy, undo }) => [drinker, bookedBy?.name, undo])).toEqual([
      ["David", undefined, { endpoint: "undoFor", params: { id: "4", key: "new" }, drinker: "David" }],
      ["Carla", undefined, { endpoint: "undoFor", params: { id: "3", key: "key-2" }, drinker: "Carla" }],
      [null, "Anna", { endpoint: "undoTap", params: { key: "key-1" } }],
    ]);
  });

  test("the history keeps a beer that was just booked and omits a beer that was just undone", () => {
    const known = [own(1, "18:00"), own(2, "19:00")];
    const delivered = [
      entry("new", "20:00", { body: { kind: "0,0" } }),
      entry("key-1", "18:00", { endpoint: "undoTap" }),
    ];
    const past = listPastBeers(delivered.reduce(applyDelivery, known as readonly OwnBeer[]), [], []);
    expect(past.map(({ key, state, kind, isRemovable }) => [key, state, kind, isRemovable])).toEqual([
      ["new", "booked", "0,0", true],
      ["key-2", "booked", "0,0", true],
    ]);
    expect(applyDelivery(known, entry("key-2", "19:00"))).toHaveLength(2);
  });
});

test.each([
  ["2026-11-20T20:43:00Z", "21:43"],
  ["2026-11-20T01:05:00Z", "02:05"],
  ["2026-11-19T22:59:00Z", "Do. 23:59"],
])("the time of a beer drunk at %s is shown on Friday evening in Berlin as “%s”", (at, shown) => {
  expect(formatTime(Date.parse(at), Date.parse("2026-11-20T21:00:00Z"), "Europe/Berlin")).toBe(shown);
});

test("pickSaying returns each of the eleven sayings, with an exclamation mark", () => {
  expect(new Set(sayings).size).toBe(11);
  expect(Array.from({ length: 11 }, (_, index) => pickSaying(index / 11))).toEqual(
    sayings.map((saying) => `${saying}!`),
  );
  expect(pickSaying(0.999_999)).toBe(`${sayings[10]}!`);
});

test.each([
  [["Anna"], "Anna"],
  [["Anna", "Bert"], "Anna und Bert"],
  [["Anna", "Bert", "Carla"], "Anna, Bert und Carla"],
  [["Anna", "Bert", "Carla", "David"], "Anna, Bert und 2 weitere"],
  [["Anna", "Bert", "Carla", "David", "Emil"], "Anna, Bert und 3 weitere"],
])("formatNames writes %j as %j", (names, words) => {
  expect(formatNames(names)).toBe(words);
});

test("formatNames counts members whose names are not listed", () => {
  expect(formatNames(["Anna", "Bert", "Carla"], 1945)).toBe("Anna, Bert und 1.943 weitere");
});

test.each([
  [["Ben"], { count: 1 }, "Gerade hier: Ben"],
  [["Ben", "Clara", "Dirk"], { count: 1945 }, "Gerade hier: Ben, Clara und 1.943 weitere"],
  [["Ben", "Clara", "Dirk"], { count: 99, pages: 1134 }, "Gerade hier: Ben, Clara und andere, 1.134 offene Seiten"],
  [["Ben", "Clara", "Dirk"], { count: 99, pages: null }, "Gerade hier: Ben, Clara und andere"],
  [[], { count: 0, pages: 134 }, "134 offene Seiten"],
])("describePresent describes %j and %j as %j", (names, numbers, text) => {
  expect(describePresent(names, numbers)).toBe(text);
});

const anna = 1;
test.each([
  [undefined, "Prost von Ben!"],
  [{ userIds: [], names: [], isMore: true }, "Prost von Ben!"],
  [{ userIds: [3], names: ["Clara"], isMore: false }, "Prost von Ben und Clara!"],
  [{ userIds: [3, 4], names: ["Clara", "Dirk"], isMore: false }, "Prost von Ben, Clara und Dirk!"],
  [{ userIds: [3, 4, 5], names: ["Clara", "Dirk", "Emil"], isMore: false }, "Prost von Ben, Clara und 2 anderen!"],
  [{ userIds: [anna, 3], names: ["Anna", "Clara"], isMore: false }, "Prost von Ben und Clara!"],
  [
    { userIds: [3, 4, 5, 6, anna], names: ["Clara", "Dirk", "Emil"], isMore: false },
    "Prost von Ben, Clara und 3 anderen!",
  ],
])(
  "the message about Ben's beer names members whose beers were announced with it, but not the reader (case %#)",
  (others, text) => {
    expect(prostText("Ben", others, anna)).toBe(text);
  },
);

test("addRanks numbers the whole ranking of more than 100 members, but neither a small nor a shortened one", () => {
  const listOf = (count: number) =>
    Array.from({ length: count }, (_, id) => ({
      ...{ id, name: "Anna", uname: "anna", profile_picture: null, beercounter_entries_count: 0 },
    }));
  const ranksOf = (count: number, total?: number) =>
    addRanks({ users: listOf(count), ...(total !== undefined && { total }) }).users.map(({ rank }) => rank);
  expect(ranksOf(101)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
  expect(new Set(ranksOf(100))).toEqual(new Set([undefined]));
  expect(new Set(ranksOf(101, 140))).toEqual(new Set([undefined]));
});

describe("weekday bars", () => {
  const stats = { thisWeek: [1, 0, 4, 0, 0, 0, 0], allWeeks: [1.5, 0, 0, 0, 0, 0, 3] };

  test("the weekly chart has bars from Monday to Sunday, with today marked and future days empty", () => {
    expect(listWeekBars(stats, 3).map(({ label, value, height, mark }) => [label, value, height, mark])).toEqual([
      ["Montag", "1", 25, undefined],
      ["Dienstag", "0", 0, undefined],
      ["Mittwoch", "4", 100, undefined],
      ["Donnerstag", "0", 0, "heute"],
      ["Freitag", "", 0, undefined],
      ["Samstag", "", 0, undefined],
      ["Sonntag", "", 0, undefined],
    ]);
    expect(isEmptyWeek(stats)).toBe(false);
    expect(isEmptyWeek({ thisWeek: [0, 0, 0, 0, 0, 0, 0], allWeeks: [] })).toBe(true);
  });

  test("a bar of the weekly chart shows its beers even if the device's clock says that its day is in the future", () => {
    expect(listWeekBars(stats, 1)[2]!.value).toBe("4");
  });

  test("the chart of the weekday averages labels its bars with all seven weekdays in German", () => {
    const bars = listAverageBars(stats);
    expect(bars.map(({ label }) => label).join()).toBe(
      "montags,dienstags,mittwochs,donnerstags,freitags,samstags,sonntags",
    );
    expect(bars[0]).toMatchObject({ value: "1,5", height: 50, shortLabel: "Mo" });
  });
});

test.each([
  [{}, [0, 0, 0, 0, 0, 0, 0]],
  [{ thisWeek: [1, null, 4], allWeeks: [] }, [1, 0, 4, 0, 0, 0, 0]],
  [{ thisWeek: [1, 2, 3, 4, 5, 6, 7, 8] }, [1, 2, 3, 4, 5, 6, 7]],
])("numbers of the weekly chart that are missing in the server's answer %j count as 0", (answer, thisWeek) => {
  expect(receivedTimelyStats.parse(answer).thisWeek).toEqual(thisWeek);
});

test("describeLatest names the drinker of the newest beer and how long ago it was", () => {
  const now = Date.parse("2026-11-20T21:00:00Z");
  const beer = { userId: 2, userName: "Ben", at: "2026-11-20T20:52:00.000Z" };
  expect(describeLatest(beer, 1, now)).toBe("Zuletzt: Ben, vor 8 Min.");
  expect(describeLatest(beer, 2, now)).toBe("Zuletzt: du, vor 8 Min.");
  expect(describeLatest(null, 1, now)).toBe("Der erste Strich ist noch frei.");
});

test("weekdayIndex changes at midnight in the group's time zone", () => {
  expect(weekdayIndex(new Date("2026-11-22T22:59:59Z"), "Europe/Berlin")).toBe(6);
  expect(weekdayIndex(new Date("2026-11-22T23:00:00Z"), "Europe/Berlin")).toBe(0);
});

test.each<[string, number[], number | null]>([
  ["2026-11-30", [2025], null],
  ["2026-12-01", [2026, 2025], 2026],
  ["2026-12-02", [2026], null],
  ["2026-12-25", [2026], null],
  ["2026-12-26", [2026], 2026],
  ["2026-12-31", [2026], 2026],
  ["2026-12-31", [2025], null],
  ["2027-01-01", [2026], null],
])("findHighlightedYear on %s with reviews of the years %j returns %j", (today, years, highlighted) => {
  expect(findHighlightedYear({ today, years: years.map((year) => ({ year, final: true })) })).toBe(highlighted);
});

test.each([
  ["an hour later", "2026-11-20T20:00:00Z", "2026-11-20T21:00:00Z", { week: true, day: true }],
  ["after midnight in Berlin", "2026-11-20T20:00:00Z", "2026-11-20T23:30:00Z", { week: true, day: false }],
  ["on the next Monday", "2026-11-20T20:00:00Z", "2026-11-23T08:00:00Z", { week: false, day: false }],
  ["on the same weekday a week later", "2026-11-20T20:00:00Z", "2026-11-27T19:00:00Z", { week: false, day: false }],
  ["on a later weekday of the next week", "2026-11-20T20:00:00Z", "2026-11-28T08:00:00Z", { week: false, day: false }],
])("isSameWeek and isSameDay compare local days: %s", (_, earlier, later, { week, day }) => {
  const times = [Date.parse(earlier), Date.parse(later), "Europe/Berlin"] as const;
  expect([isSameWeek(...times), isSameDay(...times)]).toEqual([week, day]);
});

const user = (id: number, beers: number) => ({
  id,
  name: `Member ${String(id).padStart(3, "0")}`,
  uname: `m${id}`,
  profile_picture: null,
  beercounter_entries_count: beers,
});
const show = (ranking: ShownRanking | null) =>
  ranking?.users.map(({ id, beercounter_entries_count: beers, rank }) =>
    rank === undefined ? [id, beers] : [rank, id, beers],
  );

/** The first three of ten members, and the seventh to ninth. */
const near: ShownRanking = {
  users: [
    [1, 90],
    [2, 80],
    [3, 70],
    [7, 30],
    [8, 20],
    [9, 10],
  ].map(([id, beers]) => ({ ...user(id!, beers!), rank: id! })),
  total: 10,
};

describe("updateRanking", () => {
  test("a whole ranking is sorted again after a beer", () => {
    const ranking = { users: [user(1, 5), user(2, 5)] };
    expect(show(updateRanking(ranking, [[2, 6]]))).toEqual([
      [2, 6],
      [1, 5],
    ]);
  });

  test("a whole ranking that lacks a member must be refetched", () => {
    expect(updateRanking({ users: [user(1, 5)] }, [[2, 1]])).toBeNull();
  });

  test("members of a shortened ranking change ranks within the top or the neighbors", () => {
    const updated = updateRanking(near, [
      [3, 85],
      [8, 25],
    ]);
    expect(show(updated)?.slice(0, 5)).toEqual([
      [1, 1, 90],
      [2, 3, 85],
      [3, 2, 80],
      [4 + 3, 7, 30],
      [8, 8, 25],
    ]);
  });

  test("a beer of a member between the top and the neighbors changes nothing in a shortened ranking", () => {
    expect(updateRanking(near, [[5, 51]])).toEqual(near);
  });

  test.for([
    ["a missing member reaches the top", [5, 70]],
    ["a missing member comes among the neighbors", [10, 10]],
    ["a neighbor passes the open end of the neighbors", [8, 31]],
    ["a member of the top falls out of it", [3, 60]],
  ] as const)("a shortened ranking must be refetched if %s", ([, change]) => {
    expect(updateRanking(near, [[...change]])).toBeNull();
  });
});

test("one message counts the members who toast the reader within five seconds of each other", () => {
  const one = addToast(null, 1000);
  const two = addToast(one, 5999);
  const three = addToast(two, 10_998);
  expect([one, two, three].map((toasts) => describeToasts(toasts, "Ben"))).toEqual([
    "Ben prostet zurück!",
    "2 × Prost zurück",
    "3 × Prost zurück",
  ]);
  expect(describeToasts(addToast(three, 15_998), "Anna")).toBe("Anna prostet zurück!");
});

const by = { userId: 1, userName: "Anna", avatarId: null };

test.each([
  [{ ...by, kind: "group", count: 1 }, 2, "Unser erstes Bier", "gezapft von Anna"],
  [{ ...by, kind: "group", count: 1200 }, 1, "Unser 1.200. Bier", "gezapft von dir"],
  [{ ...by, kind: "group", count: 300 }, 2, "Unser 300. Bier", "gezapft von Anna"],
  [
    { kind: "group", count: 300, userId: null, userName: null, avatarId: null },
    1,
    "Unser 300. Bier",
    "Prost, alle zusammen!",
  ],
  [{ ...by, kind: "member", count: 50 }, 1, "Dein 50. Bier", "Prost auf dich!"],
  [{ kind: "group", count: 25, userName: "Anna", avatarId: null }, null, "Unser 25. Bier", "gezapft von Anna"],
  [{ ...by, kind: "member", count: 2000 }, 2, "Das 2.000. Bier von Anna", "Prost, Anna!"],
] as const)("milestoneTexts announces %j to member %i as “%s”", (milestone, memberId, title, text) => {
  expect(milestoneTexts(milestone, memberId)).toEqual({ title, text });
});

test("compareDrinkers sorts a ranking by most beers, then by name", () => {
  const drinker = (name: string, beers: number, id = beers): Drinker => ({
    id,
    name,
    uname: `${name}${id}`,
    profile_picture: null,
    beercounter_entries_count: beers,
  });
  const all = [drinker("Öz", 3), drinker("Anna", 0), drinker("Zoe", 3, 9), drinker("Zoe", 3, 4), drinker("Bernd", 7)];
  const ranked = all.toSorted(compareDrinkers).map(({ uname }) => uname);
  expect(ranked).toEqual(["Bernd7", "Öz3", "Zoe4", "Zoe9", "Anna0"]);
});
