import { beforeEach, describe, expect, test } from "vitest";

import { repairTimes } from "#server/clock-repair.ts";
import { inTransaction } from "#server/db/connect.ts";
import { updateDisabledAt, updatePermissions } from "#server/features/members/store.ts";
import type { Notification } from "#server/platform/notification.ts";
import { createMessages } from "#server/platform/outbox/store.ts";
import { days } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { createPrepareDelivery, createRecordDelivery } from "./actions.ts";
import { jobs } from "./jobs.ts";
import { kinds } from "./rules.ts";

const env = { PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost", GROUP_NAME: "Kegelclub" };
const minute = 60_000;

let app: TestApp;
let service: FakePushService;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp(env);
});

/** Creates a member whose browser is subscribed to pushes. */
async function listener(uname: string, browser = uname): Promise<Client> {
  const client = await app.createMember(uname);
  await listen(client, browser);
  return client;
}

async function listen(client: Client, browser: string): Promise<void> {
  const answer = await client.post("/api/push", { pushSubscription: service.subscription(browser) });
  expect(answer.status).toBe(201);
}

const drink = (client: Client) => client.post("/api/beercounter/counters");
async function callsAre(browsers: readonly string[]): Promise<void> {
  await expect.poll(() => service.calls.toSorted()).toEqual(browsers.toSorted());
}
const notify = (...notifications: readonly Notification[]) =>
  inTransaction(app.db, (tx) => app.context.say(tx, null).push(...notifications));

const bodies = () => service.received.map(({ payload }) => payload["body"]);
const rows = () => app.db.selectFrom("push_subscriptions").selectAll().orderBy("id").execute();

/**
 * Expects pushes to these browsers and no others. Sends all due pushes, and waits for a later test push to another
 * member, by which time all earlier pushes were sent or dropped.
 */
async function nothingMoreThan(browsers: readonly string[]): Promise<void> {
  const emil = await app.createMember("emil");
  // Emil turns beers off, because pushes about earlier beers may still be in flight.
  await emil.post("/api/push/settings", { beers: false, game_servers: true, sound: true, quiet_hours: null });
  await listen(emil, "emil");
  await app.context.outbox.sendDue("push");
  await emil.post("/api/push/test");
  await callsAre([...browsers, "emil"]);
}

test("a beer is pushed to other members only, encrypted for their browsers and signed with the server's key", async () => {
  const anna = await listener("anna");
  await listener("ben", "ben's phone");
  await drink(anna);
  await callsAre(["ben's phone"]);
  const [push] = service.received;
  expect(push!.payload).toEqual({
    title: "Kegelclub Beercounter",
    body: "Prost von Anna!",
    tag: "beercounter",
    url: "/beercounter",
    silent: true,
  });
  expect(push!.headers).toMatchObject({ ttl: "3600", urgency: "normal", "content-encoding": "aes128gcm" });
  expect(push!.headers["topic"]).toMatch(/^[\w-]{1,32}$/);
  expect(push!.headers.authorization).toContain(`k=${app.context.secrets.vapid.publicKey}`);
  const { aud, exp, sub } = push!.claims;
  expect([aud, sub]).toEqual([`https://localhost:${service.port}`, "mailto:stammtisch@localhost"]);
  expect(exp - app.clock.time / 1000).toBeLessThanOrEqual(24 * 60 * 60);
  const delivered = async () => (await rows()).map(({ delivered_at }) => delivered_at);
  await expect.poll(delivered).toEqual([null, app.clock.time]);
});

test(
  "pushes about one member's beers are at least half an hour apart and count the beers since the previous push",
  { tags: "postgres" },
  async () => {
    const anna = await app.createMember("anna");
    await listener("ben");
    for (let beer = 0; beer < 3; beer++) await drink(anna);
    await callsAre(["ben"]);
    app.clock.time += 29 * minute;
    await drink(anna);
    app.clock.time += minute;
    await drink(anna);
    await callsAre(["ben", "ben"]);
    expect(bodies()).toEqual(["Prost von Anna!", "4 × Prost von Anna"]);
    expect(service.received[0]!.headers["topic"]).toBe(service.received[1]!.headers["topic"]);

    await app.rememberSessions();
    app.clock.time += 7 * 60 * minute;
    await drink(anna);
    await callsAre(["ben", "ben", "ben"]);
    expect(bodies()[2]).toBe("Prost von Anna!");
  },
);

