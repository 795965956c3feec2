import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import { hours } from "#server/time.ts";
import { hangPicture, takeDoorBack } from "#test/calendar.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { connectPage, subscribe } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";

const opened = "/api/christmas-calendar/opened-images";
const own = "/api/christmas-calendar/own-doors";
const day = "2026-12-05";
const jpeg = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#c00" } })
  .jpeg()
  .toBuffer();

let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;

/** Anna (id 1) is the administrator; calendar door 5 belongs to Ben (id 2). */
beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-04T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  carla = await app.createMember("carla");
  await app.rememberSessions();
  await app.db.insertInto("calendar_assignments").values({ date: day, user_id: 2 }).execute();
});

const fill = (texts: Record<string, string> = {}, client = ben, date = day): Promise<ClientResponse> =>
  sendForm(client, multipartForm(jpeg, { field: "picture", texts }), {}, `${own}/${date}`);
const change = (details: object, client = ben) => client.post(`${own}/${day}/details`, details);
const restore = (client = ben) => client.post(`${own}/${day}/restore`);
const open = async (client = carla) => (await client.post(`/api/christmas-calendar/open/${day}`)).json;
const ownDoor = async () => (await ben.get(opened)).json.own_doors[0];
const beginDay = () => (app.clock.time = Date.parse("2026-12-05T10:00:00Z"));

