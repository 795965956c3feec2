import { beforeEach, describe, expect, test } from "vitest";

import { changeDisabled } from "#server/features/accounts/management-actions.ts";
import { minutes } from "#server/time.ts";
import { hangPicture, takeDoorBack } from "#test/calendar.ts";
import type { Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";

const swaps = "/api/christmas-calendar/swaps";
const own = "/api/christmas-calendar/own-doors";
const bens = "2026-12-07";
const carlas = "2026-12-12";

let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  carla = await app.createMember("carla");
  await app.rememberSessions();
  const doors = [
    { date: bens, user_id: 2 },
    { date: carlas, user_id: 3 },
    { date: "2026-12-20", user_id: 3 },
  ];
  await app.db.insertInto("calendar_assignments").values(doors).execute();
});

const offer = (date = bens, member_id = 3, client = ben) => client.post(swaps, { date, member_id });
const offersOf = async (client: Client) => (await client.get(own)).json.offers;
const ownOffersOf = async (client: Client) => (await client.get(own)).json.own_offers;
const datesOf = async (client: Client) => (await client.get(own)).json.doors.map(({ date }: { date: string }) => date);
async function openOffer(): Promise<number> {
  expect((await offer()).status).toBe(201);
  return (await offersOf(carla))[0].id;
}
const accept = (id: number, date = carlas, client = carla) => client.post(`${swaps}/${id}`, { date });
const fill = (client: Client, date: string) =>
  sendForm(client, multipartForm(fixtures.png, { field: "picture" }), {}, `${own}/${date}`);
const ended = "Dieses Angebot gibt es nicht mehr.";

describe("door swap", () => {
  test("two members swap calendar doors if one offers a door and the other gives one in return", async () => {
    const page = await connectPage(app, carla);
    const bensPage = await connectPage(app, ben);
    expect((await ben.get("/api/christmas-calendar/swap-partners")).json).toEqual([
      { id: 3, name: "Carla", avatarId: null },
    ]);
    expect((await offer()).json).toEqual({ message: "Carla ist gefragt." });
    expect((await page.next("own-doors-changed")).data).toEqual({
      message: "Ben möchte Türchen 7 mit einem von deinen tauschen.",
    });
    const [{ id, ...offered }] = await offersOf(carla);
    expect(offered).toEqual({ date: bens, by: { id: 2, name: "Ben", avatarId: null } });
    expect(await ownOffersOf(ben)).toEqual([{ id, date: bens, to: { id: 3, name: "Carla", avatarId: null } }]);
    expect((await anna.get(own)).text).not.toContain(bens);

    expect((await accept(id)).json).toEqual({
      message: "Ben tauscht mit dir: Du füllst jetzt Türchen 7 statt 12.",
    });
    await bensPage.next("own-doors-changed");
    expect((await bensPage.next("own-doors-changed")).data).toEqual({
      message: "Carla tauscht mit dir: Du füllst jetzt Türchen 12 statt 7.",
    });
    expect([await datesOf(ben), await datesOf(carla)]).toEqual([[carlas], [bens, "2026-12-20"]]);
    expect([await offersOf(carla), await ownOffersOf(ben)]).toEqual([[], []]);
    expectRefusal(await accept(id, "2026-12-20"), 409, ended);
  });

  test("a swap of calendar doors moves each picture together with its member", async () => {
    await fill(carla, carlas);
    const [{ picture }] = (await carla.get(own)).json.doors;
    await accept(await openOffer());
    expect((await carla.get(own)).json.doors[0]).toMatchObject({ date: bens, picture });
    expect((await ben.get(own)).json.doors).toMatchObject([{ date: carlas, picture: null }]);
    expect((await ben.get(picture)).status).toBe(404);
  });

  test(
    "a swap offer that is accepted twice at the same time swaps the calendar doors only once",
    { tags: "postgres" },
    async () => {
      const id = await openOffer();
      const answers = await Promise.all([accept(id), accept(id, "2026-12-20")]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await datesOf(ben)).toHaveLength(1);
      expect(await datesOf(carla)).toHaveLength(2);
    },
  );

  test("a swap offer can be declined by its recipient or withdrawn by its sender", async () => {
    const bensPage = await connectPage(app, ben);
    const id = await openOffer();
    expect((await carla.delete(`${swaps}/${id}`)).json).toEqual({ message: "Alles bleibt, wie es ist." });
    await bensPage.next("own-doors-changed");
    expect((await bensPage.next("own-doors-changed")).data).toEqual({
      message: "Carla möchte lieber nicht tauschen. Türchen 7 bleibt deins.",
    });
    const next = await openOffer();
    expectRefusal(await anna.delete(`${swaps}/${next}`), 409, ended);
    expect((await ben.delete(`${swaps}/${next}`)).json).toEqual({ message: "Das Angebot ist zurückgezogen." });
    expect(await offersOf(carla)).toEqual([]);
    expectRefusal(await accept(next), 409, ended);
  });
});

