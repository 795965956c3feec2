import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import { hours, minutes, toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";

const parties = "/api/parties";
const counters = "/api/beercounter/counters";
let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;
let start: number;

/** Creates the members Anna (id 1, the administrator), Ben (2) and Carla (3). */
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben, carla] = [await app.createMember("anna"), await app.createMember("ben"), await app.createMember("carla")];
  await app.rememberSessions();
  start = app.clock.now();
});

const startParty = async (client: Client, name = "Grillen bei Ben"): Promise<number> =>
  (await client.post(parties, { name })).json.id;
const join = (client: Client, id: number, with_earlier?: boolean) =>
  client.post(`${parties}/${id}/members`, with_earlier === undefined ? undefined : { with_earlier });
const goHome = (client: Client, id: number) => client.post(`${parties}/${id}/home`);
const leave = (client: Client, id: number) => client.delete(`${parties}/${id}/members`);
const show = async (client: Client, id: number) => (await client.get(`${parties}/${id}`)).json;
const listRunning = async (client: Client) => (await client.get("/api/running-parties")).json.parties;

async function drinkAt(client: Client, time: number, key?: string): Promise<void> {
  app.clock.time = time;
  await client.post(counters, undefined, key === undefined ? {} : { "idempotency-key": key });
}

async function drinkLate(client: Client, at: number, key: string): Promise<void> {
  const age = String(app.clock.now() - at);
  expect((await client.post(counters, {}, { "idempotency-key": key, "tap-age": age })).status).toBe(200);
}

