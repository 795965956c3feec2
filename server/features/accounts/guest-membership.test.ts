import { beforeEach, expect, test } from "vitest";

import { guestTokenDays } from "#contract/guest-device.ts";
import { days, hours } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createFakePushService } from "#test/fake-push-service.ts";
import { listPushes } from "#test/pushes.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";

const token = "0123456789ABCDEF".repeat(4);
const headers = { "guest-token": token };
const badToken = { token: ["Anmelde-Token ist ungültig oder abgelaufen."] };

let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;
let phone: Client;
let start: number;
let party: number;

/** Anna (id 1) is the administrator; at Ben's party, the guest Mia has drunk two beers and undone one. */
beforeEach(async () => {
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  [anna, ben, carla] = [await app.createMember("anna"), await app.createMember("ben"), await app.createMember("carla")];
  await app.rememberSessions();
  start = app.clock.now();
  party = (await ben.post("/api/parties", { name: "Grillen" })).json.id;
  const { secret } = (await ben.post(`/api/parties/${party}/guest-link`)).json;
  phone = app.createClient();
  await phone.post("/api/guest", { name: "Mia", has_agreed: true, party, secret }, headers);
  app.clock.time += hours(1);
  for (const key of ["first-beer", "second-beer", "undone-beer"])
    await phone.post("/api/guest/beers", undefined, { ...headers, "idempotency-key": key });
  await phone.delete("/api/guest/beers/undone-beer", headers);
});

const ask = () => phone.post("/api/guest/request", { name: "Mia" }, headers);
const look = async () => (await phone.get("/api/guest", headers)).json;
const show = async (client: Client) => (await client.get(`/api/parties/${party}`)).json;
const answer = (client: Client, is_accepted: boolean, guest = 1) =>
  client.post(`/api/party-guests/${guest}/answer`, { is_accepted });

async function endParty(): Promise<void> {
  app.clock.time += hours(1);
  await ben.post(`/api/parties/${party}/end`);
}

const register = (uname = "mia", client = app.createClient()) =>
  client.post("/api/register", {
    token,
    uname,
    name: "Mia",
    email: `${uname}@stammtisch.example`,
    password,
    password_confirmation: password,
  });

test("with the starter's yes, a guest registers and takes the evening's beers along, which count once", async () => {
  await ben.post("/api/beercounter/counters");
  await endParty();
  expect((await ask()).status).toBe(204);
  expect((await show(ben)).asking_guests).toEqual([{ id: 1, name: "Mia", total: 2 }]);
  expect((await answer(ben, true)).status).toBe(200);
  expect(await look()).toMatchObject({ request: "accepted", total: 2 });
  expect((await phone.post("/api/invitation", { token })).json).toEqual({
    invitation: { by: "Ben", guest_name: "Mia" },
  });
  expect((await register()).status).toBe(201);

  const mia = app.createClient();
  await mia.post("/api/login", { uname: "mia", password });
  expect((await mia.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
  expect(await show(mia)).toMatchObject({
    total: 3,
    guest_total: 0,
    guest_count: 0,
    own_total: 2,
    is_member: true,
    asking_guests: [],
  });
  const { beers } = (await mia.get("/api/user/export")).json;
  expect(beers.map(({ at }: { at: string }) => Date.parse(at))).toEqual(Array(2).fill(start + hours(1)));
  expectRefusal(await phone.get("/api/guest", headers), 422, "Diesen Gast gibt es nicht mehr.");
  const { entries } = (await anna.get("/api/admin/audit")).json;
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(["invitation-used", "invitation-made"]);
});

test("a guest's registration cannot be replayed, not even at the same time", { tags: "postgres" }, async () => {
  await endParty();
  await ask();
  await answer(ben, true);
  const clients = [app.createClient(), app.createClient(), app.createClient()];
  for (const client of clients) await client.get("/sanctum/csrf-cookie");
  const answers = await Promise.all(clients.map((client, index) => register(`mia${index}`, client)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  expect((await register("again")).json.errors).toEqual(badToken);
  expect((await ben.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(2);
});

test("without the starter's yes, a guest token is no invitation", async () => {
  expect((await register()).json.errors).toEqual(badToken);
  await endParty();
  await ask();
  expect((await register()).json.errors).toEqual(badToken);
  expect((await answer(ben, false)).status).toBe(200);
  expect((await look()).request).toBe("declined");
  expect((await register()).json.errors).toEqual(badToken);
  expectRefusal(await ask(), 422, "Das geht erst nach der Party, und nur einmal.");
  expectRefusal(await answer(ben, true), 422, "Diesen Gast gibt es nicht mehr.");
  expect((await show(ben)).asking_guests).toEqual([]);
});

test("a guest asks only after the party, and only the starter and administrators see the request and answer it", async () => {
  expectRefusal(await ask(), 422, "Das geht erst nach der Party, und nur einmal.");
  expectRefusal(await answer(ben, true), 422, "Diesen Gast gibt es nicht mehr.");
  await endParty();
  await ask();
  expect((await ask()).status).toBe(204);
  expect((await show(carla)).asking_guests).toEqual([]);
  expectRefusal(await answer(carla, true), 403, "Diese Aktion ist nicht autorisiert.");
  expectRefusal(await answer(ben, true, 4711), 404, "Nicht gefunden.");
  expect((await show(anna)).asking_guests).toHaveLength(1);
  const counts = [anna, ben, carla].map(
    async (client) => (await client.get("/api/parties")).json.parties[0].asking_count,
  );
  expect(await Promise.all(counts)).toEqual([1, 1, 0]);
  const lines = () =>
    Promise.all([anna, ben, carla].map(async (client) => (await client.get("/api/running-parties")).json.asking));
  const asking = { party, name: "Mia" };
  expect(await lines()).toEqual([asking, asking, null]);
  expect((await answer(anna, true)).status).toBe(200);
  expect(await lines()).toEqual([null, null, null]);
  const { entries } = (await anna.get("/api/admin/audit")).json;
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(["party-guest-answered", "invitation-made"]);
});

test("a guest's invitation and request end two weeks after the party", async () => {
  await endParty();
  await ask();
  await answer(ben, true);
  app.clock.time += days(guestTokenDays) - 1;
  expect((await phone.post("/api/invitation", { token })).json.invitation).not.toBeNull();
  app.clock.time += 1;
  expect((await register()).json.errors).toEqual(badToken);
  expect((await phone.get("/api/guest", headers)).status).toBe(422);
});

test("a guest's request reaches the starter alone, on open pages and as a push after the party", async () => {
  const service = await createFakePushService();
  for (const [name, client] of Object.entries({ anna, ben }))
    await client.post("/api/push", { pushSubscription: service.subscription(name) });
  await endParty();
  const [bens, annas] = [await connectPage(app, ben), await connectPage(app, anna)];
  await ask();
  expect((await bens.next("guest-asked")).data).toEqual({ party, name: "Mia" });
  expect((await annas.next("updated")).event).toContain("updated");
  await expect
    .poll(() => listPushes(service))
    .toEqual([["ben", "Mia war bei „Grillen“ zu Gast und möchte Mitglied werden."]]);
  expect(service.received[0]!.payload).toMatchObject({ url: `/party/${party}`, tag: `party ${party} guest` });
});
