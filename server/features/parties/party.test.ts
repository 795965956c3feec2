import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import { hours, minutes, toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectPage, connectSocket, subscribe } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const parties = "/api/parties";
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

async function startParty(client: Client, name = "Grillen bei Ben"): Promise<number> {
  const answer = await client.post(parties, { name });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

const join = (client: Client, id: number, body?: object) => client.post(`${parties}/${id}/members`, body);
const leave = (client: Client, id: number) => client.delete(`${parties}/${id}/members`);
const goHome = (client: Client, id: number) => client.post(`${parties}/${id}/home`);
const end = (client: Client, id: number) => client.post(`${parties}/${id}/end`);
const show = async (client: Client, id: number) => (await client.get(`${parties}/${id}`)).json;
const list = async (query = "") => (await anna.get(`${parties}${query}`)).json;

async function drinkAt(client: Client, at: number): Promise<void> {
  app.clock.time = at;
  expect((await client.post("/api/beercounter/counters")).status).toBe(200);
}

const ranking = ({ users }: { users: { name: string; beercounter_entries_count: number }[] }) =>
  Object.fromEntries(users.map(({ name, beercounter_entries_count: count }) => [name, count]));

describe("parties", () => {
  test(
    "a party counts the beers of its members from its start until just before its end",
    { tags: "postgres" },
    async () => {
      await drinkAt(ben, start - 1);
      app.clock.time = start;
      const id = await startParty(ben);
      await join(carla, id);
      await drinkAt(ben, start);
      await drinkAt(carla, start + hours(2));
      await drinkAt(anna, start + hours(2));
      await drinkAt(ben, start + hours(2) + minutes(5));
      app.clock.time = start + hours(3);
      expect((await end(ben, id)).json).toEqual({ message: "Die Party ist vorbei." });
      await drinkAt(carla, start + hours(3));
      expect(await show(ben, id)).toEqual({
        id,
        name: "Grillen bei Ben",
        by: "Ben",
        starts_at: toIso(start),
        ends_at: toIso(start + hours(3)),
        is_running: false,
        is_member: true,
        is_home: false,
        is_manager: true,
        is_starter_former: false,
        guest_total: 0,
        total: 3,
        own_total: 2,
        earlier: 0,
        user_counter: 3,
        counters_version: expect.any(Number),
        users: [
          { id: 2, name: "Ben", uname: "ben", profile_picture: null, beercounter_entries_count: 2, is_home: false },
          { id: 3, name: "Carla", uname: "carla", profile_picture: null, beercounter_entries_count: 1, is_home: false },
        ],
        taps: [],
        others: 0,
        guests: [],
        guest_count: 0,
        is_open_to_guests: false,
        asking_guests: [],
        photos: [],
        is_photo_on: true,
        can_add_photo: true,
        is_photo_time: false,
        recap: expect.objectContaining({ first: { at: toIso(start), name: "Ben" } }),
        // The party began at 20:30 in Berlin.
        hours: [
          { at: "2026-11-20T19:00:00.000Z", total: 1 },
          { at: "2026-11-20T20:00:00.000Z", total: 0 },
          { at: "2026-11-20T21:00:00.000Z", total: 2 },
        ],
        first_beer_at: toIso(start),
        last_beer_at: toIso(start + hours(2) + minutes(5)),
      });
      expect(await show(anna, id)).toMatchObject({ is_member: false, is_manager: true, own_total: 0 });
      expect(await show(carla, id)).toMatchObject({ is_manager: false, own_total: 1 });
      const { starts_at, ends_at, is_running, name, total } = await show(anna, id);
      const listed = {
        id,
        name,
        starts_at,
        ends_at,
        is_running,
        total,
        guest_total: 0,
        member_count: 2,
        asking_count: 0,
      };
      expect(await list()).toEqual({ parties: [listed], has_more: false });
    },
  );

  test("a party ends automatically at noon of the next day, and its recap ends with its last beer", async () => {
    const id = await startParty(ben);
    // The party began at 20:30 in Berlin.
    const noon = start + hours(15.5);
    app.clock.time = noon - 1;
    const running = { is_running: true, ends_at: toIso(noon), total: 0, hours: [], first_beer_at: null };
    expect(await show(ben, id)).toMatchObject(running);
    expect((await join(anna, id)).status).toBe(200);
    app.clock.time = noon;
    await drinkAt(ben, noon);
    expect(await show(ben, id)).toMatchObject({ is_running: false, ends_at: toIso(noon), total: 0 });
    const age = String(hours(11));
    await ben.post("/api/beercounter/counters", {}, { "idempotency-key": "tap-at-night", "tap-age": age });
    const recap = { is_running: false, ends_at: toIso(noon - hours(11)), total: 1 };
    expect(await show(ben, id)).toMatchObject(recap);
  });

  test("a party's total includes beers that were drunk before the party's end but arrive later, and excludes undone beers", async () => {
    const id = await startParty(ben);
    await drinkAt(ben, start + minutes(10));
    await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": "tap-to-undo" });
    expect(await show(anna, id)).toMatchObject({ total: 2 });
    await ben.delete("/api/beercounter/taps/tap-to-undo");
    expect(await show(anna, id)).toMatchObject({ total: 1 });
    app.clock.time = start + hours(1);
    await end(ben, id);
    app.clock.time = start + hours(5);
    for (const [key, age] of [
      ["tap-in-time", hours(4.5)],
      ["tap-too-late", hours(3.5)],
    ] as const)
      await ben.post("/api/beercounter/counters", {}, { "idempotency-key": key, "tap-age": String(age) });
    expect(await show(anna, id)).toMatchObject({ total: 2, last_beer_at: toIso(start + hours(0.5)) });
  });

  test("two simultaneous parties are independent, and at most five parties can run", async () => {
    const [first, second] = [await startParty(ben), await startParty(carla, "Balkon")];
    await join(carla, first);
    await drinkAt(carla, start + minutes(1));
    expect([(await show(anna, first)).total, (await show(anna, second)).total]).toEqual([1, 1]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => anna.post(parties, { name: "Noch eine" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422]);
    expect(answers.find(({ status }) => status === 422)!.json.message).toBe(
      "Mehr als fünf Partys auf einmal gehen nicht. Beende zuerst eine andere.",
    );
    await end(carla, second);
    await startParty(anna);
  });

  test("an ended party cannot be joined, left or ended again, and an unknown party is a 404", async () => {
    const id = await startParty(ben);
    await end(ben, id);
    for (const change of [join, goHome, leave, end]) {
      const { status, json } = await change(ben, id);
      expect([status, json.message]).toEqual([422, "Diese Party ist schon vorbei."]);
      expect((await change(ben, 4711)).status).toBe(404);
    }
    expect((await ben.get(`${parties}/4711`)).status).toBe(404);
    expect((await ben.get(`${parties}/abc`)).status).toBe(404);
  });

  test("only a party's creator and administrators can rename, end or delete the party, and deleting it keeps its beers", async () => {
    const id = await startParty(ben);
    await join(carla, id);
    await drinkAt(carla, start + minutes(1));
    const rename = (client: Client, name: string) => client.post(`${parties}/${id}`, { name });
    const remove = (client: Client) => client.delete(`${parties}/${id}`);
    for (const refused of [await rename(carla, "x"), await end(carla, id), await remove(carla)])
      expect([refused.status, refused.json.message]).toEqual([403, "Diese Aktion ist nicht autorisiert."]);
    expect((await rename(ben, " Garten ")).json).toEqual({ message: "Umbenannt." });
    expect((await show(ben, id)).name).toBe("Garten");
    expect((await rename(anna, "Balkon")).status).toBe(200);
    expect((await end(anna, id)).status).toBe(200);
    expect((await rename(ben, "Nach dem Ende")).status).toBe(200);
    expect((await remove(ben)).json).toEqual({ message: "Party gelöscht." });
    expect((await ben.get(`${parties}/${id}`)).status).toBe(404);
    expect((await carla.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    expect(await app.db.selectFrom("party_members").selectAll().execute()).toEqual([]);
    const again = await startParty(ben);
    expect((await remove(anna)).status).toBe(404);
    expect((await anna.delete(`${parties}/${again}`)).status).toBe(200);
  });

  test("an administrator's change of another member's party is audited, but a change by its creator is not", async () => {
    const [first, second] = [await startParty(ben), await startParty(anna, "Balkon")];
    for (const id of [first, second]) {
      await anna.post(`${parties}/${id}`, { name: "Garten" });
      await end(anna, id);
      await anna.delete(`${parties}/${id}`);
    }
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries.map(({ text }: { text: string }) => text)).toEqual([
      `Party ${first} gelöscht.`,
      `Party ${first} beendet.`,
      `Party ${first} umbenannt.`,
    ]);
    expect(entries[0]).toMatchObject({ actor: { name: "Anna" }, member: { name: "Ben" } });
  });

  test("an administrator needs a passkey to change another member's party if ADMIN_PASSKEY is set", async () => {
    const strict = await app.reopen({ ADMIN_PASSKEY: "1" });
    const [admin, creator] = [anna.through(strict), ben.through(strict)];
    const [id, own] = [await startParty(creator), await startParty(admin, "Balkon")];
    const changes = (client: Client, party: number) => [
      () => client.post(`${parties}/${party}`, { name: "Garten" }),
      () => end(client, party),
      () => client.delete(`${parties}/${party}`),
    ];
    for (const change of changes(admin, id)) expectRefusal(await change(), 423, "Bitte bestätige mit deinem Passkey.");
    expect((await join(admin, id)).status).toBe(200);
    for (const change of [...changes(creator, id), ...changes(admin, own)]) expect((await change()).status).toBe(200);
    expect(await app.db.selectFrom("audit").selectAll().execute()).toEqual([]);
  });

  test("an administrator must have entered the password within three hours to delete another member's party", async () => {
    const id = await startParty(ben);
    app.clock.time += hours(4);
    expect((await anna.delete(`${parties}/${id}`)).status).toBe(423);
    await anna.post("/api/user/confirmPassword", { password });
    expect((await anna.delete(`${parties}/${id}`)).status).toBe(200);
  });

  test.each([
    ["", "Name muss ausgefüllt werden."],
    ["x".repeat(61), "Name darf maximal 60 Zeichen haben."],
    ["Gar\u202eten", "Der gewählte Wert für Name ist ungültig."],
  ])("a party with the invalid name %j is refused", async (name, text) => {
    const { status, json } = await ben.post(parties, { name });
    expect([status, json.errors]).toEqual([422, { name: [text] }]);
  });
});

describe("members of a party", () => {
  test("a party's ranking leaves out a quiet member, but its total includes the member's beers", async () => {
    const id = await startParty(ben);
    await join(carla, id);
    await drinkAt(carla, start + minutes(1));
    await carla.post("/api/user/presence", { visibility: "quiet" });
    const shown = await show(carla, id);
    expect(shown).toMatchObject({ total: 1, own_total: 1, others: 1, is_member: true });
    expect(ranking(shown)).toEqual({ Ben: 0 });
  });

  test("a party does not name its creator while the creator is hidden or disabled", async () => {
    const page = await connectPage(app, carla);
    await ben.post("/api/user/presence", { visibility: "hidden" });
    const id = await startParty(ben);
    const creator = { userId: null, userName: null, avatarId: null };
    expect((await page.next("party-started")).data).toEqual({ id, name: "Grillen bei Ben", ...creator });
    expect(await show(carla, id)).toMatchObject({ by: "", users: [], others: 1 });
    await ben.post("/api/user/presence", { visibility: "visible" });
    expect(await show(carla, id)).toMatchObject({ by: "Ben", others: 0 });
    await updateDisabledAt(app.db, 2, app.clock.now());
    expect(await show(carla, id)).toMatchObject({ by: "", others: 1 });
  });

  test.each([
    ["keep", 1],
    ["remove", 0],
  ])(
    "a party does not name a member who deletes the account and chooses to %s the beers, and its total is %i",
    async (beers, total) => {
      const id = await startParty(carla);
      await join(ben, id);
      await drinkAt(carla, start + minutes(1));
      expect((await carla.post("/api/user/delete", { uname: "carla", password, beers })).status).toBe(200);
      const shown = await show(ben, id);
      expect(shown).toMatchObject({ by: "Ehemaliges Mitglied", is_starter_former: true, total, others: 1 });
      expect(ranking(shown)).toEqual({ Ben: 0 });
      expect((await end(anna, id)).status).toBe(200);
    },
  );

  test("the account export contains the parties that a member started or joined", async () => {
    const [bens, carlas] = [await startParty(ben), await startParty(carla, "Balkon")];
    await join(carla, bens);
    await leave(carla, carlas);
    await end(ben, bens);
    const times = { starts_at: toIso(start), ends_at: toIso(start) };
    const stays = [{ from: toIso(start), until: toIso(start) }];
    expect((await carla.get("/api/user/export")).json.parties).toEqual([
      { name: "Grillen bei Ben", ...times, started: false, joined: true, stays },
      { name: "Balkon", ...times, ends_at: toIso(start + hours(15.5)), started: true, joined: false, stays: [] },
    ]);
    expect((await anna.get("/api/user/export")).json.parties).toEqual([]);
  });
});

test(
  "the list of parties has the running parties first, then pages of ended parties, newest first",
  { tags: "postgres" },
  async () => {
    const names: string[] = [];
    for (let number = 1; number <= 21; number++) {
      names.unshift(`Party ${number}`);
      await end(ben, await startParty(ben, `Party ${number}`));
    }
    const running = await startParty(ben, "Jetzt");
    const first = await list();
    expect(first.parties[0]).toMatchObject({ id: running, name: "Jetzt", is_running: true, member_count: 1 });
    expect(first.parties.map(({ name }: { name: string }) => name)).toEqual(["Jetzt", ...names.slice(0, 20)]);
    expect(first.has_more).toBe(true);
    const second = await list(`?before=${first.parties.at(-1).id}`);
    expect(second).toMatchObject({ parties: [{ name: "Party 1", is_running: false }], has_more: false });
  },
);

test("every change of a party sends an event to the open pages of all members, but not to logged-out visitors", async () => {
  const page = await connectPage(app, carla);
  const guest = app.createClient();
  await guest.get("/sanctum/csrf-cookie");
  const socket = await connectSocket(app, guest.cookieHeader);
  expect(await subscribe(guest, socket, "private-beercounter")).toBe(401);

  const id = await startParty(ben);
  const versions = [(await page.next("updated")).data];
  const started = { id, name: "Grillen bei Ben", userId: 2, userName: "Ben", avatarId: null };
  expect((await page.next("party-started")).data).toEqual(started);
  for (const change of [
    () => join(carla, id),
    () => goHome(carla, id),
    () => leave(carla, id),
    () => ben.post(`${parties}/${id}`, { name: "Garten" }),
    () => end(ben, id),
    () => ben.delete(`${parties}/${id}`),
  ]) {
    expect((await change()).status).toBe(200);
    versions.push((await page.next("updated")).data);
  }
  const expected = versions.map((_, index) => ({ userId: null, version: versions[0]!.version + index }));
  expect(versions).toMatchObject(expected);
  // Joining an ended or deleted party is refused and must not send an event.
  await join(carla, id);
  const received = (await page.flush()).map(({ event }) => event).filter((event) => !event.startsWith("pusher"));
  // Merged totals can arrive after the party's own event.
  expect(received.toSorted()).toEqual(["party-started", ...versions.map(() => "updated")]);
  expect((await socket.flush()).map(({ event }) => event)).not.toContain("updated");
});