describe("stays at a party", () => {
  test("a member who joins a party and leaves out earlier beers counts from the time of joining", async () => {
    const id = await startParty(ben);
    await drinkAt(carla, start + minutes(1));
    expect(await show(carla, id)).toMatchObject({ is_member: false, earlier: 1, total: 0, own_total: 0 });
    app.clock.time += minutes(1);
    expect((await join(carla, id)).json).toEqual({ message: "Du bist dabei!" });
    await join(carla, id, true);
    expect(await show(carla, id)).toMatchObject({ is_member: true, earlier: 0, total: 0 });
    await drinkAt(carla, app.clock.now());
    expect(await show(carla, id)).toMatchObject({ total: 1, own_total: 1, user_counter: 2 });
  });

  test("a member who joins a party can include the beers of the last two hours, from before its start too", async () => {
    await drinkAt(carla, start - hours(2) + minutes(1));
    await drinkAt(carla, start - minutes(40), "tap-to-undo");
    await carla.delete("/api/beercounter/taps/tap-to-undo");
    await carla.post(counters, { kind: "0,0" });
    app.clock.time = start;
    const id = await startParty(ben);
    await drinkAt(carla, start + minutes(2));
    expect(await show(carla, id)).toMatchObject({ earlier: 2, total: 0 });
    expect(await listRunning(carla)).toMatchObject([{ earlier: 2, total: 0 }]);
    await join(carla, id, true);
    await join(carla, id, true);
    expect(await show(carla, id)).toMatchObject({ is_member: true, earlier: 0, total: 2, own_total: 2 });
    expect(await listRunning(ben)).toMatchObject([{ total: 2 }]);
    expect((await carla.get(parties)).json.parties).toMatchObject([{ total: 2 }]);
    expect((await show(carla, id)).taps.map(({ kind }: { kind: string | null }) => kind)).toEqual([null, "0,0"]);
    await drinkLate(carla, start - minutes(50), "tap-from-the-cellar");
    await drinkLate(carla, start - hours(3), "tap-before-the-window");
    await drinkLate(ben, start - minutes(5), "tap-of-the-starter");
    expect(await show(carla, id)).toMatchObject({ total: 3, own_total: 3 });
    const stays = [{ from: toIso(start + minutes(2) - hours(2)), until: toIso(start + hours(15.5)) }];
    expect((await carla.get("/api/user/export")).json.parties).toMatchObject([{ stays }]);
    expect((await leave(carla, id)).status).toBe(200);
    expect(await show(carla, id)).toMatchObject({ total: 0, earlier: 3 });
  });

  test("a member who joins a party after two hours can include all beers since its start, but none before", async () => {
    await drinkAt(carla, start - 1);
    app.clock.time = start;
    const id = await startParty(ben);
    await drinkAt(carla, start + minutes(1));
    app.clock.time = start + hours(3);
    expect(await show(carla, id)).toMatchObject({ earlier: 1 });
    await join(carla, id, true);
    expect(await show(carla, id)).toMatchObject({ is_member: true, total: 1, own_total: 1 });
  });

  test("a member who joins a party cannot include beers of another party from before its start", async () => {
    const first = await startParty(ben, "Skat");
    await join(carla, first);
    await drinkAt(carla, start + minutes(1));
    app.clock.time = start + minutes(2);
    await goHome(carla, first);
    await drinkAt(carla, start + minutes(3));
    app.clock.time = start + minutes(4);
    const second = await startParty(anna, "Balkon");
    expect(await show(carla, second)).toMatchObject({ earlier: 1 });
    await join(carla, second, true);
    expect([(await show(carla, first)).own_total, (await show(carla, second)).own_total]).toEqual([1, 1]);
  });

  test("the recap of a party shows beers from before its start in its curve", async () => {
    await drinkAt(carla, start - minutes(20));
    app.clock.time = start;
    const id = await startParty(ben);
    await join(carla, id, true);
    await ben.post(`${parties}/${id}/end`);
    const { recap } = await show(carla, id);
    expect(recap.quarters.map(({ total }: { total: number }) => total)).toEqual([1]);
    expect(recap.first.at).toBe(toIso(start - minutes(20)));
  });

  test("a member's beers at a party count until the member goes home and again after the member's return", async () => {
    const id = await startParty(ben);
    await join(carla, id);
    await drinkAt(carla, start + hours(1));
    app.clock.time += minutes(1);
    expect((await goHome(carla, id)).json).toEqual({ message: "Komm gut heim!" });
    await goHome(carla, id);
    await drinkAt(carla, start + hours(2));
    const carlaAtHome = { name: "Carla", beercounter_entries_count: 1, is_home: true };
    const home = { is_member: false, is_home: true, earlier: 0, total: 1, own_total: 1, taps: [] };
    expect(await show(carla, id)).toMatchObject({ ...home, users: [carlaAtHome, { name: "Ben", is_home: false }] });
    app.clock.time = start + hours(3);
    await join(carla, id, true);
    await drinkAt(carla, start + hours(4));
    expect(await show(carla, id)).toMatchObject({ is_member: true, is_home: false, total: 2, own_total: 2 });
    const stays = [
      { from: toIso(start), until: toIso(start + hours(1) + minutes(1)) },
      { from: toIso(start + hours(3)), until: toIso(start + hours(15.5)) },
    ];
    expect((await carla.get("/api/user/export")).json.parties).toMatchObject([{ joined: true, stays }]);
    expect((await carla.get(parties)).json.parties).toMatchObject([{ member_count: 2, total: 2 }]);
  });

  test(
    "a member who goes home and returns to a party within one millisecond continues the stay",
    { tags: "postgres" },
    async () => {
      const id = await startParty(ben);
      await join(carla, id);
      await goHome(carla, id);
      await join(carla, id);
      await drinkAt(carla, start);
      expect(await show(carla, id)).toMatchObject({ is_member: true, total: 1 });
    },
  );

  test("leaving a party removes the member's beers from the party but not from the counter", async () => {
    const id = await startParty(ben);
    await join(carla, id, true);
    await drinkAt(carla, start + minutes(1));
    await goHome(carla, id);
    expect((await leave(carla, id)).json).toEqual({ message: "Du bist nicht mehr dabei." });
    await leave(carla, id);
    const gone = { is_member: false, is_home: false, earlier: 1, total: 0, users: [{ name: "Ben" }] };
    expect(await show(carla, id)).toMatchObject(gone);
    expect((await carla.get(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    await join(carla, id, true);
    expect(await show(carla, id)).toMatchObject({ is_member: true, total: 1 });
  });

  test("a beer counts only once at a party if the member has two overlapping stays", { tags: "postgres" }, async () => {
    const id = await startParty(ben);
    await join(carla, id);
    await app.db.insertInto("party_members").values({ party_id: id, user_id: 3 }).execute();
    await drinkAt(carla, start + minutes(2));
    expect(await show(carla, id)).toMatchObject({ total: 1, own_total: 1 });
    expect(await listRunning(carla)).toMatchObject([{ total: 1 }]);
  });

  test("a member at two parties counts at each party during the stay at that party", { tags: "postgres" }, async () => {
    const [first, second] = [await startParty(ben), await startParty(anna, "Balkon")];
    await join(carla, first);
    await drinkAt(carla, start + minutes(1));
    app.clock.time = start + minutes(2);
    await join(carla, second);
    await drinkAt(carla, start + minutes(3));
    app.clock.time = start + minutes(4);
    await goHome(carla, first);
    await drinkAt(carla, start + minutes(5));
    expect([(await show(carla, first)).own_total, (await show(carla, second)).own_total]).toEqual([2, 2]);
    expect((await carla.get(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 3 });
  });

  test("after a party ends, a beer can be undone, and a late beer counts if it was drunk during a stay", async () => {
    const id = await startParty(ben);
    await join(carla, id);
    await drinkAt(carla, start + minutes(50), "tap-to-undo");
    app.clock.time = start + hours(1);
    await goHome(carla, id);
    await ben.post(`${parties}/${id}/end`);
    expect(await show(anna, id)).toMatchObject({ total: 1 });
    app.clock.time += minutes(4);
    expect((await carla.delete("/api/beercounter/taps/tap-to-undo")).status).toBe(200);
    expect(await show(anna, id)).toMatchObject({ total: 0 });
    app.clock.time = start + hours(5);
    await drinkLate(carla, start + minutes(30), "tap-during-stay");
    await drinkLate(carla, start + hours(2), "tap-after-end");
    expect(await show(anna, id)).toMatchObject({ total: 1, last_beer_at: toIso(start + minutes(30)) });
  });

  test("a party does not name paused, disabled or deleted members, but its total includes their beers", async () => {
    const id = await startParty(ben);
    const [david, emil] = [await app.createMember("david"), await app.createMember("emil")];
    for (const client of [carla, david, emil]) await join(client, id);
    for (const client of [ben, carla, david, emil]) await drinkAt(client, start + minutes(1));
    await carla.post("/api/user/presence", { visibility: "quiet" });
    await updateDisabledAt(app.db, 4, app.clock.now());
    await emil.post("/api/user/delete", { uname: "emil", password, beers: "keep" });
    expect(await show(ben, id)).toMatchObject({ total: 4, others: 3, users: [{ name: "Ben" }], taps: [{ userId: 2 }] });
    expect(await listRunning(ben)).toMatchObject([{ total: 4, others: 3, users: [{ id: 2, name: "Ben" }] }]);
    expect(await listRunning(carla)).toMatchObject([{ is_member: true, own_total: 1 }]);
  });
});

test.each([
  ["forward", "2026-03-28T19:00:00Z", "2026-03-29T10:00:00.000Z"],
  ["back", "2026-10-24T18:00:00Z", "2026-10-25T11:00:00.000Z"],
])(
  "a party in the night when the clocks go %s shows every hour once in its curve and ends at noon",
  async (_, startsAt, noon) => {
    const at = Date.parse(startsAt);
    app.clock.time = at;
    await app.db.updateTable("sessions").set({ created_at: at, last_seen_at: at }).execute();
    const id = await startParty(ben);
    for (let hour = 0; hour < 9; hour++) await drinkAt(ben, at + hours(hour));
    const running = await show(ben, id);
    expect(running).toMatchObject({ total: 9, ends_at: noon });
    expect(running.hours.map(({ total }: { total: number }) => total)).toEqual(Array(9).fill(1));
    app.clock.time = Date.parse(noon);
    expect(await show(ben, id)).toMatchObject({ is_running: false, total: 9, ends_at: running.last_beer_at });
  },
);

describe("taps of a party", () => {
  test("a running party lists its newest ten beers to its members only", async () => {
    const id = await startParty(ben);
    await join(carla, id);
    for (let minute = 1; minute <= 12; minute++) await drinkAt(minute % 2 ? ben : carla, start + minutes(minute));
    await carla.post(counters, { kind: "0,0" });
    const { taps } = await show(ben, id);
    expect(taps).toHaveLength(10);
    const newest = { userId: 3, userName: "Carla", avatarId: null, at: toIso(start + minutes(12)), kind: "0,0" };
    expect(taps[0]).toEqual({ id: 13, ...newest });
    expect(taps[2]).toMatchObject({ userName: "Ben", at: toIso(start + minutes(11)), kind: null });
    expect((await show(anna, id)).taps).toEqual([]);
    await ben.post(`${parties}/${id}/end`);
    expect((await show(ben, id)).taps).toEqual([]);
  });
});

describe("GET /api/running-parties", () => {
  test("GET /api/running-parties lists the parties with their present members, the member's own parties first", async () => {
    expect(await listRunning(carla)).toEqual([]);
    const [first, second] = [await startParty(ben), await startParty(anna, "Balkon")];
    await ben.post(`${parties}/${await startParty(ben, "Vorbei")}/end`);
    await drinkAt(carla, start + minutes(1));
    await join(carla, first, true);
    await goHome(ben, first);
    const running = { starts_at: toIso(start), ends_at: toIso(start + hours(15.5)), is_running: true };
    const own = { is_home: false, guest_total: 0, user_counter: 1, counters_version: expect.any(Number), others: 0 };
    const person = (id: number, name: string) => ({ id, name, profile_picture: null });
    expect(await listRunning(carla)).toEqual([
      {
        ...{ id: first, name: "Grillen bei Ben", ...running, ...own },
        ...{ total: 1, own_total: 1, is_member: true, earlier: 0, users: [person(3, "Carla")] },
      },
      {
        ...{ id: second, name: "Balkon", ...running, ...own },
        ...{ total: 0, own_total: 0, is_member: false, earlier: 1, users: [person(1, "Anna")] },
      },
    ]);
    expect(await listRunning(ben)).toMatchObject([{ name: "Balkon" }, { name: "Grillen bei Ben", is_home: true }]);
  });

  test("a running party with forty members shows all members and beers", async () => {
    const id = await startParty(ben);
    for (let number = 1; number <= 39; number++) {
      const client = await app.createMember(`gast-${number}`);
      await join(client, id);
      await drinkAt(client, start + minutes(number));
    }
    const [party] = await listRunning(ben);
    expect([party.users.length, party.total]).toEqual([40, 39]);
    expect((await show(ben, id)).users).toHaveLength(40);
  });
});
