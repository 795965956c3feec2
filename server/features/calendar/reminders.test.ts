import { beforeEach, expect, test } from "vitest";

import { createPrepareDelivery } from "#server/features/notifications/actions.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { fixtures } from "#test/fixtures.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { remindOfEmptyDoors } from "./actions.ts";
import { countDueReminders, isReminderTime, reminderText } from "./rules.ts";

let app: TestApp;
let service: FakePushService;
let ben: Client;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost", GROUP_NAME: "Kegelclub" });
  app.clock.time = Date.parse("2026-12-01T11:00:00Z");
  await listener("anna");
  ben = await listener("ben");
  await app.rememberSessions();
  await app.db.insertInto("calendar_assignments").values({ date: "2026-12-05", user_id: 2 }).execute();
});

/** Creates a member with a subscribed browser. */
async function listener(uname: string): Promise<Client> {
  const client = await app.createMember(uname);
  await client.post("/api/push", { pushSubscription: service.subscription(uname) });
  return client;
}

/** Reminds at this time, and waits until the pushes are sent, because pushes expire when the tests move the clock. */
async function remindAt(time: string): Promise<void> {
  app.clock.time = Date.parse(time);
  await remindOfEmptyDoors(app.context);
  await expect.poll(() => countWaiting(app.db, "push")).toBe(0);
}

const hang = () =>
  app.db
    .insertInto("calendar_pictures")
    .values({ date: "2026-12-05", id: "x", screen: fixtures.png, phone: fixtures.png })
    .execute();
const told = () => listPushes(service);
const soon = ["ben", "Türchen 5 braucht noch ein Bild von dir: Es geht am 5. Dezember auf."] as const;
const tomorrow = ["ben", "Türchen 5 braucht noch ein Bild von dir: Morgen geht es auf."] as const;

test("a member is reminded of an empty calendar door seven days, three days and one day before its day", async () => {
  app.clock.time = Date.parse("2026-11-27T18:00:00Z");
  await remindAt("2026-11-27T18:00:00Z");
  await remindAt("2026-11-28T08:59:00Z");
  await remindAt("2026-11-28T09:00:00Z");
  await expect.poll(told).toEqual([soon]);
  await remindAt("2026-11-30T12:00:00Z");
  await remindAt("2026-12-01T18:00:00Z");
  await remindAt("2026-12-02T08:59:00Z");
  await remindAt("2026-12-02T09:00:00Z");
  await expect.poll(told).toEqual([soon, soon]);
  expect(service.received[0]!.payload).toMatchObject({
    title: "Kegelclub Adventskalender",
    tag: "calendar 2026-12-05",
    url: "/christmas-calendar",
    silent: true,
  });
  await remindAt("2026-12-02T12:00:00Z");
  await remindAt("2026-12-03T12:00:00Z");
  await remindAt("2026-12-04T08:00:00Z");
  await remindAt("2026-12-04T12:00:00Z");
  await remindAt("2026-12-04T18:59:00Z");
  await remindAt("2026-12-05T12:00:00Z");
  await expectPushes(service, ben, [soon, soon, tomorrow]);
});

test("a member with several empty calendar doors gets one reminder", async () => {
  const doors = ["2026-12-03", "2026-12-06"].map((date) => ({ date, user_id: 2 }));
  await app.db.insertInto("calendar_assignments").values(doors).execute();
  await remindAt("2026-12-02T12:00:00Z");
  await remindAt("2026-12-02T13:00:00Z");
  await expectPushes(service, ben, [
    ["ben", "Türchen 3, 5 und 6 brauchen noch Bilder von dir: Das erste geht morgen auf."],
  ]);
});

test("a member who was dealt a calendar door the day before its day is reminded once", async () => {
  await remindAt("2026-12-04T12:00:00Z");
  await remindAt("2026-12-04T13:00:00Z");
  await expectPushes(service, ben, [tomorrow]);
});

test("only one of two server instances sends a reminder of an empty calendar door", { tags: "postgres" }, async () => {
  app.clock.time = Date.parse("2026-12-02T12:00:00Z");
  const other = await app.reopen();
  await Promise.all([remindOfEmptyDoors(app.context), remindOfEmptyDoors(other.context)]);
  await remindOfEmptyDoors(other.context);
  await expectPushes(service, ben, [soon]);
});

test("a calendar door that is filled before its reminder is delivered causes no push", async () => {
  const { id } = await app.db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.id", "push_subscriptions.session_id")
    .select("push_subscriptions.id")
    .where("sessions.user_id", "=", 2)
    .executeTakeFirstOrThrow();
  const payload = JSON.stringify({ title: "", body: "", tag: "calendar 2026-12-05", url: "/christmas-calendar" });
  const prepare = () =>
    createPrepareDelivery(
      app.db,
      app.config,
      app.clock,
    )({ subscriptionId: id, permission: null, payload, topic: "x", expiresAt: Number.POSITIVE_INFINITY });
  expect(await prepare()).toBeDefined();
  await hang();
  expect(await prepare()).toBeUndefined();
  await remindAt("2026-12-02T12:00:00Z");
  await expectPushes(service, ben, []);
});

test("a reminder is sent after the member's quiet hours, unless the member switched reminders off", async () => {
  const settings = { beers: true, game_servers: true, sound: false };
  await ben.post("/api/push/settings", { ...settings, quiet_hours: { from: "12:00", until: "14:00" } });
  await remindAt("2026-12-02T12:00:00Z");
  await expectPushes(service, ben, []);
  await remindAt("2026-12-02T13:30:00Z");
  await expect.poll(told).toContainEqual(soon);
  await ben.post("/api/push/settings", { ...settings, calendar: false, quiet_hours: null });
  // A page of an earlier app version does not send the calendar switch, which must remain off.
  await ben.post("/api/push/settings", { ...settings, quiet_hours: null });
  expect((await ben.get("/api/push/settings")).json.calendar).toBe(false);
  await remindAt("2026-12-04T12:00:00Z");
  await expectPushes(service, ben, [soon]);
});

test.each([
  ["2026-11-27", 0],
  ["2026-11-28", 1],
  ["2026-12-01", 1],
  ["2026-12-02", 2],
  ["2026-12-03", 2],
  ["2026-12-04", 3],
  ["2026-12-05", 0],
  ["2026-12-06", 0],
])("countDueReminders: on %s, %i reminders of the door of 5 December are due", (today, due) => {
  expect(countDueReminders("2026-12-05", today)).toBe(due);
});

test("a reminder of the door of 1 December is due in November and names the door's date", () => {
  expect(countDueReminders("2026-12-01", "2026-11-28")).toBe(2);
  expect(reminderText(["2026-12-01"], "2026-11-28")).toContain("Es geht am 1. Dezember auf.");
  expect([isReminderTime("09:59"), isReminderTime("10:00"), isReminderTime("19:59"), isReminderTime("20:00")]).toEqual([
    ...[false, true, true, false],
  ]);
});
