import { beforeEach, expect, test } from "vitest";

import { bookBeers } from "#server/features/beers/actions.ts";
import { startOfEvening } from "#server/features/beers/rules.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { createTvLink } from "./actions.ts";

let app: TestApp;
let anna: Client;
let ben: Client;
let token: string;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  token = new URL((await createTvLink(app.context, "Theke", 1)).url).hash.slice("#token=".length);
});

const drink = (client: Client, body?: object) => client.post("/api/beercounter/counters", body);
const getScreen = async () => (await app.createClient().get("/api/tv", { "tv-token": token })).json.screen;

test.each([
  ["2026-11-21T22:00:00Z", "2026-11-21T05:00:00Z"],
  ["2026-11-22T02:30:00Z", "2026-11-21T05:00:00Z"],
  ["2026-11-22T04:59:59Z", "2026-11-21T05:00:00Z"],
  ["2026-11-22T05:00:00Z", "2026-11-22T05:00:00Z"],
  // In the next nights, the clocks go back and forward.
  ["2026-10-25T04:59:59Z", "2026-10-24T04:00:00Z"],
  ["2026-03-29T03:59:59Z", "2026-03-28T05:00:00Z"],
  ["2026-03-29T04:00:00Z", "2026-03-29T04:00:00Z"],
])("startOfEvening(%s) returns %s, the latest 6:00 in Berlin", (now, start) => {
  expect(startOfEvening(Date.parse(now), "Europe/Berlin")).toBe(Date.parse(start));
});

test("a TV's count of tonight's beers continues after midnight and is reset to zero at 6:00", async () => {
  const at = Date.parse("2026-11-21T22:30:00Z");
  await app.db.transaction().execute((tx) =>
    bookBeers(
      tx,
      [at, at + 3 * 60 * 60_000].map((one) => ({ userId: 2, key: null, at: one })),
      "Europe/Berlin",
    ),
  );
  app.clock.time = Date.parse("2026-11-22T04:59:59Z");
  expect(await getScreen()).toMatchObject({ tonight: 2, total: 2 });
  app.clock.time = Date.parse("2026-11-22T05:00:00Z");
  expect(await getScreen()).toMatchObject({ tonight: 0, total: 2 });
});

test("a TV's screen has the running parties with their totals and present members, largest total first", async () => {
  const first = (await anna.post("/api/parties", { name: "Grillen" })).json.id as number;
  const second = (await ben.post("/api/parties", { name: "Skat" })).json.id as number;
  await ben.post(`/api/parties/${first}/members`);
  await drink(anna);
  await drink(ben);
  const { parties } = await getScreen();
  expect(
    parties.map(({ id, name, total }: { id: number; name: string; total: number }) => ({ id, name, total })),
  ).toEqual([
    { id: first, name: "Grillen", total: 2 },
    { id: second, name: "Skat", total: 1 },
  ]);
  expect(parties[0].members.map(({ name }: { name: string }) => name).toSorted()).toEqual(["Anna", "Ben"]);
  await anna.post(`/api/parties/${first}/end`);
  expect((await getScreen()).parties).toHaveLength(1);
});

test("a TV's screen has the newest beers of a running party's guests, and their part in its total", async () => {
  const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
  const guest = (await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
  const drinkAsGuest = (key: string) =>
    anna.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": key });
  await drink(anna);
  await drinkAsGuest("first-beer");
  await drinkAsGuest("second-beer");
  await anna.delete(`/api/party-guests/${guest}/beers/first-beer`);
  const { parties, total, taps } = await getScreen();
  const at = new Date(app.clock.time).toISOString();
  expect(parties).toMatchObject([{ total: 2, guest_total: 1, guest_taps: [{ id: 2, name: "Mia", at }] }]);
  expect([total, taps.length]).toEqual([1, 1]);
});

test("a TV's screen has the ranking of a running party with guests and members who have gone home", async () => {
  await drink(ben);
  app.clock.time += 60_000;
  const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
  await ben.post(`/api/parties/${id}/members`);
  const guest = (await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
  for (const key of ["first-beer", "second-beer"])
    await anna.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": key });
  await drink(ben);
  app.clock.time += 60_000;
  await ben.post(`/api/parties/${id}/home`);
  await drink(ben);
  const [party] = (await getScreen()).parties;
  expect(party.drinkers).toEqual([
    { id: guest, name: "Mia", avatarId: null, count: 2, is_guest: true },
    { id: 2, name: "Ben", avatarId: null, count: 1 },
    { id: 1, name: "Anna", avatarId: null, count: 0 },
  ]);
});

test("a TV's screen counts a quiet member at a party without naming the member", async () => {
  const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
  await ben.post(`/api/parties/${id}/members`);
  await drink(ben);
  await app.db.updateTable("users").set({ visibility: "quiet" }).where("uname", "=", "ben").execute();
  const [party] = (await getScreen()).parties;
  expect(party).toMatchObject({ total: 1, others: 1, members: [{ name: "Anna" }] });
  expect(JSON.stringify(await getScreen())).not.toContain("Ben");
});

test("a TV's screen marks a non-alcoholic beer as such", async () => {
  await drink(ben, { kind: "0,0" });
  expect((await getScreen()).taps).toMatchObject([{ name: "Ben", kind: "0,0" }]);
});
