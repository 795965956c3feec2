import { createServer } from "node:net";

import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import type { ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp({ PUSH_ALLOWED_HOSTS: "" });
});

const keys = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

function subscription(endpoint: string) {
  return { pushSubscription: { endpoint, expirationTime: null, keys } };
}

const wrong = "Der gewählte Wert für Push-Abonnement ist ungültig.";

function expectRefused(answer: ClientResponse, what?: string): void {
  expectRefusal(answer, 422, wrong, what);
  expect(answer.json.errors).toEqual({ pushSubscription: [wrong] });
}

const phone = "https://fcm.googleapis.com/fcm/send/phone";

async function stored(): Promise<{ endpoint: string; uname: string }[]> {
  return app.db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.id", "session_id")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["endpoint", "uname"])
    .orderBy("push_subscriptions.id")
    .execute();
}

test("a browser can subscribe to pushes with an endpoint of a known push service", async () => {
  const anna = await app.createMember("anna");
  const answer = await anna.post("/api/push", subscription(phone));
  expect([answer.status, answer.json]).toEqual([201, { message: "Push-Abonnement gespeichert." }]);
  expect(await stored()).toEqual([{ endpoint: phone, uname: "anna" }]);
});

test("a push endpoint outside the known push services is refused, not stored and not called", async () => {
  let visits = 0;
  const canary = createServer((socket) => void (visits++, socket.destroy()));
  await new Promise<void>((done) => void canary.listen(0, "::", done));
  const { port } = canary.address() as { port: number };
  const anna = await app.createMember("anna");
  for (const host of ["localhost", "127.0.0.1", "[::1]", "2130706433"]) {
    const endpoint = `https://${host}:${port}/x`;
    expectRefused(await anna.post("/api/push", subscription(endpoint)), endpoint);
  }
  expect([await stored(), visits]).toEqual([[], 0]);
  canary.close();
});

test.each([
  ["no subscription", {}],
  ["null as the subscription", { pushSubscription: null }],
  ["a text as the subscription", { pushSubscription: phone }],
  ["a list as the subscription", { pushSubscription: [phone] }],
  ["no keys", { pushSubscription: { endpoint: phone } }],
  ["an endpoint in a list", { pushSubscription: { endpoint: [phone], keys } }],
  ["no auth", { pushSubscription: { endpoint: phone, keys: { p256dh: keys.p256dh } } }],
  ["a wrong key", { pushSubscription: { endpoint: phone, keys: { ...keys, p256dh: "" } } }],
  ["an expiry in words", { pushSubscription: { endpoint: phone, expirationTime: "bald", keys } }],
])("a push subscription with %s is refused", async (_, body) => {
  const anna = await app.createMember("anna");
  expectRefused(await anna.post("/api/push", body));
  expect(await stored()).toEqual([]);
});

test("GET /api/config returns the public key for push subscriptions", async () => {
  const { json } = await app.createClient().get("/api/config");
  expect(json.vapid_public_key).toBe(app.context.secrets.vapid.publicKey);
  expect(Buffer.from(json.vapid_public_key, "base64url")).toHaveLength(65);
});

test("a browser that subscribes to pushes repeatedly is stored once", { tags: "postgres" }, async () => {
  const anna = await app.createMember("anna");
  for (let start = 0; start < 3; start++) await anna.post("/api/push", subscription(phone));
  expect(await stored()).toHaveLength(1);
});

test(
  "an eleventh push subscription of a member deletes the member's oldest, not another member's",
  { tags: "postgres" },
  async () => {
    const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
    await ben.post("/api/push", subscription(`${phone}-ben`));
    for (let number = 1; number <= 11; number++) {
      app.clock.time += 1000;
      await anna.post("/api/push", subscription(`${phone}-${number}`));
    }
    const endpoints = (await stored()).map(({ endpoint }) => endpoint);
    expect(endpoints).toHaveLength(11);
    expect(endpoints).not.toContain(`${phone}-1`);
    expect(endpoints).toContain(`${phone}-ben`);
  },
);

test("a push subscription belongs to the member who subscribed last in the browser", { tags: "postgres" }, async () => {
  const anna = await app.createMember("anna");
  await anna.post("/api/push", subscription(phone));
  const ben = await app.createMember("ben");
  await ben.post("/api/push", subscription(phone));
  expect(await stored()).toEqual([{ endpoint: phone, uname: "ben" }]);
  expect((await anna.get("/api/push/devices")).json).toEqual([]);
});

