import { expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beers/actions.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const years = "/api/beercounter/years";
let app: TestApp;

/** Books one beer of the member for each of these times. */
async function drink(userId: number, moments: readonly string[]): Promise<void> {
  const taps = moments.map((moment) => ({ userId, key: null, at: Date.parse(moment) }));
  await inTransaction(app.db, (tx) => bookBeers(tx, taps, app.config.timeZone));
}

async function logIn(uname: string, at: string, where = app): Promise<Client> {
  app.clock.time = Date.parse(at);
  const client = where.createClient();
  await client.post("/api/login", { uname, password });
  return client;
}

/** Returns 18:00 UTC of a day, which is an evening in Berlin. */
const evening = (day: string) => `${day}T18:00:00Z`;

test("a year review opens at the start of 1 December in Berlin and is final from the start of 1 January", async () => {
  app = await createTestApp();
  await drink(await app.createUser("anna"), [evening("2026-05-08")]);

  let anna = await logIn("anna", "2026-11-30T22:59:59Z");
  expect((await anna.get(years)).json).toEqual({ years: [], today: "2026-11-30" });
  expect((await anna.get(`${years}/2026`)).status).toBe(404);

  anna = await logIn("anna", "2026-11-30T23:00:00Z");
  expect((await anna.get(years)).json).toEqual({ years: [{ year: 2026, final: false }], today: "2026-12-01" });
  expect((await anna.get(`${years}/2026`)).json).toMatchObject({ year: 2026, final: false });

  anna = await logIn("anna", "2026-12-31T22:59:59Z");
  expect((await anna.get(`${years}/2026`)).json.final).toBe(false);
  anna = await logIn("anna", "2026-12-31T23:00:00Z");
  expect((await anna.get(years)).json).toEqual({ years: [{ year: 2026, final: true }], today: "2027-01-01" });
  expect((await anna.get(`${years}/2026`)).json.final).toBe(true);
  expect((await anna.get(`${years}/2027`)).status).toBe(404);
});

test("TIME_ZONE decides when a year review opens and to which year a beer belongs", async () => {
  app = await createTestApp({ TIME_ZONE: "Pacific/Honolulu" });
  // The first beer is at 23:30 on New Year's Eve in Honolulu, the second half an hour later.
  await drink(await app.createUser("anna"), ["2026-01-01T09:30:00Z", "2026-01-01T10:00:00Z"]);
  let anna = await logIn("anna", "2026-12-01T09:59:59Z");
  expect((await anna.get(years)).json.years).toEqual([{ year: 2025, final: true }]);
  anna = await logIn("anna", "2026-12-01T10:00:00Z");
  const both = [
    { year: 2026, final: false },
    { year: 2025, final: true },
  ];
  expect((await anna.get(years)).json).toEqual({ years: both, today: "2026-12-01" });
  expect((await anna.get(`${years}/2025`)).json.own).toMatchObject({ total: 1, first: "2025-12-31" });
  expect((await anna.get(`${years}/2026`)).json.own).toMatchObject({ total: 1, first: "2026-01-01" });
});

test("a beer in the last second of 31 December counts for that year, and a beer a second later for the next", async () => {
  app = await createTestApp();
  await app.createUser("anna");
  for (const moment of ["2025-12-31T22:59:59Z", "2025-12-31T23:00:00Z", "2026-12-31T22:59:59Z"]) {
    const anna = await logIn("anna", moment);
    expect((await anna.post("/api/beercounter/counters")).status).toBe(200);
  }
  const anna = await logIn("anna", "2027-01-01T12:00:00Z");
  expect((await anna.get(`${years}/2025`)).json).toMatchObject({ group: { total: 1, days: ["2025-12-31"] } });
  expect((await anna.get(`${years}/2026`)).json).toMatchObject({
    group: { total: 2, previous_total: 1, days: ["2026-01-01", "2026-12-31"] },
    own: { first: "2026-01-01", last: "2026-12-31", pause: { from: "2026-01-02", to: "2026-12-30", days: 363 } },
  });
});

test("a group without beers has no year reviews, and requesting a year without a review fails", async () => {
  app = await createTestApp();
  await app.createUser("anna");
  const anna = await logIn("anna", "2026-12-06T18:00:00Z");
  expect((await anna.get(years)).json).toEqual({ years: [], today: "2026-12-06" });
  for (const year of ["2026", "2025", "0000", "9999"]) expect((await anna.get(`${years}/${year}`)).status).toBe(404);
  for (const year of ["26", "20266", "zwei", "-2026"]) {
    const { status } = await anna.get(`${years}/${year}`);
    expect(status === 404 || status === 422, year).toBe(true);
  }
});

test("the list of year reviews skips years without beers", async () => {
  app = await createTestApp();
  await drink(await app.createUser("anna"), [evening("2019-03-01"), evening("2024-02-29"), evening("2026-06-01")]);
  const anna = await logIn("anna", "2026-11-21T12:00:00Z");
  expect((await anna.get(years)).json.years).toEqual([
    { year: 2024, final: true },
    { year: 2019, final: true },
  ]);
  expect((await anna.get(`${years}/2020`)).status).toBe(404);
  expect((await anna.get(`${years}/2024`)).json.group).toMatchObject({ total: 1, month: 2, days: ["2024-02-29"] });
});

test(
  "the year review of a single member with a single beer names no company and no longest time without beer",
  { tags: "postgres" },
  async () => {
    app = await createTestApp();
    const id = await app.createUser("anna");
    await drink(id, [evening("2028-02-29")]);
    const anna = await logIn("anna", "2028-12-24T18:00:00Z");
    expect((await anna.get(`${years}/2028`)).json).toEqual({
      year: 2028,
      final: false,
      group: {
        total: 1,
        alcohol_free: 0,
        previous_total: 0,
        days: ["2028-02-29"],
        month: 2,
        weekday: 1,
        longest: {
          day: "2028-02-29",
          total: 1,
          members: [{ id, name: "Anna", profile_picture: null }],
          others: 0,
        },
      },
      own: {
        total: 1,
        alcohol_free: 0,
        month: 2,
        weekday: 1,
        first: "2028-02-29",
        last: "2028-02-29",
        company: null,
        pause: null,
      },
      photos: [],
    });
  },
);

test("a member without beers receives only the group's part of a year review", async () => {
  app = await createTestApp();
  await drink(await app.createUser("anna"), [evening("2026-05-08")]);
  await app.createUser("ben");
  const ben = await logIn("ben", evening("2026-12-01"));
  expect((await ben.get(`${years}/2026`)).json).toMatchObject({ group: { total: 1 }, own: null });
});

test("a year review counts the beers of disabled and former members, but does not name these members", async () => {
  app = await createTestApp();
  const [anna, ben, carla, david] = [
    await app.createUser("anna"),
    await app.createUser("ben"),
    await app.createUser("carla"),
    await app.createUser("david"),
  ];
  const week = ["2026-05-04", "2026-05-05", "2026-05-06"].map(evening);
  await drink(anna, week);
  await drink(ben, week);
  await drink(carla, week);
  await drink(david, week.slice(0, 1));
  await updateDisabledAt(app.db, ben, app.clock.now());
  const leaving = await logIn("carla", evening("2026-11-01"));
  const answer = await leaving.post("/api/user/delete", { uname: "carla", password, beers: "keep" });
  expect(answer.status).toBe(200);

  const client = await logIn("anna", evening("2026-12-01"));
  const review = await client.get(`${years}/2026`);
  expect(review.json.group).toMatchObject({ total: 10, longest: { day: "2026-05-04", total: 4, others: 2 } });
  expect(review.json.group.longest.members.map(({ name }: { name: string }) => name)).toEqual([
    "Anna",
    "David von der Heide-Sonnenschein",
  ]);
  // Ben is disabled and Carla has deleted the account, so they may not be named as company despite
  // more shared days.
  expect(review.json.own.company).toMatchObject({ member: { id: david }, days: 1 });
  expect(review.text).not.toMatch(/Ben|Carla|uname|@/);
});

test("a year review does not count a deleted beer", async () => {
  app = await createTestApp();
  await app.createUser("anna");
  const anna = await logIn("anna", evening("2026-12-05"));
  await anna.post("/api/beercounter/counters");
  expect((await anna.get(years)).json.years).toHaveLength(1);
  const [beer] = (await anna.get("/api/beercounter/beers")).json.beers;
  const removed = await anna.delete(`/api/beercounter/beers/${beer.id}`);
  expect(removed.status).toBe(200);
  expect((await anna.get(years)).json.years).toEqual([]);
});

test(
  "the year review that all members share contains a new beer and a pause at once",
  { tags: "postgres" },
  async () => {
    app = await createTestApp();
    await drink(await app.createUser("anna"), [evening("2026-05-08")]);
    await app.createUser("ben");
    const anna = await logIn("anna", evening("2026-12-05"));
    const ben = await logIn("ben", evening("2026-12-05"));
    const longest = async () => (await ben.get(`${years}/2026`)).json.group.longest;
    expect(await longest()).toMatchObject({ day: "2026-05-08", total: 1, members: [{ name: "Anna" }], others: 0 });
    for (const key of ["the-first-tap", "the-second-tap"])
      await anna.post("/api/beercounter/counters", undefined, { "idempotency-key": key });
    expect(await longest()).toMatchObject({ day: "2026-12-05", total: 2, members: [{ name: "Anna" }], others: 0 });
    await anna.post("/api/user/presence", { visibility: "quiet" });
    expect(await longest()).toMatchObject({ total: 2, members: [], others: 1 });
  },
);