describe("text of a calendar picture", () => {
  test("the text of a calendar picture is shown to members who have opened its door", async () => {
    expect((await fill({ text: "  Meine Oma, 1962 <b> " })).status).toBe(201);
    expect(await ownDoor()).toMatchObject({ text: "Meine Oma, 1962 <b>", is_hidden: false });
    beginDay();
    expect(JSON.stringify((await carla.get(opened)).json)).not.toContain("Oma");
    expect(await open()).toMatchObject({ text: "Meine Oma, 1962 <b>", by: "Ben" });
  });

  test.each([
    ["x".repeat(81), "Text darf maximal 80 Zeichen haben."],
    ["eine\u202eZeile", "Der gewählte Wert für text ist ungültig."],
  ])("refuses a text of a calendar picture that is too long or unreadable (%j)", async (text, sentence) => {
    expectErrors(await fill({ text }), { text: [sentence.replace("text", "Text")] });
    expect((await ownDoor()).picture).toBeNull();
    await fill();
    expectErrors(await change({ text }), { text: [sentence.replace("text", "Text")] });
  });

  test("the text of a calendar picture can be changed and removed until its day begins", async () => {
    expectRefusal(await change({ text: "Ohne Bild" }), 404, "Nicht gefunden.");
    await fill({ text: "Oma" });
    await change({ text: "Opa" });
    expect((await ownDoor()).text).toBe("Opa");
    await change({ text: null });
    expect((await ownDoor()).text).toBeNull();
    beginDay();
    expectRefusal(await change({ text: "Zu spät" }), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
    expect((await open()).text).toBeUndefined();
  });

  test("the text of a calendar picture is removed when the picture is replaced", async () => {
    await fill({ text: "Oma" });
    await fill();
    expect((await ownDoor()).text).toBeNull();
    await change({ text: "Oma" });
    await hangPicture(anna, day, jpeg, 2);
    beginDay();
    expect((await open()).text).toBeUndefined();
  });

  test("a calendar door that an administrator takes back from its member loses the text but keeps the picture", async () => {
    await fill({ text: "Oma" });
    await takeDoorBack(anna, day);
    beginDay();
    expect(await open()).toEqual({ date: day, url: expect.stringMatching(/images/), opened: 1, members: 3 });
  });
});

describe("hidden name of a calendar picture", () => {
  test("a member can hide the own name below a calendar picture at any time", async () => {
    await fill({ is_hidden: "1" });
    beginDay();
    expect((await open()).by).toBeUndefined();
    const [begun] = (await ben.get(opened)).json.begun_doors;
    expect(begun).toEqual({
      date: day,
      picture: expect.any(String),
      text: null,
      is_hidden: true,
      can_restore: false,
    });
    expect((await carla.get(opened)).json.begun_doors).toEqual([]);
    await change({ is_hidden: false });
    expect((await open()).by).toBe("Ben");
    await change({ is_hidden: true });
    expect((await open()).by).toBeUndefined();
  });

  test("a member's hidden name remains hidden if an older app version, which cannot hide names, replaces the picture", async () => {
    await fill({ is_hidden: "1" });
    await fill();
    expect((await ownDoor()).is_hidden).toBe(true);
  });

  test("a member cannot change another member's calendar door", async () => {
    await fill();
    expectRefusal(await change({ is_hidden: true }, carla), 403, "Das ist nicht dein Türchen.");
    expectRefusal(await restore(carla), 403, "Das ist nicht dein Türchen.");
  });
});

describe("restoring a calendar picture", () => {
  test("a member can restore a removed calendar picture with its text within a day", async () => {
    await fill({ text: "Oma", is_hidden: "1" });
    await ben.delete(`${own}/${day}`);
    expect(await ownDoor()).toMatchObject({ picture: null, text: null, is_hidden: false, can_restore: true });
    expect((await ben.get("/api/user/export")).json.calendar_pictures_removed).toEqual([
      { date: day, text: "Oma", removed_at: "2026-12-04T10:00:00.000Z" },
    ]);
    app.clock.time += hours(12);
    expect((await restore()).json).toEqual({ message: "Dein Bild hängt wieder." });
    expect(await ownDoor()).toMatchObject({ picture: expect.any(String), text: "Oma", is_hidden: true });
  });

  test("a removed calendar picture cannot be restored over another picture or after a day", async () => {
    await fill();
    await ben.delete(`${own}/${day}`);
    await fill();
    expectRefusal(await restore(), 409, "Hinter Türchen 5 hängt schon ein Bild.");
    await ben.delete(`${own}/${day}`);
    app.clock.time += hours(24);
    expectRefusal(await restore(), 409, "Dieses Bild lässt sich nicht mehr aufhängen.");
  });

  test("deleting an account deletes the member's removed calendar pictures and their texts", async () => {
    await fill({ text: "Oma" });
    await ben.delete(`${own}/${day}`);
    await ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" });
    for (const table of ["calendar_removed_pictures", "calendar_notices"] as const)
      expect(await app.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    expect(await app.db.selectFrom("calendar_assignments").select("text").execute()).toEqual([{ text: null }]);
  });
});

/** Returns the parts of a response that are equal for every equal request. */
function comparable({ status, text, headers }: ClientResponse): unknown {
  const { date: _date, "x-ratelimit-remaining": _calls, ...others } = headers;
  return { status, text, headers: others };
}

test("before the day of a calendar door, other members cannot find out whether the door is filled", async () => {
  const questions: (() => Promise<ClientResponse>)[] = [
    () => carla.get(opened),
    () => carla.get(`${opened}?year=2026`),
    () => carla.get(`${opened}?year=2027`),
    () => carla.post(`/api/christmas-calendar/open/${day}`),
    () => fill({ text: "Von Carla" }, carla),
    () => carla.delete(`${own}/${day}`),
    () => change({ is_hidden: true }, carla),
    () => change({ text: "Von Carla" }, carla),
    () => restore(carla),
    () => carla.get("/api/christmas-calendar/notices"),
    () => carla.get("/api/admin/audit"),
    () => carla.get("/api/admin/calendar"),
  ];
  const ask = async () => {
    const answers: unknown[] = [];
    for (const question of questions) answers.push(comparable(await question()));
    const exported = (await carla.get("/api/user/export")).json;
    return [...answers, { ...exported, exported_at: null, devices: null }];
  };
  const page = await connectPage(app, carla);
  await subscribe(carla, page, "private-christmas-calendar");
  const empty = await ask();
  expect(JSON.stringify(empty)).not.toContain("Ben");

  await fill({ text: "Meine Oma", is_hidden: "1" });
  expect(await ask()).toEqual(empty);
  const { id } = await app.db.selectFrom("calendar_pictures").select("id").executeTakeFirstOrThrow();
  const unknown = comparable(await carla.get("/internal/images/calendar/xxxxxxxxxxxxxxxxxxxxxx"));
  for (const size of ["", "?size=phone"])
    expect(comparable(await carla.get(`/internal/images/calendar/${id}${size}`))).toEqual(unknown);
  const forbidden = comparable(await carla.get("/internal/images/calendar-preview/xxxxxxxxxxxxxxxxxxxxxx"));
  expect(comparable(await carla.get(`/internal/images/calendar-preview/${id}`))).toEqual(forbidden);
  await change({ is_hidden: false });
  await ben.delete(`${own}/${day}`);
  expect(await ask()).toEqual(empty);
  // Open pages receive no event about the door.
  expect((await page.flush()).filter(({ event }) => event.includes("doors-changed"))).toEqual([]);
});

test("the event that a member has opened a calendar door names neither the member nor the door", async () => {
  await fill();
  beginDay();
  const page = await connectPage(app, ben);
  await subscribe(ben, page, "private-christmas-calendar");
  await open(carla);
  expect((await page.next("open-doors-changed")).data).toEqual({});
  await open(carla);
  await change({ is_hidden: true }, carla);
  const heard = (await page.flush()).filter(({ event }) => event === "open-doors-changed");
  expect(heard).toHaveLength(1);
});