test("after the correction of a clock that was days ahead, beers are pushed at once, and pushes queued before are dropped", async () => {
  const anna = await app.createMember("anna");
  await listener("ben");
  await app.rememberSessions();
  app.clock.time += days(20);
  await drink(anna);
  await callsAre(["ben"]);
  const payload = JSON.stringify({ title: "Kegelclub", body: "alt", tag: "beercounter", url: "/beercounter" });
  const message = JSON.stringify({ payload, topic: "t", permission: null });
  const [subscription] = await rows();
  const times = {
    created_at: app.clock.now(),
    due_at: app.clock.now() + minute,
    expires_at: app.clock.now() + 60 * minute,
  };
  await createMessages(app.db, [{ uuid: "a", kind: "push", receiver: String(subscription!.id), message, ...times }]);
  app.clock.time -= days(20);
  await repairTimes(app.context);
  await app.context.outbox.sendDue("push");
  expect(await app.db.selectFrom("outbox").select("id").execute()).toEqual([]);
  for (const { run } of jobs) await run(app.context);
  expect(await app.db.selectFrom("notification_pauses").select("key").execute()).toEqual([]);
  await drink(anna);
  await callsAre(["ben", "ben"]);
  expect(bodies()).toEqual(["Prost von Anna!", "Prost von Anna!"]);
  // Push services refuse VAPID tokens that are valid for more than a day.
  expect(service.received[1]!.claims.exp - app.clock.time / 1000).toBeLessThanOrEqual(24 * 60 * 60);
});

test("a throttle of pushes that started while the clock was ahead does not hold back pushes after the clock's correction", async () => {
  const anna = await app.createMember("anna");
  await listener("ben");
  await app.rememberSessions();
  app.clock.time += days(20);
  await drink(anna);
  await callsAre(["ben"]);
  app.clock.time -= days(20);
  await repairTimes(app.context);
  await drink(anna);
  await callsAre(["ben", "ben"]);
  expect(bodies()).toEqual(["Prost von Anna!", "Prost von Anna!"]);
});

test("pushes about beers are throttled separately for each drinker, and the throttle survives a restart", async () => {
  const [anna, carla] = [await app.createMember("anna"), await app.createMember("carla")];
  await listener("ben");
  await drink(anna);
  await callsAre(["ben"]);
  await drink(carla);
  await callsAre(["ben", "ben"]);
  const other = await app.reopen();
  expect((await drink(anna.through(other))).status).toBe(200);
  await nothingMoreThan(["ben", "ben"]);
});

