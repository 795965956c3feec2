import { describe, expect, test } from "vitest";

import { receivedTimelyStats } from "#contract/beercounter.ts";
import {
  addRanks,
  describeLatest,
  describePresent,
  findHighlightedYear,
  formatNames,
  isEmptyWeek,
  isSameDay,
  isSameWeek,
  listAverageBars,
  listWeekBars,
  prostText,
  weekdayIndex,
} from "./rules.ts";

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
  ["2027-01-31", [2026], 2026],
  ["2027-02-01", [2026], null],
  ["2026-12-24", [2025], null],
  ["2027-01-01", [2024], null],
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
