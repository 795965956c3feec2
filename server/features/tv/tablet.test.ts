import { beforeEach, describe, expect, test } from "vitest";

import type { Face } from "#contract/tablet.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { minutes, seconds } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let anna: Client;
let ben: Client;
let tablet: Client;

/** Creates the members Anna (id 1, the administrator), Ben (2) and Carla (3), and a tablet. */
beforeEach(async () => {
  app = await createTestApp({ GROUP_NAME: "Skatrunde", GROUP_SHORT: "SKR" });
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  await app.createUser("carla");
  await app.rememberSessions();
  tablet = await pair("Kühlschrank");
});

/** Returns a client with the token of a new device. */
async function pair(name: string, scope = "tablet"): Promise<Client> {
  const visitor = app.createClient();
  await visitor.get("/sanctum/csrf-cookie");
  const { secret, code } = (await visitor.post("/api/tv/code")).json;
  expect((await anna.post("/api/admin/tv-code", { code, name, scope })).status).toBe(201);
  const device = app.createClient({ "tv-token": secret });
  await device.get("/sanctum/csrf-cookie");
  return device;
}

const screenOf = async (client = tablet) => (await client.get("/api/tablet")).json.screen;
const namesOf = async () => (await screenOf()).faces.map(({ name }: Face) => name);
const pathOf = (face: string) => `/api/tablet/faces/${face}/beers`;
const drink = (face: string, key: string, body: object = {}, client = tablet, age = 0) =>
  client.post(pathOf(face), body, { "idempotency-key": key, "tap-age": String(age) });
const undo = (face: string, key: string, age = 0, client = tablet) =>
  client.send("DELETE", `${pathOf(face)}/${key}`, {
    headers: { "x-xsrf-token": client.csrfToken, "tap-age": String(age) },
  });
const totalOf = async (client: Client) => (await client.get("/api/beercounter/counters")).json.userCounterVal as number;

describe("a tablet's screen", () => {
  test("has only the names and pictures of faces, the group's number and those of parties", async () => {
    await ben.post("/api/parties", { name: "Grillen" });
    await ben.post("/api/beercounter/counters");
    const { json, text, headers } = await tablet.get("/api/tablet");
    expect(json.screen).toEqual({
      name: "Kühlschrank",
      group_name: "Skatrunde",
      group_short: "SKR",
      total: 1,
      parties: [{ id: 1, name: "Grillen", total: 1 }],
      faces: [
        { id: "member-2", name: "Ben", avatarId: null, has_pin: false },
        { id: "member-1", name: "Anna", avatarId: null, has_pin: false },
        { id: "member-3", name: "Carla", avatarId: null, has_pin: false },
      ],
    });
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).not.toMatch(/@|uname|email|password|pin_hash/);
    const again = await tablet.get(`/api/tablet?version=${json.version}`);
    expect(again.json).toEqual({ version: json.version, screen: null });
  });

  test("lists those of tonight and guests first, then those with the most beers, and quiet members last", async () => {
    const david = await app.createMember("david");
    const emil = await app.createMember("emil");
    for (const [client, count] of [
      [emil, 5],
      [david, 3],
    ] as const)
      for (let beer = 0; beer < count; beer++) await client.post("/api/beercounter/counters");
    await david.post("/api/user/presence", { visibility: "quiet" });
    app.clock.time += minutes(24 * 60);
    const { id } = (await ben.post("/api/parties", { name: "Grillen" })).json;
    await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
    expect(await namesOf()).toEqual(["Ben", "Mia", "Emil", "Anna", "Carla", "David von der Heide-Sonnenschein"]);
    await ben.post(`/api/parties/${id}/end`);
    expect(await namesOf()).toEqual(["Emil", "Anna", "Ben", "Carla", "David von der Heide-Sonnenschein"]);
  });

  test("loses members at once who hide from tablets, are hidden or disabled, with their pictures", async () => {
    await app.db
      .insertInto("pictures")
      .values({ id: fixtures.avatarId, user_id: 2, png: fixtures.png, created_at: 0 })
      .execute();
    await app.db.updateTable("users").set({ avatar_id: fixtures.avatarId }).where("id", "=", 2).execute();
    const picture = async () => (await tablet.get(`/api/tv/pictures/${fixtures.avatarId}`)).status;
    expect(await picture()).toBe(200);
    await ben.post("/api/user/tap-settings", { is_on_tablets: false });
    await updateDisabledAt(app.db, 3, 1);
    await anna.post("/api/user/presence", { visibility: "hidden" });
    expect(await namesOf()).toEqual([]);
    expect(await picture()).toBe(404);
    for (const face of ["member-1", "member-2", "member-3", "member-4711"])
      expectRefusal(await drink(face, "gone-by-now"), 422, "Dieses Gesicht gibt es hier nicht mehr.");
  });
});