describe("push recipients", () => {
  test("pushes about beers are not sent to members who turned them off or have quiet hours, even across midnight", async () => {
    const anna = await app.createMember("anna");
    const [ben, carla, david] = [await listener("ben"), await listener("carla"), await listener("david")];
    const settings = { beers: true, game_servers: true, sound: true, quiet_hours: null };
    await ben.post("/api/push/settings", { ...settings, beers: false });
    // The test clock is at 20:30 in Berlin.
    await carla.post("/api/push/settings", { ...settings, quiet_hours: { from: "20:30", until: "08:00" } });
    await david.post("/api/push/settings", { ...settings, quiet_hours: { from: "08:00", until: "20:30" } });
    await drink(anna);
    await callsAre(["david"]);
    expect(service.received[0]!.payload["silent"]).toBe(false);
    await app.rememberSessions();
    app.clock.time = Date.parse("2026-11-21T06:59:00Z");
    await drink(anna);
    await callsAre(["david", "david"]);
    app.clock.time += 31 * minute;
    await drink(anna);
    await callsAre(["david", "david", "carla"]);
  });

  test("the time to live (TTL) of a push ends when its recipient's quiet hours begin", async () => {
    const anna = await app.createMember("anna");
    const [ben, carla] = [await listener("ben"), await listener("carla")];
    const settings = { beers: true, game_servers: true, sound: true };
    await ben.post("/api/push/settings", { ...settings, quiet_hours: { from: "21:45", until: "08:00" } });
    // The test clock is at 20:30:30 in Berlin.
    app.clock.time += 30_000;
    await carla.post("/api/push/settings", { ...settings, quiet_hours: { from: "20:32", until: "08:00" } });
    await drink(anna);
    await callsAre(["ben", "carla"]);
    const ttls = service.received.map(({ browser, headers }) => [browser, headers["ttl"]]);
    expect(Object.fromEntries(ttls)).toEqual({ ben: "3600", carla: "90" });
  });

  test("pushes are not sent to disabled members or after the end of a member's session", async () => {
    const anna = await app.createMember("anna");
    const [ben, carla] = [await listener("ben"), await listener("carla")];
    await ben.post("/api/logout");
    const { id } = await app.db.selectFrom("users").select("id").where("uname", "=", "carla").executeTakeFirstOrThrow();
    await updateDisabledAt(app.db, id, app.clock.now());
    await drink(anna);
    await nothingMoreThan([]);
    await updateDisabledAt(app.db, id, null);
    app.clock.time += 3 * 60 * minute;
    const david = await app.createMember("david");
    await drink(david);
    await expect.poll(async () => (await rows()).length).toBeGreaterThan(0);
    expect((await carla.get("/api/checkLoginStatus")).json).toEqual({ user: null });
    expect(service.calls).not.toContain("carla");
  });

  test("game server pushes are not sent to members who lack the permission at the time of sending", async () => {
    for (const uname of ["greta", "carla", "ben"]) await listener(uname);
    const news = { kind: "game_servers", senderId: null, body: "Krypta wurde gestartet." } as const;
    await notify(news);
    await callsAre(["ben", "carla"]);
    expect(service.received[0]!.payload).toMatchObject({
      title: "Kegelclub Game-Servers",
      body: news.body,
      tag: "game-servers",
      url: "/game-servers",
    });
    const { id } = await app.db.selectFrom("users").select("id").where("uname", "=", "carla").executeTakeFirstOrThrow();
    await updatePermissions(app.db, id, []);
    // Without a sender, the throttle holds back only pushes with the same text.
    await notify(news);
    await notify({ ...news, body: "Krypta ist abgestürzt." });
    await callsAre(["ben", "ben", "carla"]);
  });
});

test("a queued push is dropped if its recipient no longer wants it", async () => {
  const ben = await listener("ben");
  const [{ id: subscriptionId, ...row }] = (await rows()) as [Awaited<ReturnType<typeof rows>>[number]];
  const prepareDelivery = createPrepareDelivery(app.db, app.config, app.clock);
  const isSent = (kind: "beers" | "game_servers") => {
    const { tag, url, permission } = kinds[kind];
    const payload = JSON.stringify({ title: "", body: "", tag, url: url("") });
    const expiresAt = app.clock.time + 60 * minute;
    return prepareDelivery({ subscriptionId, payload, permission, topic: "", expiresAt });
  };
  const wanted = async () =>
    [await isSent("beers"), await isSent("game_servers")].map((delivery) => delivery?.target.endpoint);
  const settings = { beers: true, game_servers: true, sound: true, quiet_hours: null };
  expect(await wanted()).toEqual([row.endpoint, row.endpoint]);
  await ben.post("/api/push/settings", { ...settings, game_servers: false });
  expect(await wanted()).toEqual([row.endpoint, undefined]);
  await ben.post("/api/push/settings", settings);
  // The test clock is at 20:30 in Berlin.
  await ben.post("/api/push/settings", { ...settings, quiet_hours: { from: "20:31", until: "08:00" } });
  expect(await wanted()).toEqual([row.endpoint, row.endpoint]);
  app.clock.time += minute;
  expect(await wanted()).toEqual([undefined, undefined]);
});

