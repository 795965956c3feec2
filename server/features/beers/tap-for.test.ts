import { beforeEach, describe, expect, test } from "vitest";

import type { OwnBeer } from "#contract/beercounter.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let anna: Client;
let ben: Client;
const bensId = 2;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
  await app.rememberSessions();
});

const drinkFor = (client: Client, id: number, key: string, kind: string | null = null) =>
  client.post(`/api/members/${id}/beers`, { kind }, { "idempotency-key": key });
const undoFor = (client: Client, id: number, key: string) => client.delete(`/api/members/${id}/beers/${key}`);
const history = async (client: Client) =>
  (await client.get("/api/beercounter/beers")).json as { beers: OwnBeer[]; for_others: object[] };
const countOf = async (client: Client) => (await client.get("/api/beercounter/counters")).json.userCounterVal as number;
const notTappable = "Für dieses Mitglied kannst du nicht zapfen.";

describe("a beer for another member", () => {
  test("counts for the drinker, and both see in their histories who booked it", async () => {
    const page = await connectPage(app, ben);
    expect((await drinkFor(anna, bensId, "from-anna-to-ben", "0,0")).status).toBe(204);
    expect((await page.next("updated")).data).toMatchObject({ userId: bensId, userName: "Ben" });
    expect([await countOf(anna), await countOf(ben)]).toEqual([0, 1]);
    const shown = { key: "from-anna-to-ben", kind: "0,0", removable_seconds: 900 };
    expect(await history(ben)).toMatchObject({
      beers: [{ ...shown, booked_by: { kind: "member", name: "Anna" } }],
      for_others: [],
    });
    expect(await history(anna)).toMatchObject({
      beers: [],
      for_others: [{ ...shown, member: { id: bensId, name: "Ben" } }],
    });
  });

  test("is booked once, however often it is sent", { tags: "postgres" }, async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => drinkFor(anna, bensId, "only-once")));
    expect(answers.map(({ status }) => status).every((status) => status === 204 || status === 409)).toBe(true);
    expect(await countOf(ben)).toBe(1);
    const { status, json } = await anna.post(`/api/members/${bensId}/beers`, { kind: null });
    expect([status, json.errors]).toEqual([422, { "Idempotency-Key": ["Idempotency-Key muss ausgefüllt werden."] }]);
  });

  test("sends no pushes in the drinker's name", async () => {
    const kinds = async () => (await app.db.selectFrom("outbox").select("kind").execute()).map(({ kind }) => kind);
    await ben.post("/api/push", { pushSubscription: { endpoint: "https://127.0.0.1/ben", keys: {} } });
    await drinkFor(anna, bensId, "no-push-please");
    expect(await kinds()).toEqual([]);
  });

  test.each([
    ["booker", () => undoFor(anna, bensId, "undone-later")],
    ["drinker", () => ben.delete("/api/beercounter/taps/undone-later")],
  ])("can be undone by the %s for 15 minutes", async (_, undo) => {
    await drinkFor(anna, bensId, "undone-later");
    app.clock.time += minutes(15) - 1;
    expect((await undo()).status).toBeLessThan(300);
    expect((await undo()).status).toBeLessThan(300);
    expect(await countOf(ben)).toBe(0);
    expect(await history(anna)).toEqual({ beers: [], for_others: [] });
    await drinkFor(anna, bensId, "undone-later");
    expect(await countOf(ben)).toBe(0);
  });

  test("cannot be undone by its booker after 15 minutes", async () => {
    await drinkFor(anna, bensId, "too-late-now");
    app.clock.time += minutes(15);
    expect((await undoFor(anna, bensId, "too-late-now")).status).toBe(403);
    expect(await countOf(ben)).toBe(1);
  });

  test("cannot be undone by others than its booker and its drinker", async () => {
    const carla = await app.createMember("carla");
    await drinkFor(anna, bensId, "from-anna-to-ben");
    await ben.post("/api/beercounter/counters", {}, { "idempotency-key": "bens-own-beer" });
    expectRefusal(await undoFor(carla, bensId, "from-anna-to-ben"), 403, "Diese Aktion ist nicht autorisiert.");
    expectRefusal(await undoFor(anna, bensId, "bens-own-beer"), 403, "Diese Aktion ist nicht autorisiert.");
    expect(await countOf(ben)).toBe(2);
  });

  test("is refused for members who do not want it, are disabled or unknown, and for the booker", async () => {
    const listed = async () =>
      (await anna.get("/api/members/tappable")).json.members.map(({ name }: { name: string }) => name);
    expect(await listed()).toEqual(["Ben"]);
    await drinkFor(anna, bensId, "while-he-may");
    expect((await ben.post("/api/user/tap-settings", { is_tappable: false })).json.is_tappable).toBe(false);
    expect(await listed()).toEqual([]);
    expectRefusal(await drinkFor(anna, bensId, "he-does-not-want"), 422, notTappable);
    expect((await undoFor(anna, bensId, "while-he-may")).status).toBe(204);
    await ben.post("/api/user/tap-settings", { is_tappable: true });
    await updateDisabledAt(app.db, bensId, 1);
    for (const id of [bensId, 1, 4711]) expectRefusal(await drinkFor(anna, id, "nobody-there"), 422, notTappable);
  });

  test("is refused if another member has logged in since the tap", async () => {
    const headers = { "idempotency-key": "bens-tap-for-carla", "tapped-by": String(bensId) };
    expect((await anna.post(`/api/members/${bensId}/beers`, { kind: null }, headers)).status).toBe(401);
    const undo = { headers: { ...headers, "x-xsrf-token": anna.csrfToken } };
    expect((await anna.send("DELETE", `/api/members/${bensId}/beers/some-key-1`, undo)).status).toBe(401);
  });

  test("is in the data exports of both, and keeps no name of a booker who deletes the account", async () => {
    const carla = await app.createMember("carla");
    await drinkFor(carla, bensId, "from-carla");
    const exported = async (client: Client) => (await client.get("/api/user/export")).json;
    expect((await exported(carla)).beers_for_others).toMatchObject([{ member: "Ben" }]);
    expect((await exported(ben)).beers).toMatchObject([{ booked_by: { kind: "member", name: "Carla" } }]);
    expect((await carla.post("/api/user/delete", { uname: "carla", password, beers: "remove" })).status).toBe(200);
    expect((await history(ben)).beers).toMatchObject([{ booked_by: { name: "Ehemaliges Mitglied" } }]);
  });
});
