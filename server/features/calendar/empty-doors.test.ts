import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import { takePictureDown } from "#test/calendar.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectPage, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { calendarDays } from "./rules.ts";

const doors = "/api/christmas-calendar/opened-images";
const own = "/api/christmas-calendar/own-doors";
const emilsDay = "2026-12-05";
const closed = calendarDays(2026).map((date) => ({ date, url: "" }));

let app: TestApp;
let anna: Client;
let emil: Client;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  emil = await app.createMember("emil");
  await app.rememberSessions();
  await app.db.insertInto("calendar_assignments").values({ date: emilsDay, user_id: 2 }).execute();
});

const open = async (client: Client, date = emilsDay) =>
  (await client.post(`/api/christmas-calendar/open/${date}`)).json;
const fill = (client: Client, date = emilsDay): Promise<ClientResponse> =>
  sendForm(client, multipartForm(fixtures.png, { field: "picture" }), {}, `${own}/${date}`);
const imageOf = async (client: Client, date = emilsDay) =>
  (await client.get(`${doors}?year=${date.slice(0, 4)}`)).json.images.find(
    (image: { date: string }) => image.date === date,
  );

describe("calendar years", () => {
  test.each([
    ["in which one door is assigned to a member", () => Promise.resolve()],
    [
      "in which one door has a picture",
      async () => {
        await app.db.deleteFrom("calendar_assignments").execute();
        const picture = { date: "2026-12-24", id: "x", screen: fixtures.png, phone: fixtures.png };
        await app.db.insertInto("calendar_pictures").values(picture).execute();
      },
    ],
  ])("the calendar of a year %s has all 24 doors", async (_, change) => {
    await change();
    expect((await anna.get(doors)).json.images).toEqual(closed);
  });

  test("the calendar of a year without assigned doors and pictures has no doors", async () => {
    await app.db.deleteFrom("calendar_assignments").execute();
    expect((await anna.get(doors)).json.images).toEqual([]);
    expectRefusal(await anna.post(`/api/christmas-calendar/open/${emilsDay}`), 404, "Nicht gefunden.");
  });
});

describe("empty calendar doors", () => {
  test("an empty calendar door opens on its day to a drawing with the name of its member", async () => {
    const opened = await open(anna);
    expect(opened).toEqual({
      date: emilsDay,
      url: "/internal/images/calendar/empty-3",
      is_empty: true,
      late: "Emil",
      opened: 1,
      members: 2,
    });
    expect(await imageOf(anna)).toEqual(opened);
    for (const size of ["", "?size=phone", "?size=screen"]) {
      const { status, headers } = await anna.get(opened.url + size);
      expect([size, status, headers["content-type"]]).toEqual([size, 200, "image/webp"]);
    }
    expect((await app.createClient().get(opened.url)).status).toBe(401);
    expect((await anna.get("/internal/images/calendar/empty-4")).status).toBe(404);
  });

  test("an empty calendar door shows no name if its member is quiet, hidden or disabled", async () => {
    await open(anna);
    await emil.post("/api/user/presence", { visibility: "quiet" });
    expect(await imageOf(anna)).not.toHaveProperty("late");
    await emil.post("/api/user/presence", { visibility: "hidden" });
    expect(await imageOf(anna)).not.toHaveProperty("late");
    await emil.post("/api/user/presence", { visibility: "visible" });
    expect((await imageOf(anna)).late).toBe("Emil");
    await updateDisabledAt(app.db, 2, app.clock.now());
    expect(await imageOf(anna)).not.toHaveProperty("late");
    expect(await open(anna, "2026-12-04")).toMatchObject({ is_empty: true, opened: 1 });
    expect(await imageOf(anna, "2026-12-04")).not.toHaveProperty("late");
  });

  test("a member can fill an empty calendar door on its day, and members who have opened the door see the picture at once", async () => {
    await open(anna);
    const page = await connectPage(app, anna);
    await subscribe(anna, page, "private-christmas-calendar");
    expect((await emil.get(doors)).json.own_doors).toMatchObject([{ date: emilsDay, picture: null }]);
    expect((await fill(emil)).status).toBe(201);
    expect((await page.next("open-doors-changed")).data).toEqual({});
    const image = await imageOf(anna);
    expect(image).toMatchObject({ by: "Emil", opened: 1, members: 2 });
    expect(image).not.toHaveProperty("is_empty");
    expect((await anna.get(image.url)).status).toBe(200);
    // Members who have not opened the door cannot see its picture.
    const ben = await app.createMember("ben");
    expect((await ben.get(image.url)).status).toBe(404);
  });

  test("a calendar picture cannot be replaced after its day has begun", async () => {
    const answers = await Promise.all([fill(emil), fill(emil)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    expectRefusal(await fill(emil), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
    expectRefusal(await emil.delete(`${own}/${emilsDay}`), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
    expect((await emil.get(doors)).json.own_doors).toEqual([]);
  });

  test.each([
    ["2026-12-24T22:59:59Z", 201],
    ["2026-12-31T22:59:59Z", 201],
    ["2026-12-31T23:00:00Z", 403],
  ])("an empty calendar door can be filled until its year ends: at %s the answer is %i", async (time, status) => {
    app.clock.time = Date.parse(time);
    await app.db.updateTable("sessions").set({ created_at: app.clock.time, last_seen_at: app.clock.time }).execute();
    const listed = (await emil.get(own)).json.doors;
    expect(listed).toMatchObject(status === 201 ? [{ date: emilsDay, picture: null }] : []);
    expect((await fill(emil)).status).toBe(status);
  });

  test("an empty calendar door can be filled only by the member to whom it is assigned", async () => {
    expectRefusal(await fill(anna), 403, "Das ist nicht dein Türchen.");
  });

  test("an empty calendar door of a past year cannot be filled", async () => {
    await app.db.insertInto("calendar_assignments").values({ date: "2025-12-05", user_id: 2 }).execute();
    expect(await open(anna, "2025-12-05")).toMatchObject({ is_empty: true, late: "Emil" });
    expectRefusal(await fill(emil, "2025-12-05"), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
  });

  test("a calendar door is empty again after an administrator has removed its picture", async () => {
    await fill(emil);
    await open(anna);
    await takePictureDown(anna, emilsDay);
    expect(await imageOf(anna)).toMatchObject({ is_empty: true, late: "Emil" });
    expect((await emil.get(doors)).json.own_doors).toMatchObject([{ date: emilsDay, picture: null }]);
  });
});