describe("subscriptions of ended sessions", () => {
  /** Logs the member Anna in with three browsers and subscribes each to pushes. */
  async function threeBrowsers() {
    await app.createUser("anna");
    const browsers = [app.createClient(), app.createClient(), app.createClient()];
    for (const [index, browser] of browsers.entries()) {
      app.clock.time += 1000;
      await browser.post("/api/login", { uname: "anna", password });
      await browser.post("/api/push", subscription(`${phone}-${index}`));
    }
    return browsers as [(typeof browsers)[0], (typeof browsers)[0], (typeof browsers)[0]];
  }
  const left = async () => (await stored()).map(({ endpoint }) => endpoint.slice(-1));

  test("logging out deletes the browser's push subscription", async () => {
    const [first] = await threeBrowsers();
    await first.post("/api/logout");
    expect(await left()).toEqual(["1", "2"]);
  });

  test("changing the password deletes the push subscriptions of the member's other browsers", async () => {
    const [, second] = await threeBrowsers();
    const changed = { password: "Ein-neuer-Zapfhahn-4", password_confirmation: "Ein-neuer-Zapfhahn-4" };
    expect((await second.post("/api/user/changePassword", changed)).status).toBe(200);
    expect(await left()).toEqual(["1"]);
    expect((await second.get("/api/push/devices")).json).toMatchObject([{ current: true }]);
  });

  test("confirming the password keeps all push subscriptions", async () => {
    const [first] = await threeBrowsers();
    expect((await first.post("/api/user/confirmPassword", { password })).status).toBe(200);
    expect(await left()).toEqual(["0", "1", "2"]);
    const devices = (await first.get("/api/push/devices")).json as { current: boolean }[];
    expect(devices.filter(({ current }) => current)).toHaveLength(1);
  });

  test("ending another session in the list of devices deletes its push subscription", async () => {
    const [first] = await threeBrowsers();
    const sessions = (await first.get("/api/user/sessions")).json as { id: string; current: boolean }[];
    await first.delete(`/api/user/sessions/${sessions.find(({ current }) => !current)!.id}`);
    expect(await left()).toHaveLength(2);
  });

  test("a session of a disabled member cannot subscribe to pushes", async () => {
    const [first] = await threeBrowsers();
    const { id } = await app.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    await updateDisabledAt(app.db, id, app.clock.now());
    expect((await first.post("/api/push", subscription(`${phone}-late`))).status).toBe(401);
    expect(await left()).toEqual(["0", "1", "2"]);
  });
});

test("a member can list and remove only the member's own push devices", async () => {
  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await anna.post("/api/push", subscription(phone));
  const [device] = (await anna.get("/api/push/devices")).json;
  expect(device).toEqual({
    id: expect.any(Number),
    device: "Unbekanntes Gerät",
    current: true,
    last_success_at: null,
    since: new Date(app.clock.time).toISOString(),
  });
  const remove = (who: typeof anna) => who.delete(`/api/push/devices/${device.id}`);
  expect((await remove(ben)).status).toBe(404);
  expect(await stored()).toHaveLength(1);
  expect((await remove(anna)).status).toBe(200);
  expect([await stored(), (await remove(anna)).status]).toEqual([[], 404]);
  const isWanted = async () => (await anna.get("/api/push/settings")).json.is_wanted_here;
  expect(await isWanted()).toBe(false);
  await anna.post("/api/user/confirmPassword", { password });
  expect(await isWanted()).toBe(false);
  await anna.post("/api/push", subscription(phone));
  expect([await isWanted(), (await stored()).length]).toEqual([true, 1]);
});

test("notification settings are saved per member, and invalid quiet hours are refused", async () => {
  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  const defaults = { beers: true, game_servers: true, calendar: true, party: true, sound: false, quiet_hours: null };
  expect((await anna.get("/api/push/settings")).json).toEqual({ ...defaults, is_wanted_here: true });
  const wanted = { ...defaults, beers: false, quiet_hours: { from: "23:00", until: "08:00" } };
  for (let time = 0; time < 2; time++) {
    expect((await anna.post("/api/push/settings", wanted)).json).toEqual(wanted);
    expect((await anna.get("/api/push/settings")).json).toMatchObject(wanted);
  }
  expect((await ben.get("/api/push/settings")).json).toMatchObject(defaults);
  for (const quiet_hours of [
    { from: "8:00", until: "09:00" },
    { from: "24:00", until: "09:00" },
    { from: "08:00", until: "08:00" },
  ]) {
    expect((await anna.post("/api/push/settings", { ...wanted, quiet_hours })).status).toBe(422);
  }
  expect((await anna.get("/api/push/settings")).json).toMatchObject(wanted);
});