test("a retried push uses the recipient's current sound setting", async () => {
  const anna = await app.createMember("anna");
  const ben = await listener("ben");
  const settings = { beers: true, game_servers: true, quiet_hours: null };
  await ben.post("/api/push/settings", { ...settings, sound: true });
  service.responses.push("hang");
  await drink(anna);
  await callsAre(["ben"]);
  await ben.post("/api/push/settings", { ...settings, sound: false });
  await app.context.outbox.close();
  await app.reopen();
  await callsAre(["ben", "ben"]);
  expect(service.received.at(-1)!.payload["silent"]).toBe(true);
});

test("a push subscription is deleted when its push service answers 410", async () => {
  const anna = await app.createMember("anna");
  await listener("ben");
  service.responses.push(410);
  await drink(anna);
  await expect.poll(rows).toEqual([]);
  app.clock.time += 31 * minute;
  await drink(anna);
  await nothingMoreThan(["ben"]);
});

test("a push service that does not answer does not delay the booking of beers", async () => {
  const anna = await app.createMember("anna");
  await listener("ben");
  service.responses.push("hang");
  await drink(anna);
  await callsAre(["ben"]);
  for (let beer = 0; beer < 10; beer++) expect((await drink(anna)).status).toBe(200);
});

describe("createRecordDelivery", () => {
  async function record(...outcomes: Parameters<ReturnType<typeof createRecordDelivery>>[1][]): Promise<void> {
    const recordDelivery = createRecordDelivery(app.db, app.clock, app.context.log);
    const { id } = (await rows())[0]!;
    for (const outcome of outcomes) await recordDelivery({ subscriptionId: id }, outcome);
  }

  test.each(["gone", "unauthorised"] as const)("the push outcome %s deletes the subscription", async (outcome) => {
    await listener("ben");
    await record(outcome);
    expect(await rows()).toEqual([]);
  });

  test.each(["refused", "later"] as const)(
    "the push outcome %s counts as a failure until a push is delivered",
    async (outcome) => {
      await listener("ben");
      await record(outcome, outcome);
      expect(await rows()).toMatchObject([{ failures: 2, failing_since: app.clock.time, delivered_at: null }]);
      await record("delivered");
      expect(await rows()).toMatchObject([{ failures: 0, failing_since: null, delivered_at: app.clock.time }]);
    },
  );

  test("twenty failed pushes in a row delete the subscription, but only three days after the first failure", async () => {
    await listener("ben");
    await record(...Array.from({ length: 20 }, () => "refused" as const));
    app.clock.time += days(3) - 1;
    await record("refused");
    expect(await rows()).toMatchObject([{ failures: 21 }]);
    app.clock.time += 1;
    await record("refused");
    expect(await rows()).toEqual([]);
  });
});

test(
  "pushes that are pending when a server stops are sent exactly once by the next servers",
  { tags: "postgres" },
  async () => {
    const anna = await app.createMember("anna");
    await listener("ben");
    service.responses.push("hang");
    await drink(anna);
    await callsAre(["ben"]);
    await app.context.outbox.close();
    await app.reopen();
    await app.reopen();
    await callsAre(["ben", "ben"]);
    expect(bodies()).toEqual(["Prost von Anna!"]);
  },
);

test("POST /api/push/test pushes to all browsers of the member and reports the outcome for each", async () => {
  const anna = await listener("anna", "phone");
  await listen(anna, "laptop");
  await listen(anna, "old phone");
  await listener("ben");
  await anna.post("/api/push/settings", {
    beers: false,
    game_servers: false,
    sound: false,
    quiet_hours: { from: "00:00", until: "23:59" },
  });
  service.responses.push(201, 410, 503);
  const { status, json } = await anna.post("/api/push/test");
  expect(status).toBe(200);
  expect(json.map(({ result }: { result: string }) => result).toSorted()).toEqual([
    "delivered",
    "refused",
    "unreachable",
  ]);
  expect(service.calls.toSorted()).toEqual(["laptop", "old phone", "phone"]);
  expect((await anna.get("/api/push/devices")).json).toHaveLength(2);
  expect(JSON.stringify(app.logLines)).not.toMatch(/phone|laptop/);
});
