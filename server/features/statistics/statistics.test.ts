import { beforeEach, expect, test } from "vitest";

import type { PeriodStats } from "#contract/statistics.ts";
import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beers/actions.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { fridayEvening, createTestApp, password } from "#test/test-app.ts";

const app = await createTestApp();
const annaId = await app.createUser("anna");
const benId = await app.createUser("ben");

beforeEach(async () => {
  app.clock.time = fridayEvening;
  for (const table of ["beers", "beer_member_days", "beer_members"] as const) {
    await app.db.deleteFrom(table).execute();
  }
  await app.db.updateTable("beer_group").set({ total: 0, first_day: null }).execute();
});

async function drinkAt(userId: number, ...moments: string[]): Promise<void> {
  const taps = moments.map((moment) => ({ userId, key: null, at: Date.parse(moment) }));
  await inTransaction(app.db, (tx) => bookBeers(tx, taps, app.config.timeZone));
}

async function getPeriod(query: string, server = app): Promise<PeriodStats> {
  const anna = server.createClient();
  await anna.post("/api/login", { uname: "anna", password });
  const answer = await anna.get(`/api/beercounter/stats/period?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.json as PeriodStats;
}

const counted = ({ bars }: PeriodStats) =>
  Object.fromEntries(bars.filter(({ total }) => total > 0).map(({ time, total }) => [time, total]));
const ranking = ({ users }: PeriodStats) => users.map((user) => `${user.uname} ${user.beercounter_entries_count}`);

test(
  "a week's statistics have the beers per day, the ranking, and the previous week's total up to the same weekday",
  { tags: "postgres" },
  async () => {
    await drinkAt(
      annaId,
      "2026-11-16T19:00:00Z",
      "2026-11-20T19:00:00Z",
      "2026-11-13T19:00:00Z",
      "2026-11-14T19:00:00Z",
    );
    await drinkAt(benId, "2026-11-20T18:00:00Z", "2026-11-20T18:30:00Z", "2026-11-20T19:00:00Z");
    const week = await getPeriod("span=week");
    expect(week).toMatchObject({ span: "week", from: "2026-11-16", to: "2026-11-22", today: "2026-11-20", total: 5 });
    expect(week.bars.map(({ total }) => total)).toEqual([1, 0, 0, 0, 4, 0, 0]);
    expect(ranking(week)).toEqual(["ben 3", "anna 2"]);
    // The beer on Saturday of the previous week is excluded, because today is Friday.
    expect(week.before).toEqual({ from: "2026-11-09", to: "2026-11-13", total: 1, is_whole: false });
    expect([week.earlier, week.later]).toEqual(["2026-11-15", null]);

    const before = await getPeriod(`span=week&day=${week.earlier}`);
    expect([before.total, ranking(before), before.before]).toEqual([2, ["anna 2", "ben 0"], null]);
    expect([before.earlier, before.later]).toEqual([null, "2026-11-16"]);
  },
);

test(
  "the statistics of a month, a year and the whole time sum up the beers in each of these periods",
  { tags: "postgres" },
  async () => {
    await drinkAt(
      annaId,
      "2024-03-03T19:00:00Z",
      "2025-11-20T19:00:00Z",
      "2025-11-21T19:00:00Z",
      "2026-11-01T12:00:00Z",
    );
    await drinkAt(benId, "2026-10-20T19:00:00Z", "2026-10-21T19:00:00Z", "2026-11-20T19:00:00Z");
    const month = await getPeriod("span=month");
    expect([month.total, month.bars.length, counted(month)]).toEqual([2, 30, { "2026-11-01": 1, "2026-11-20": 1 }]);
    expect(month.before).toEqual({ from: "2026-10-01", to: "2026-10-20", total: 1, is_whole: false });
    const year = await getPeriod("span=year&day=2026-02-01");
    expect([year.total, counted(year)]).toEqual([4, { "2026-10": 2, "2026-11": 2 }]);
    expect(year.before).toEqual({ from: "2025-01-01", to: "2025-11-20", total: 1, is_whole: false });
    const all = await getPeriod("span=all&day=2025-01-01");
    expect(all).toMatchObject({ from: "2024-03-03", to: "2026-11-20", total: 7 });
    expect(counted(all)).toEqual({ 2024: 1, 2025: 2, 2026: 4 });
    expect([all.before, all.earlier, all.later, ranking(all)]).toEqual([null, null, null, ["anna 4", "ben 3"]]);
  },
);

test("the statistics of the whole time have a bar per month if all beers are within one year", async () => {
  await drinkAt(annaId, "2026-05-01T12:00:00Z", "2026-11-20T12:00:00Z");
  const all = await getPeriod("span=all");
  expect([all.bars.length, counted(all)]).toEqual([12, { "2026-05": 1, "2026-11": 1 }]);
});

test("the statistics of a group without beers are empty and list all members", async () => {
  for (const span of ["week", "month", "year", "all"]) {
    const stats = await getPeriod(`span=${span}&day=2020-01-01`);
    expect([stats.total, counted(stats), stats.before, stats.earlier, stats.later]).toEqual([0, {}, null, null, null]);
    expect(ranking(stats)).toEqual(["anna 0", "ben 0"]);
  }
});

const midnights: [name: string, lastBefore: string, first: string, spans: string[]][] = [
  ["a Monday", "2026-11-15T22:59:59Z", "2026-11-15T23:00:00Z", ["week"]],
  ["the Monday after the long Sunday", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z", ["week"]],
  ["the Monday after the short Sunday", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z", ["week"]],
  ["the first of a month", "2026-07-31T21:59:59Z", "2026-07-31T22:00:00Z", ["month"]],
  ["a 1 March after 29 February", "2024-02-29T22:59:59Z", "2024-02-29T23:00:00Z", ["month"]],
  ["1 January", "2025-12-31T22:59:59Z", "2025-12-31T23:00:00Z", ["month", "year"]],
];

test.each(midnights)("beers around midnight before %s are in different periods", async (_, before, first, spans) => {
  await drinkAt(annaId, before);
  await drinkAt(benId, first, first);
  for (const span of spans) {
    app.clock.time = Date.parse(first);
    const after = await getPeriod(`span=${span}`);
    expect([after.total, ranking(after)]).toEqual([2, ["ben 2", "anna 0"]]);
    expect(counted(after)).toEqual({ [span === "year" ? after.today.slice(0, 7) : after.today]: 2 });
    app.clock.time = Date.parse(before);
    expect((await getPeriod(`span=${span}`)).later).toBeNull();
    app.clock.time = fridayEvening;
    const earlier = await getPeriod(`span=${span}&day=${after.earlier}`);
    expect([earlier.total, ranking(earlier)]).toEqual([1, ["anna 1", "ben 0"]]);
    expect(earlier.before).toBeNull();
  }
});

test("the beers of a week across New Year belong to one week, but to two years", async () => {
  app.clock.time = Date.parse("2027-01-02T12:00:00Z");
  await drinkAt(annaId, "2026-12-31T22:59:59Z", "2026-12-31T23:00:00Z");
  expect((await getPeriod("span=week")).total).toBe(2);
  expect((await getPeriod("span=year")).total).toBe(1);
  expect((await getPeriod("span=year&day=2026-12-31")).total).toBe(1);
  expect(counted(await getPeriod("span=all"))).toEqual({ 2026: 1, 2027: 1 });
});

test("TIME_ZONE decides to which day, week, month and year a beer belongs", async () => {
  // The first beer was drunk on Monday in Berlin, but still on Sunday in Honolulu.
  await drinkAt(annaId, "2026-11-15T23:30:00Z", "2026-11-20T19:00:00Z");
  expect([(await getPeriod("span=week")).total, (await getPeriod("span=week")).earlier]).toEqual([2, null]);
  const honolulu = await app.reopen({ TIME_ZONE: "Pacific/Honolulu" });
  const week = await getPeriod("span=week", honolulu);
  expect([week.today, week.total, week.earlier]).toEqual(["2026-11-20", 1, "2026-11-15"]);
  app.clock.time = Date.parse("2026-11-16T08:00:00Z");
  expect((await getPeriod("span=week", honolulu)).to).toBe("2026-11-15");
  await honolulu.close();
  await (await app.reopen()).close();
});

test("statistics include beers of disabled and former members, but their ranking does not name these members", async () => {
  const greta = await app.createMember("greta");
  const gretaId = (await greta.get("/api/checkLoginStatus")).json.user.id as number;
  const emil = await app.createMember("emil");
  const emilId = (await emil.get("/api/checkLoginStatus")).json.user.id as number;
  await drinkAt(gretaId, "2026-11-18T19:00:00Z");
  await drinkAt(emilId, "2026-11-18T19:00:00Z");
  expect(ranking(await getPeriod("span=month"))).toEqual(["emil 1", "greta 1", "anna 0", "ben 0"]);
  await updateDisabledAt(app.db, gretaId, app.clock.now());
  const left = await emil.post("/api/user/delete", { uname: "emil", password, beers: "keep" });
  expect(left.status).toBe(200);
  const month = await getPeriod("span=month");
  expect([month.total, counted(month), ranking(month)]).toEqual([2, { "2026-11-18": 2 }, ["anna 0", "ben 0"]]);
});

test("the statistics do not count a deleted beer", async () => {
  const ben = app.createClient();
  await ben.post("/api/login", { uname: "ben", password });
  await ben.post("/api/beercounter/counters");
  const { beers } = (await ben.get("/api/beercounter/beers")).json;
  expect((await getPeriod("span=week")).total).toBe(1);
  await ben.delete(`/api/beercounter/beers/${beers[0].id}`);
  expect(await getPeriod("span=all")).toMatchObject({ total: 0, from: "2026-11-20" });
});

test("a request for statistics of a day out of range gets the nearest period, and an invalid day or span is refused", async () => {
  await drinkAt(annaId, "2026-10-05T12:00:00Z");
  expect((await getPeriod("span=month&day=1999-01-01")).from).toBe("2026-10-01");
  expect((await getPeriod("span=month&day=2999-01-01")).from).toBe("2026-11-01");
  const anna = app.createClient();
  await anna.post("/api/login", { uname: "anna", password });
  for (const query of ["", "span=", "span=decade", "span=week&day=2026-02-30", "span=week&day=x", "span=week&day="]) {
    const answer = await anna.get(`/api/beercounter/stats/period?${query}`);
    expect([query, answer.status]).toEqual([query, 422]);
  }
  const doubled = await anna.get("/api/beercounter/stats/period?span=week&span=month");
  expectRefusal(doubled, 422, "Der gewählte Wert für span ist ungültig.", "two spans");
});

test("the statistics of the current week change with a beer, its undo, a pause, and the next week", async () => {
  const anna = app.createClient();
  await anna.post("/api/login", { uname: "anna", password });
  const week = async () => {
    const { json } = await anna.get("/api/beercounter/stats/period?span=week");
    return [json.from, json.total, json.users.length];
  };
  expect(await week()).toEqual(["2026-11-16", 0, 2]);
  await anna.post("/api/beercounter/counters", undefined, { "idempotency-key": "annas-tap" });
  expect(await week()).toEqual(["2026-11-16", 1, 2]);
  await anna.delete("/api/beercounter/taps/annas-tap");
  expect(await week()).toEqual(["2026-11-16", 0, 2]);
  await anna.post("/api/user/presence", { visibility: "quiet" });
  expect(await week()).toEqual(["2026-11-16", 0, 1]);
  await anna.post("/api/user/presence", { visibility: "visible" });
  app.clock.time = Date.parse("2026-11-23T08:00:00Z");
  await anna.post("/api/login", { uname: "anna", password });
  expect(await week()).toEqual(["2026-11-23", 0, 2]);
});
