import { beforeEach, describe, expect, test } from "vitest";

import type { Visibility } from "#contract/visibility.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService } from "#test/fake-push-service.ts";
import { subscribe, connectPage } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

const counters = "/api/beercounter/counters";
const here = "presence-stammtisch";
let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;

beforeEach(() => open());

/** Creates the members Anna (id 1), Ben (2) and Carla (3). */
async function open(env: Record<string, string> = {}): Promise<void> {
  app = await createTestApp(env);
  [anna, ben, carla] = [await app.createMember("anna"), await app.createMember("ben"), await app.createMember("carla")];
}

/** Connects an open page that subscribes to the counter and to its member's private channel. */
const page = (client: Client) => connectPage(app, client);

const toast = (client: Client, id: number | string) => client.post(`/api/members/${id}/toast`);
const save = (client: Client, visibility: Visibility) => client.post("/api/user/presence", { visibility });
const drink = (client: Client) => client.post(counters);

/** Returns the data of all received events with this name, including events in flight. */
async function received(socket: SocketClient, event: string): Promise<unknown[]> {
  return (await socket.flush()).filter((message) => message.event === event).map(({ data }) => data);
}

const ranking = async () =>
  (await carla.get("/api/beercounter/stats/user")).json.users.map(({ name }: { name: string }) => name);

describe("toasting back", () => {
  test("a toast reaches every open page of its recipient and no other member", async () => {
    const [phone, laptop, own, other] = [await page(ben), await page(ben), await page(anna), await page(carla)];
    const before = await app.db.selectFrom("beers").selectAll().execute();
    const answer = await toast(anna, 2);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const socket of [phone, laptop]) {
      expect((await socket.next("toasted")).data).toEqual({ userId: 1, userName: "Anna", avatarId: null });
    }
    for (const socket of [own, other]) expect(await received(socket, "toasted")).toEqual([]);
    expect(await app.db.selectFrom("beers").selectAll().execute()).toEqual(before);
  });

  test("a member can send a toast to the same member once a minute, and further toasts get the same answer but are not sent", async () => {
    const socket = await page(ben);
    for (let tap = 0; tap < 3; tap++) expect((await toast(anna, 2)).status).toBe(204);
    await toast(carla, 2);
    await expect.poll(() => received(socket, "toasted")).toHaveLength(2);
    const from = (await received(socket, "toasted")).map((data) => (data as { userName: string }).userName);
    expect(from).toEqual(["Anna", "Carla"]);

    const annas = await page(anna);
    await toast(ben, 1);
    await annas.next("toasted");

    app.clock.time += 60_000;
    await toast(anna, 2);
    await expect.poll(() => received(socket, "toasted")).toHaveLength(3);
  });

  test("only one of ten concurrent toasts to the same member is sent", async () => {
    const socket = await page(ben);
    const answers = await Promise.all(Array.from({ length: 10 }, () => toast(anna, 2)));
    expect(answers.every(({ status }) => status === 204)).toBe(true);
    await socket.next("toasted");
    expect(await received(socket, "toasted")).toHaveLength(1);
  });

  test("a toast to an unknown or disabled member or to the sender is a 404", async () => {
    await updateDisabledAt(app.db, 3, app.clock.now());
    for (const id of [99, 3, 1, 0, "anna", "1e9"]) {
      const { status, json } = await toast(anna, id);
      expect([status, json.message], String(id)).toEqual([404, "Nicht gefunden."]);
    }
  });

  test.each(["quiet", "hidden"] as const)(
    "toasts to and from a %s member are not sent, but count for the throttle",
    async (visibility) => {
      const [annas, bens] = [await page(anna), await page(ben)];
      await save(ben, visibility);
      expect((await toast(anna, 2)).status).toBe(204);
      expect((await toast(ben, 1)).status).toBe(204);
      const counted = app.db.selectFrom("login_attempts").select("key").where("key", "like", "toast:%").orderBy("key");
      expect(await counted.execute()).toEqual([{ key: "toast:1:2" }, { key: "toast:2:1" }]);
      expect(await received(bens, "toasted")).toEqual([]);
      expect(await received(annas, "toasted")).toEqual([]);
    },
  );
});

describe("quiet members", () => {
  test("the ranking leaves out a quiet member, but all totals include the member's beers", async () => {
    await drink(anna);
    await drink(ben);
    const answer = await save(ben, "quiet");
    expect(answer.json.data).toMatchObject({ id: 2, visibility: "quiet" });
    expect((await ben.get("/api/checkLoginStatus")).json.user).toEqual(answer.json.data);
    expect(await ranking()).toEqual(["Anna", "Carla"]);
    expect((await drink(ben)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
    expect((await anna.get("/api/beercounter/stats/timely")).json.thisWeek).toEqual([0, 0, 0, 0, 3, 0, 0]);
    await save(ben, "visible");
    expect(await ranking()).toEqual(["Ben", "Anna", "Carla"]);
  });

  test("becoming quiet sends other members an event that updates the ranking without naming the member", async () => {
    const [annas, bens] = [await page(anna), await page(ben)];
    await save(ben, "quiet");
    const nobody = { userId: null, userName: null, avatarId: null };
    const { data: begun } = await annas.next("updated");
    expect(begun).toEqual({ counterVal: 0, ...nobody, version: begun.version });
    await bens.next("member-changed");
    await drink(ben);
    const { data: drunk } = await annas.next("updated");
    expect(drunk).toMatchObject({ counterVal: 1, ...nobody, totals: [], version: begun.version + 1 });
    expect(await received(annas, "member-changed")).toEqual([]);
  });

  test("a quiet member neither is among the present members nor sees them, until visible again", async () => {
    const [annas, bens, carlas] = [await page(anna), await page(ben), await page(carla)];
    await subscribe(ben, bens, here);
    await save(ben, "quiet");
    expect((await bens.next("pusher:subscription_error")).data).toMatchObject({ status: 403 });
    expect(await subscribe(ben, bens, here)).toBe(403);

    await save(carla, "quiet");
    expect(await subscribe(carla, carlas, here)).toBe(403);
    const { presence } = (await subscribe(anna, annas, here)) as { presence: { ids: string[] } };
    expect(presence.ids).not.toContain("3");
    await save(carla, "visible");
    await subscribe(carla, carlas, here);
    expect((await annas.next("pusher_internal:member_added")).data).toMatchObject({ user_id: "3" });
  });

  test("a quiet member's beers are not pushed, and a quiet member gets the pushes about others' beers", async () => {
    const service = await createFakePushService();
    await open({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
    for (const [visitor, browser] of [[anna, "anna"] as const, [ben, "ben"] as const]) {
      await visitor.post("/api/push", { pushSubscription: service.subscription(browser) });
    }
    await save(ben, "quiet");
    await drink(ben);
    await drink(carla);
    await expect.poll(() => service.calls.toSorted()).toEqual(["anna", "ben"]);
    expect(service.received.map(({ payload }) => payload["body"])).toEqual(["Prost von Carla!", "Prost von Carla!"]);
  });
});

test("the account export contains the visibility, and deleting the account resets it", async () => {
  await save(ben, "hidden");
  expect((await ben.get("/api/user/export")).json.profile).toMatchObject({ visibility: "hidden" });
  await ben.post("/api/user/delete", { uname: "ben", password: "Zapfhahn-im-Keller-3", beers: "keep" });
  const row = await app.db.selectFrom("users").selectAll().where("id", "=", 2).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ visibility: "visible", is_shown: 1, is_paused: 0, is_mat_shown: 1 });
});
