import { beforeEach, describe, expect, test } from "vitest";

import { days, hours, minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { fixtures } from "#test/fixtures.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { askForPhotos } from "./photo-actions.ts";

let app: TestApp;
let service: FakePushService;
let anna: Client;
let ben: Client;
let carla: Client;
let david: Client;
let party: number;

/** Anna administers; Ben starts a party, Carla joins it, and David does not. */
beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  [carla, david] = [await app.createMember("carla"), await app.createMember("david")];
  await app.rememberSessions();
  party = (await ben.post("/api/parties", { name: "Grillen" })).json.id;
  await carla.post(`/api/parties/${party}/members`);
});

const putUp = (client: Client, file: Buffer = fixtures.png) =>
  sendForm(client, multipartForm(file, { field: "picture" }), {}, `/api/parties/${party}/photo`);
const show = async (client: Client) => (await client.get(`/api/parties/${party}`)).json;
const photosOf = async (client: Client) => (await show(client)).photos;
const addressOf = ({ id }: { id: string }) => `/internal/images/party/${id}`;

describe("photos of the table", () => {
  test(
    "a photo is seen only by those who are or were at the party, who put it up until a day after the end",
    { tags: "postgres" },
    async () => {
      expect(await putUp(ben)).toMatchObject({
        status: 201,
        json: { message: "Dein Foto hängt. Es sieht nur, wer dabei war." },
      });
      const [photo] = await photosOf(carla);
      expect(photo).toEqual({
        id: expect.stringMatching(/^[\w-]{22}$/),
        by: "Ben",
        is_own: false,
        is_in_review: false,
      });
      expect((await photosOf(ben))[0].is_own).toBe(true);
      expect(await carla.get(addressOf(photo))).toMatchObject({
        status: 200,
        headers: { "content-type": "image/webp" },
      });
      expect((await carla.get(`${addressOf(photo)}?size=phone`)).status).toBe(200);

      for (const stranger of [anna, david]) {
        expect(await photosOf(stranger)).toEqual([]);
        expect((await stranger.get(addressOf(photo))).status).toBe(404);
      }
      expect((await app.createClient().get(addressOf(photo))).status).toBe(401);
      expect((await putUp(david)).status).toBe(403);

      await carla.post(`/api/parties/${party}/home`);
      expect(await photosOf(carla)).toHaveLength(1);
      await ben.post(`/api/parties/${party}/end`);
      expect(await photosOf(carla)).toHaveLength(1);
      app.clock.time += days(1) - 1;
      expect((await putUp(carla)).status).toBe(201);
      expect((await show(carla)).can_add_photo).toBe(true);
      app.clock.time += 1;
      expect((await putUp(carla)).status).toBe(403);
      expect(await show(carla)).toMatchObject({ can_add_photo: false, photos: [{ by: "Ben" }, { by: "Carla" }] });
    },
  );

  test("a member has one photo per party, which a new one replaces, and takes down only that one", async () => {
    await putUp(ben);
    await putUp(carla);
    const first = (await photosOf(ben)).find(({ is_own }: { is_own: boolean }) => is_own);
    await putUp(ben);
    const photos = await photosOf(ben);
    expect(photos).toHaveLength(2);
    expect((await ben.get(addressOf(first))).status).toBe(404);
    expect((await ben.delete(`/api/parties/${party}/photo`)).json.message).toBe("Dein Foto ist weg.");
    expect((await photosOf(ben)).map(({ by }: { by: string }) => by)).toEqual(["Carla"]);
    expect((await ben.delete(`/api/parties/${party}/photo`)).status).toBe(404);
  });

  test("photos disappear with their party, with the account, and if their member was not there after all", async () => {
    const count = async () => (await app.db.selectFrom("party_photos").select("id").execute()).length;
    await putUp(ben);
    await putUp(carla);
    await carla.delete(`/api/parties/${party}/members`);
    expect(await count()).toBe(1);
    await carla.post(`/api/parties/${party}/members`);
    await putUp(carla);
    await carla.post("/api/user/delete", { uname: "carla", password: "Zapfhahn-im-Keller-3", beers: "keep" });
    expect(await count()).toBe(1);
    await ben.post(`/api/parties/${party}/end`);
    await ben.delete(`/api/parties/${party}`);
    expect(await count()).toBe(0);
  });

  test("a photo does not name a quiet member to others, and no other file passes as a photo", async () => {
    await putUp(ben);
    await ben.post("/api/user/presence", { visibility: "quiet" });
    expect((await photosOf(carla))[0].by).toBeNull();
    expect((await photosOf(ben))[0].by).toBe("Ben");
    expect(await putUp(carla, Buffer.from("<svg onload=alert(1)>"))).toMatchObject({
      status: 422,
      json: { errors: { picture: ["Foto muss den Dateityp jpg, jpeg, png haben."] } },
    });
  });

  test("only the managers of a party switch its photos off, and then no member puts up another", async () => {
    await putUp(carla);
    const switchTo = (client: Client, is_on: boolean) => client.post(`/api/parties/${party}/photos`, { is_on });
    expect((await switchTo(carla, false)).status).toBe(403);
    expect((await switchTo(ben, false)).status).toBe(200);
    expect(await show(carla)).toMatchObject({ is_photo_on: false, photos: [{ by: "Carla" }] });
    expect((await putUp(ben)).status).toBe(403);
    expect((await switchTo(anna, true)).status).toBe(200);
    expect((await putUp(ben)).status).toBe(201);
  });

  test("a member shows the own photo of a party in the own year review only", async () => {
    await putUp(ben);
    await ben.post("/api/beercounter/counters");
    app.clock.time = Date.parse("2026-12-01T12:00:00Z");
    const review = async (client: Client) => (await client.get("/api/beercounter/years/2026")).json.photos;
    expect(await review(ben)).toEqual([]);
    const choose = (client: Client, is_in_review: boolean) =>
      client.post(`/api/parties/${party}/photo/review`, { is_in_review });
    expect((await choose(carla, true)).status).toBe(404);
    expect((await choose(ben, true)).status).toBe(200);
    const [photo] = await photosOf(ben);
    expect(photo.is_in_review).toBe(true);
    expect(await review(ben)).toEqual([{ id: photo.id, party: "Grillen" }]);
    expect(await review(carla)).toEqual([]);
    await choose(ben, false);
    expect(await review(ben)).toEqual([]);
  });
});

