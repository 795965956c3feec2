import { beforeEach, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { localDay } from "#server/platform/local-day.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { bookBeers, findTimelyStats } from "./actions.ts";
import { addDays, countWeekday, calculateTimelyStats, noBeers, weekdayOf, weekOf } from "./rules.ts";
import { findGroupTotal } from "./store.ts";

const app = await createTestApp();
const annaId = await app.createUser("anna");

beforeEach(async () => {
  for (const table of ["beers", "beer_member_days", "beer_members"] as const) {
    await app.db.deleteFrom(table).execute();
  }
  await app.db.updateTable("beer_group").set({ total: 0, first_day: null }).execute();
});

/** Books a beer at each of these times, in order, and returns the chart data at `askAt`. */
async function drinkAt(moments: readonly string[], askAt?: string) {
  for (const moment of moments) {
    app.clock.time = Date.parse(moment);
    const tap = { userId: annaId, key: null, at: app.clock.time };
    await inTransaction(app.db, (tx) => bookBeers(tx, [tap], app.config.timeZone));
  }
  if (askAt) app.clock.time = Date.parse(askAt);
  return getCharts(app);
}

async function getCharts({ db, clock, config }: TestApp) {
  const { total } = await findGroupTotal(db);
  return { total, ...(await findTimelyStats(db, clock.time, config.timeZone)) };
}

async function days(): Promise<Record<string, number>> {
  const rows = await app.db.selectFrom("beer_member_days").selectAll().orderBy("day").execute();
  return Object.fromEntries(rows.map(({ day, total }) => [day, total]));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const midnights: [name: string, lastBefore: string, first: string, dayBefore: string, dayAfter: string][] = [
  ["a Monday in winter", "2026-11-15T22:59:59Z", "2026-11-15T23:00:00Z", "2026-11-15", "2026-11-16"],
  ["a Monday in summer", "2026-07-05T21:59:59Z", "2026-07-05T22:00:00Z", "2026-07-05", "2026-07-06"],
  ["a Wednesday", "2026-11-17T22:59:59Z", "2026-11-17T23:00:00Z", "2026-11-17", "2026-11-18"],
  ["the day that has 25 hours", "2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-24", "2026-10-25"],
  ["the Monday after the day of 25 hours", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z", "2026-10-25", "2026-10-26"],
  ["the day that has 23 hours", "2027-03-27T22:59:59Z", "2027-03-27T23:00:00Z", "2027-03-27", "2027-03-28"],
  ["the Monday after the day of 23 hours", "2027-03-28T21:59:59Z", "2027-03-28T22:00:00Z", "2027-03-28", "2027-03-29"],
  ["a new year inside week 53", "2026-12-31T22:59:59Z", "2026-12-31T23:00:00Z", "2026-12-31", "2027-01-01"],
  ["the Monday after week 53", "2027-01-03T22:59:59Z", "2027-01-03T23:00:00Z", "2027-01-03", "2027-01-04"],
  ["a leap day", "2028-02-28T22:59:59Z", "2028-02-28T23:00:00Z", "2028-02-28", "2028-02-29"],
  ["the day after a leap day", "2028-02-29T22:59:59Z", "2028-02-29T23:00:00Z", "2028-02-29", "2028-03-01"],
];

test.each(midnights)(
  "midnight before %s separates the beers of two days",
  async (_, before, first, dayBefore, dayAfter) => {
    const { total, thisWeek } = await drinkAt([before, first, first]);
    expect(await days()).toEqual({ [dayBefore]: 1, [dayAfter]: 2 });
    const expected = weekOf(dayAfter).map((day) => (day === dayBefore ? 1 : day === dayAfter ? 2 : 0));
    expect(thisWeek).toEqual(expected);
    expect(sum(Object.values(await days()))).toBe(total);
  },
);

test("the charts show zero for every day if there are no beers", async () => {
  const nothing = [0, 0, 0, 0, 0, 0, 0];
  expect(await drinkAt([], "2026-11-20T19:30:00Z")).toEqual({ total: 0, thisWeek: nothing, allWeeks: nothing });
});

test("both beers at 2:30 of the night when clocks go back count for that Sunday", async () => {
  const { total, thisWeek, allWeeks } = await drinkAt(["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]);
  expect([total, thisWeek]).toEqual([2, [0, 0, 0, 0, 0, 0, 2]]);
  expect(allWeeks).toEqual([0, 0, 0, 0, 0, 0, 2]);
});

test("beers around the skipped 2:30 of the night when clocks go forward count for that Sunday", async () => {
  const { total, thisWeek } = await drinkAt(["2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"]);
  expect([total, thisWeek]).toEqual([2, [0, 0, 0, 0, 0, 0, 2]]);
});

test("averages count a Sunday of 25 or 23 hours as one Sunday", async () => {
  // Six Sundays lie between 2026-10-04 and 2026-11-08; the clocks go back on 2026-10-25.
  const { allWeeks } = await drinkAt(["2026-10-04T12:00:00Z", "2026-10-25T01:30:00Z"], "2026-11-08T12:00:00Z");
  expect(allWeeks).toEqual([0, 0, 0, 0, 0, 0, 0.33]);
  expect(countWeekday(6, "2027-03-07", "2027-04-04")).toBe(5);
});

test("beers of a past week count for the averages but not for the current week", async () => {
  const { total, thisWeek, allWeeks } = await drinkAt(
    ["2026-11-16T12:00:00Z", "2026-11-17T12:00:00Z"],
    "2026-11-24T12:00:00Z",
  );
  expect(total).toBe(2);
  expect(thisWeek).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(allWeeks).toEqual([0.5, 0.5, 0, 0, 0, 0, 0]);
});

test("a new TIME_ZONE recounts every beer on its day in that time zone", { tags: "postgres" }, async () => {
  await drinkAt(["2026-11-15T22:59:59Z", "2026-11-15T23:00:00Z", "2026-11-20T03:00:00Z"], "2026-11-20T19:00:00Z");
  expect(await days()).toEqual({ "2026-11-15": 1, "2026-11-16": 1, "2026-11-20": 1 });
  const honolulu = await app.reopen({ TIME_ZONE: "Pacific/Honolulu" });
  expect(await days()).toEqual({ "2026-11-15": 2, "2026-11-19": 1 });
  expect((await getCharts(honolulu)).thisWeek).toEqual([0, 0, 0, 1, 0, 0, 0]);
  await honolulu.close();
  const kathmandu = await app.reopen({ TIME_ZONE: "Asia/Kathmandu" });
  expect(await days()).toEqual({ "2026-11-16": 2, "2026-11-20": 1 });
  expect((await getCharts(kathmandu)).total).toBe(3);
  await kathmandu.close();
  await (await app.reopen()).close();
  expect(await days()).toEqual({ "2026-11-15": 1, "2026-11-16": 1, "2026-11-20": 1 });
});

test("weekOf returns a week that begins on a Monday for every day of ten years", () => {
  let day = "2020-01-01";
  for (let index = 0; index < 3653; index++) {
    const week = weekOf(day);
    expect(new Set(week).size).toBe(7);
    expect(week[weekdayOf(day)]).toBe(day);
    expect(new Date(`${week[0]}T12:00:00Z`).getUTCDay()).toBe(1);
    expect(localDay(Date.parse(`${day}T12:00:00Z`), "Europe/Berlin")).toBe(day);
    day = addDays(day, 1);
  }
  expect(day).toBe("2030-01-01");
});

test("countWeekday counts the first and the last day of a period too", () => {
  for (let length = 0; length < 30; length++) {
    const to = addDays("2026-11-18", length);
    const counts = [0, 1, 2, 3, 4, 5, 6].map((weekday) => countWeekday(weekday, "2026-11-18", to));
    expect(sum(counts)).toBe(length + 1);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(counts[2]).toBe(Math.floor(length / 7) + 1);
  }
});

test("weekday averages are rounded to two decimals", () => {
  const stats = calculateTimelyStats("2026-11-29", "2026-11-09", new Map(), {
    ...noBeers,
    monday: 2,
    tuesday: 1,
    sunday: 10,
  });
  expect(stats.allWeeks).toEqual([0.67, 0.33, 0, 0, 0, 0, 3.33]);
});
