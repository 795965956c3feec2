import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { onUpgrade } from "./jobs.ts";

const counters = "/api/beercounter/counters";
const alcoholFree = { kind: "0,0" };
let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-04T19:00:00Z");
  anna = await app.createMember("anna");
});

const ownBeers = async () => (await anna.get("/api/beercounter/beers")).json.beers as { id: number; kind: unknown }[];
const period = async () => (await anna.get("/api/beercounter/stats/period?span=week")).json;

test("a non-alcoholic beer counts like any other beer, and is marked in the history and the statistics", async () => {
  await anna.post(counters);
  expect((await anna.post(counters, alcoholFree)).json).toEqual({ KSKCounterVal: 2, userCounterVal: 2 });
  expect((await ownBeers()).map(({ kind }) => kind)).toEqual(["0,0", null]);
  expect(await period()).toMatchObject({ total: 2, alcohol_free: 1 });
  expect((await anna.get("/api/beercounter/years/2026")).json).toMatchObject({
    group: { total: 2, alcohol_free: 1 },
    own: { total: 2, alcohol_free: 1 },
  });
});

test.each([
  ["no body", undefined],
  ["an empty object", {}],
  ["an unknown kind", { kind: "Radler" }],
  ["a kind that is not a string", { kind: [1] }],
  ["null", { kind: null }],
  ["a list", ["0,0"]],
  ["an object without a kind", { beers: 12 }],
])("a tap with the request body “%s” books one ordinary beer", async (_, body) => {
  expect((await anna.post(counters, body)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
  expect((await ownBeers()).map(({ kind }) => kind)).toEqual([null]);
});

test("a beer stays non-alcoholic if its tap is retried without that kind", async () => {
  const key = { "idempotency-key": "one-and-the-same" };
  const first = await anna.post(counters, alcoholFree, key);
  const again = await anna.post(counters, undefined, key);
  expect(again.text).toBe(first.text);
  expect((await ownBeers()).map(({ kind }) => kind)).toEqual(["0,0"]);
});

describe("the sum of non-alcoholic beers", { tags: "postgres" }, () => {
  test("the sum of non-alcoholic beers decreases with an undo", async () => {
    await anna.post(counters, alcoholFree);
    await anna.post(counters);
    const [, zero] = await ownBeers();
    await anna.delete(`/api/beercounter/beers/${zero!.id}`);
    expect(await period()).toMatchObject({ total: 1, alcohol_free: 0 });
  });

  test("recounting the beers per day does not change the sum of non-alcoholic beers", async () => {
    await anna.post(counters, alcoholFree);
    await anna.post(counters);
    await onUpgrade(app.database, { timeZone: "Asia/Tokyo" });
    const [row] = await app.db.selectFrom("beer_member_days").select(["day", "total", "alcohol_free"]).execute();
    expect(row).toEqual({ day: "2026-12-05", total: 2, alcohol_free: 1 });
  });
});

test("the account export states the kind of a beer only if the beer is non-alcoholic", async () => {
  await anna.post(counters, alcoholFree);
  await anna.post(counters);
  const { beers } = (await anna.get("/api/user/export")).json;
  expect(beers.map((beer: object) => Object.keys(beer))).toEqual([
    ["at", "booked_at", "key", "kind"],
    ["at", "booked_at", "key"],
  ]);
});
