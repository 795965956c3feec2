import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { fixtures } from "#test/fixtures.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { remindOfEmptyDoors } from "./actions.ts";
import { dealFreeDoors, pushLateDealings } from "./lottery-actions.ts";

const own = "/api/christmas-calendar/own-doors";

let app: TestApp;
let service: FakePushService;
let ben: Client;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  app.clock.time = Date.parse("2026-12-20T10:00:00Z");
  ben = await app.createMember("ben");
  await app.rememberSessions();
  await ben.post("/api/push", { pushSubscription: service.subscription("ben") });
});

const pushed = () => listPushes(service);
const drawnText = ["ben", "Du hast 21, 22, 23 und 24 gezogen! Häng Bilder auf, bevor der Tag beginnt."] as const;
describe("newly dealt doors", () => {
  test("newly assigned calendar doors are told by a single push, and on pages until one device has shown them", async () => {
    await dealFreeDoors(app.context, 2026, null);
    await expect.poll(pushed).toEqual([drawnText]);
    const { today, doors, drawn } = (await ben.get(own)).json;
    expect([today, doors.length, drawn]).toEqual(["2026-12-20", 4, doors.map(({ date }: { date: string }) => date)]);
    expect((await ben.post(`${own}-seen`)).status).toBe(204);
    expect((await ben.get(own)).json.drawn).toEqual([]);
    const other = await app.reopen();
    await Promise.all([pushLateDealings(app.context), pushLateDealings(other.context)]);
    await expectPushes(service, ben, [drawnText]);
  });

  test("a member gets no reminder of empty calendar doors on the day of the lottery that assigned the doors", async () => {
    await dealFreeDoors(app.context, 2026, null);
    await remindOfEmptyDoors(app.context);
    await expectPushes(service, ben, [drawnText]);
    await ben.post(`${own}-seen`);
    expect((await ben.get(own)).json.reminders).toEqual([]);
    app.clock.time = Date.parse("2026-12-21T12:00:00Z");
    await remindOfEmptyDoors(app.context);
    await expectPushes(service, ben, [
      drawnText,
      ["ben", "Türchen 22 und 24 brauchen noch Bilder von dir: Das erste geht morgen auf."],
    ]);
    expect((await ben.get(own)).json.reminders).toEqual(["2026-12-22", "2026-12-24"]);
  });

  test("the push about newly assigned calendar doors is sent after the member's quiet hours", async () => {
    const settings = { beers: true, game_servers: true, calendar: true, sound: false };
    await ben.post("/api/push/settings", { ...settings, quiet_hours: { from: "10:00", until: "12:00" } });
    await dealFreeDoors(app.context, 2026, null);
    await expectPushes(service, ben, []);
    app.clock.time += 2 * 60 * 60_000;
    await pushLateDealings(app.context);
    await expect.poll(pushed).toContainEqual(drawnText);
  });

  test("calendar doors that a lottery assigned before an app upgrade are not announced as new", async () => {
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-24", user_id: 1 }).execute();
    await pushLateDealings(app.context);
    expect((await ben.get(own)).json.drawn).toEqual([]);
    await expectPushes(service, ben, []);
  });
});

describe("the line about today's door", () => {
  const line = async (): Promise<string | null> => (await ben.get(own)).json.line;
  const fill = (...dates: string[]) =>
    app.db
      .insertInto("calendar_assignments")
      .values(dates.map((date) => ({ date, user_id: 1 })))
      .execute();

  test("today's door is announced from its first second until its member opens it, before the member's empty doors", async () => {
    await fill("2026-12-22");
    app.clock.time = Date.parse("2026-12-20T22:59:59Z");
    await ben.post("/api/christmas-calendar/open/2026-12-20");
    expect(await line()).toBe("Türchen 22 wartet auf dein Bild.");
    app.clock.time += 1000;
    expect((await ben.get(own)).json).toMatchObject({
      line: "Türchen 21 ist dran: Mach es auf!",
      is_line_reminder: false,
    });
    const page = await connectPage(app, ben);
    await ben.post("/api/christmas-calendar/open/2026-12-21");
    expect((await page.next("own-doors-changed")).data).toEqual({ message: null });
    expect((await ben.get(own)).json).toMatchObject({
      line: "Türchen 22 wartet auf dein Bild.",
      is_line_reminder: true,
    });
  });

  test.each([
    ["2026-11-30", null],
    ["2026-12-01", "Türchen 1 ist dran: Mach es auf!"],
    ["2026-12-24", "Türchen 24 ist dran: Mach es auf!"],
    ["2026-12-25", null],
  ])("on %s the line of a group with a calendar is: %s", async (day, expected) => {
    await fill("2026-12-24");
    await app.db
      .insertInto("calendar_pictures")
      .values({ date: "2026-12-24", id: "x", screen: fixtures.png, phone: fixtures.png })
      .execute();
    app.clock.time = Date.parse(`${day}T10:00:00Z`);
    ben = await app.createMember("mia");
    expect(await line()).toBe(expected);
  });

  test("no door is announced in a year without a calendar", async () => {
    await fill("2025-12-20");
    expect(await line()).toBeNull();
  });
});