describe("the call for photos", () => {
  const call = "Jetzt ein Foto vom Tisch, zwei Minuten.";

  beforeEach(async () => {
    for (const [uname, client] of Object.entries({ ben, carla, david }))
      await client.post("/api/push", { pushSubscription: service.subscription(uname) });
    await ben.post("/api/push/settings", { beers: false, game_servers: true, sound: true, quiet_hours: null });
    await carla.post("/api/push/settings", { beers: false, game_servers: true, sound: true, quiet_hours: null });
    await david.post("/api/push/settings", { beers: false, game_servers: true, sound: true, quiet_hours: null });
    app.clock.time += hours(2);
  });

  async function drink(client: Client, count: number): Promise<void> {
    for (let beer = 0; beer < count; beer++) await client.post("/api/beercounter/counters");
  }

  test(
    "in the busiest hour, those who are there are asked once for a photo, by push and on open pages",
    { tags: "postgres" },
    async () => {
      const page = await connectPage(app, carla);
      await drink(ben, 4);
      const other = await app.reopen();
      await Promise.all([askForPhotos(app.context), askForPhotos(other.context)]);
      expect((await page.next("party-told")).data).toEqual({ id: party, name: "Grillen", news: "photo" });
      const sent = () =>
        listPushes(service)
          .filter(([, body]) => body === call)
          .map(([browser]) => browser);
      await expect.poll(async () => sent().toSorted()).toEqual(["ben", "carla"]);
      expect(service.received.find(({ payload }) => payload["body"] === call)!.payload["url"]).toBe(`/party/${party}`);
      expect((await show(carla)).is_photo_time).toBe(true);
      expect((await show(david)).is_photo_time).toBe(false);
      app.clock.time += minutes(10);
      expect((await show(carla)).is_photo_time).toBe(false);
      await drink(carla, 9);
      await askForPhotos(app.context);
      await expectPushes(service, ben, listPushes(service) as [string, string][]);
      expect(sent()).toHaveLength(2);
    },
  );

  test("members who have gone home are not asked for a photo, nor is anybody at a party without photos", async () => {
    await drink(ben, 4);
    await ben.post(`/api/parties/${party}/photos`, { is_on: false });
    await askForPhotos(app.context);
    await ben.post(`/api/parties/${party}/photos`, { is_on: true });
    await carla.post(`/api/parties/${party}/home`);
    await askForPhotos(app.context);
    await david.post(`/api/parties/${party}/members`);
    await askForPhotos(app.context);
    await expect
      .poll(() =>
        listPushes(service)
          .map(([browser, body]) => body === call && browser)
          .filter(Boolean)
          .toSorted(),
      )
      .toEqual(["ben", "david"]);
  });
});