describe("swap offer", () => {
  test.each([
    ["another member's door", carlas, 3, "Das ist nicht dein Türchen."],
    ["a door whose day has begun", "2026-12-04", 3, "Zu spät: Der Tag deines Türchens hat begonnen."],
  ])("an offer to swap %s is refused", async (_, date, to, text) => {
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-04", user_id: 2 }).execute();
    expectRefusal(await offer(date, to), 403, text);
  });

  test.each([
    ["its sender", 2],
    ["a member without a door", 1],
    ["a nonexistent member", 99],
  ])("an offer to swap a calendar door with %s is refused with an error at the field", async (_, to) => {
    expectErrors(await offer(bens, to), { member_id: ["Der gewählte Wert für Mitglied ist ungültig."] });
  });

  test("offering a calendar door for a swap to another member ends the previous offer of that door", async () => {
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-24", user_id: 1 }).execute();
    const id = await openOffer();
    await offer(bens, 1);
    expect([await offersOf(carla), (await offersOf(anna)).length]).toEqual([[], 1]);
    expectRefusal(await accept(id), 409, ended);
  });

  test("only the recipient of a swap offer can accept the offer, and only with an own calendar door", async () => {
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-24", user_id: 1 }).execute();
    const id = await openOffer();
    expectRefusal(await accept(id, "2026-12-24", anna), 409, ended);
    expectRefusal(await accept(id, "2026-12-24"), 403, "Das ist nicht dein Türchen.");
    expectRefusal(await accept(id, bens, ben), 409, ended);
  });

  const hidden = { visibility: "hidden" };
  test.each<[string, () => Promise<unknown>]>([
    ["its door is filled", () => fill(ben, bens)],
    ["its door is taken back", () => takeDoorBack(anna, bens)],
    ["an administrator hangs a picture behind its door", () => hangPicture(anna, bens, fixtures.png, 2)],
    ["the day of its door begins", async () => void (app.clock.time = Date.parse("2026-12-06T23:00:00Z"))],
    ["its sender is disabled", () => changeDisabled(app.context, 2, null, true)],
    ["its sender hides", () => ben.post("/api/user/presence", hidden)],
    ["its recipient hides", () => carla.post("/api/user/presence", hidden)],
    [
      "its door is dealt again",
      async () => {
        await app.db.deleteFrom("calendar_assignments").where("date", "=", bens).execute();
        await app.db.insertInto("calendar_assignments").values({ date: bens, user_id: 2 }).execute();
      },
    ],
  ])("a swap offer ends when %s", async (_, change) => {
    const id = await openOffer();
    await change();
    expect(await offersOf(carla)).toEqual([]);
    expectRefusal(await accept(id), 409, ended);
  });

  test("a swap offer ends for its sender when the recipient is disabled", async () => {
    await openOffer();
    await changeDisabled(app.context, 3, null, true);
    expect(await ownOffersOf(ben)).toEqual([]);
    expect((await offer()).status).toBe(422);
  });

  test("a hidden member can neither make nor receive a swap offer", async () => {
    await carla.post("/api/user/presence", hidden);
    expect((await ben.get("/api/christmas-calendar/swap-partners")).json).toEqual([]);
    expect((await offer()).status).toBe(422);
    await carla.post("/api/user/presence", { visibility: "quiet" });
    await ben.post("/api/user/presence", hidden);
    expectRefusal(await offer(), 422, "Du bist unsichtbar. Ändere das unter „Mein Deckel“, bevor du tauschst.");
  });

  test("a member can make at most twenty swap offers a day", async () => {
    app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
    ben = await app.createMember("ben");
    await app.createUser("carla");
    const doors = [bens, carlas].map((date, index) => ({ date, user_id: index + 1 }));
    await app.db.insertInto("calendar_assignments").values(doors).execute();
    const answers = [];
    for (let count = 0; count < 21; count += 1) {
      answers.push((await offer(bens, 2)).status);
      app.clock.time += minutes(1);
    }
    expect(answers).toEqual([...Array<number>(20).fill(201), 429]);
  });

  test("both members' exports contain the swap offer without the other member's name", async () => {
    await openOffer();
    expect((await ben.get("/api/user/export")).json.calendar_swaps).toEqual([{ date: bens, own: true }]);
    expect((await carla.get("/api/user/export")).json.calendar_swaps).toEqual([{ date: bens, own: false }]);
  });
});