describe("a beer at a tablet", () => {
  test("is like any other for the open pages, and says in the drinker's history where it was booked", async () => {
    const page = await connectPage(app, anna);
    expect((await drink("member-2", "at-the-fridge", { kind: "0,0" })).status).toBe(204);
    expect((await page.next("updated")).data).toMatchObject({ counterVal: 1, userId: 2, userName: "Ben" });
    const { beers } = (await ben.get("/api/beercounter/beers")).json;
    expect(beers).toMatchObject([{ kind: "0,0", booked_by: { kind: "tablet", name: "Kühlschrank" } }]);
    app.clock.time += minutes(15) - 1;
    expect((await ben.delete("/api/beercounter/taps/at-the-fridge")).status).toBe(200);
    expect(await totalOf(ben)).toBe(0);
  });

  test("is booked once, however often it is sent", { tags: "postgres" }, async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => drink("member-2", "only-once")));
    expect(answers.every(({ status }) => status === 204 || status === 409)).toBe(true);
    expect(await totalOf(ben)).toBe(1);
    expect((await tablet.post(pathOf("member-2"), {})).status).toBe(422);
  });

  test("counts on the day of its tap if it arrives a night later", async () => {
    const at = app.clock.time;
    app.clock.time += minutes(12 * 60);
    expect((await drink("member-2", "slept-over-it", {}, tablet, minutes(12 * 60))).status).toBe(204);
    const { beers } = (await ben.get("/api/beercounter/beers")).json;
    expect(beers).toMatchObject([{ at: new Date(at).toISOString(), late: true }]);
  });

  test("can be undone at its tablet for ten seconds, also if the undo arrives later", async () => {
    for (const key of ["first-beer", "second-beer", "third-beer"]) await drink("member-2", key);
    app.clock.time += seconds(10);
    expect((await undo("member-2", "first-beer")).status).toBe(204);
    app.clock.time += minutes(5);
    expect((await undo("member-2", "second-beer", minutes(5))).status).toBe(204);
    const late = "Zu spät: Hier lässt sich ein Bier nur zehn Sekunden lang zurücknehmen.";
    expectRefusal(await undo("member-2", "third-beer"), 403, late);
    expect(await totalOf(ben)).toBe(1);
    expect((await undo("member-2", "on-its-way")).status).toBe(204);
    expect((await drink("member-2", "on-its-way")).status).toBe(204);
    expect(await totalOf(ben)).toBe(1);
  });

  test("lets its drinker join the only running party, unless the drinker has gone home", async () => {
    const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
    await drink("member-2", "at-the-party");
    const party = async () => (await ben.get(`/api/parties/${id}`)).json;
    expect(await party()).toMatchObject({ is_member: true, own_total: 1 });
    app.clock.time += minutes(1);
    await ben.post(`/api/parties/${id}/home`);
    await drink("member-2", "on-the-way-out");
    expect(await party()).toMatchObject({ is_member: false, own_total: 1 });
    const other = (await anna.post("/api/parties", { name: "Kegeln" })).json.id;
    await drink("member-3", "which-party");
    for (const each of [id, other])
      expect(
        (await anna.get(`/api/parties/${each}`)).json.users.map(({ id: user }: { id: number }) => user),
      ).not.toContain(3);
  });

  test("counts for a guest of a running party, and can be undone", async () => {
    const { id } = (await ben.post("/api/parties", { name: "Grillen" })).json;
    const guest = (await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
    for (const key of ["first-beer", "second-beer"]) expect((await drink(`guest-${guest}`, key)).status).toBe(204);
    expect((await undo(`guest-${guest}`, "first-beer")).status).toBe(204);
    expect((await screenOf()).parties).toMatchObject([{ total: 1 }]);
    app.clock.time += seconds(16);
    expect((await undo(`guest-${guest}`, "second-beer")).status).toBe(403);
    await ben.post(`/api/parties/${id}/end`);
    expectRefusal(await drink(`guest-${guest}`, "after-the-end"), 422, "Diese Party ist schon vorbei.");
    expectRefusal(await drink("guest-4711", "nobody-there"), 422, "Diesen Gast gibt es nicht mehr.");
  });

  test("is limited per face and per tablet", async () => {
    const strict = await app.reopen({ RATE_LIMIT_FACTOR: "1" });
    const device = tablet.through(strict);
    const statuses: number[] = [];
    for (let tap = 0; tap < 21; tap++) statuses.push((await drink("member-2", `quick-tap-${tap}`, {}, device)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(204), 429]);
    expect((await drink("member-3", "another-face", {}, device)).status).toBe(204);
  });
});

describe("a tablet's token", () => {
  test("gives access to nothing but the faces, and a TV's token to none of them", async () => {
    for (const path of ["/api/tv", "/api/beercounter/counters", "/api/members/tappable", "/api/admin/tv"])
      expect((await tablet.get(path)).status, path).toBe(401);
    expect((await tablet.post("/api/beercounter/counters")).status).toBe(401);
    expect((await tablet.post("/api/members/2/beers", {}, { "idempotency-key": "not-for-me" })).status).toBe(401);
    expect((await tablet.get(`/internal/images/avatar/${fixtures.avatarId}`)).status).toBe(401);
    const television = await pair("Theke", "tv");
    expect((await television.get("/api/tablet")).status).toBe(401);
    expect((await drink("member-2", "from-the-tv", {}, television)).status).toBe(401);
    expect((await undo("member-2", "from-the-tv", 0, television)).status).toBe(401);
    expect((await drink("member-2", "no-token", {}, ben)).status).toBe(401);
    expect(await totalOf(ben)).toBe(0);
  });

  test("undoes only beers of its own tablet", async () => {
    const cellar = await pair("Keller");
    await ben.post("/api/beercounter/counters", {}, { "idempotency-key": "bens-own-beer" });
    await drink("member-2", "from-the-cellar", {}, cellar);
    for (const key of ["bens-own-beer", "from-the-cellar"])
      expectRefusal(await undo("member-2", key), 403, "Diese Aktion ist nicht autorisiert.");
    expect((await undo("member-3", "from-the-cellar", 0, cellar)).status).toBe(204);
    expect(await totalOf(ben)).toBe(2);
  });

  test("ends at once with the tablet, and with the permission of its administrator", async () => {
    await drink("member-2", "still-there");
    const [{ id, name, scope }] = (await anna.get("/api/admin/tv")).json;
    expect([name, scope]).toEqual(["Kühlschrank", "tablet"]);
    expect((await anna.delete(`/api/admin/tv/${id}`)).status).toBe(200);
    expect((await tablet.get("/api/tablet")).status).toBe(401);
    expect((await drink("member-2", "still-there")).status).toBe(401);
    expect((await undo("member-2", "still-there")).status).toBe(401);
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
      "Zapfstelle „Kühlschrank“ getrennt.",
      "Zapfstelle „Kühlschrank“ verbunden.",
    ]);
    const next = await pair("Keller");
    await app.createMember("david", ["admin"]);
    await anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" });
    expect((await next.get("/api/tablet")).status).toBe(401);
  });
});
