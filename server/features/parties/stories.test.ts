import { beforeEach, expect, test } from "vitest";

import { days, hours, minutes, toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { lastRoundNumber } from "./rules.ts";
import { tellEnds } from "./story-actions.ts";

let app: TestApp;
let service: FakePushService;
let ben: Client;
let carla: Client;
let david: Client;
let party: number;

/** Ben starts a party, Carla joins it, and David does not. */
beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  [ben, carla, david] = [
    await app.createMember("ben"),
    await app.createMember("carla"),
    await app.createMember("david"),
  ];
  await app.rememberSessions();
  party = (await ben.post("/api/parties", { name: "Grillen" })).json.id;
  await carla.post(`/api/parties/${party}/members`);
});

const drink = (client: Client) => client.post("/api/beercounter/counters");
const end = () => ben.post(`/api/parties/${party}/end`);
const storyOf = async (client: Client) => (await client.get("/api/running-parties")).json.story;

async function subscribe(): Promise<void> {
  for (const [uname, client] of Object.entries({ ben, carla, david }))
    await client.post("/api/push", { pushSubscription: service.subscription(uname) });
}

test("the counter opens the story of a party once for each member who was there", { tags: "postgres" }, async () => {
  await drink(ben);
  expect(await storyOf(ben)).toBeNull();
  app.clock.time += 1;
  await end();
  expect([await storyOf(ben), await storyOf(carla), await storyOf(david)]).toEqual([party, party, null]);
  expect((await ben.post(`/api/parties/${party}/story`)).status).toBe(204);
  expect((await ben.post(`/api/parties/${party}/story`)).status).toBe(204);
  expect((await david.post(`/api/parties/${party}/story`)).status).toBe(404);
  expect([await storyOf(ben), await storyOf(carla)]).toEqual([null, party]);
});

test("the counter opens no story of a party without beers, of an old party, or during another party", async () => {
  await end();
  expect(await storyOf(ben)).toBeNull();
  party = (await ben.post("/api/parties", { name: "Kegeln" })).json.id;
  await drink(ben);
  app.clock.time += hours(1);
  await end();
  expect(await storyOf(ben)).toBe(party);
  const next = (await ben.post("/api/parties", { name: "Balkon" })).json.id;
  expect(await storyOf(ben)).toBeNull();
  await ben.post(`/api/parties/${next}/home`);
  expect(await storyOf(ben)).toBe(party);
  app.clock.time += days(3);
  expect(await storyOf(ben)).toBeNull();
});

const told = "„Grillen“ ist vorbei. So war euer Abend.";

test("a party's end is told to those who were there, except who ended it, and its push opens the party", async () => {
  await subscribe();
  const page = await connectPage(app, carla);
  await end();
  expect((await page.next("party-told")).data).toEqual({ id: party, name: "Grillen", news: "ended" });
  await expect.poll(() => listPushes(service)).toEqual([["carla", told]]);
  expect(service.received[0]!.payload).toMatchObject({ tag: `party ${party} ended`, url: `/party/${party}` });
  await tellEnds(app.context);
  await expectPushes(service, ben, [["carla", told]]);
});

test("the end of a party at noon is told once by several instances", { tags: "postgres" }, async () => {
  await subscribe();
  const other = await app.reopen();
  app.clock.time = Date.parse("2026-11-21T10:59:59Z");
  await tellEnds(app.context);
  app.clock.time = Date.parse("2026-11-21T11:00:00Z");
  await Promise.all([tellEnds(app.context), tellEnds(other.context)]);
  await expect
    .poll(() => listPushes(service).toSorted())
    .toEqual([
      ["ben", told],
      ["carla", told],
    ]);
  await expectPushes(service, david, listPushes(service) as [string, string][]);
});

test("the end of a party is not told by a server that starts more than half a day later", async () => {
  await subscribe();
  app.clock.time = Date.parse("2026-11-21T23:30:00Z");
  await tellEnds(app.context);
  await expectPushes(service, ben, []);
});

test(
  "the recap names the member with the last round beer, counting the guests' beers",
  { tags: "postgres" },
  async () => {
    const guest = (await ben.post(`/api/parties/${party}/guests`, { name: "Mia", has_agreed: true })).json.id;
    const start = app.clock.time;
    for (let beer = 1; beer <= 9; beer++) {
      app.clock.time = start + minutes(beer);
      await ben.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": `guest-beer-${beer}` });
    }
    app.clock.time = start + minutes(10);
    await drink(carla);
    app.clock.time = start + minutes(11);
    await drink(ben);
    app.clock.time += 1;
    await end();
    const round = async () => (await david.get(`/api/parties/${party}`)).json.recap.round;
    expect(await round()).toEqual({ count: 10, at: toIso(start + minutes(10)), name: "Carla" });
    await carla.post("/api/user/presence", { visibility: "quiet" });
    expect((await round()).name).toBeNull();
  },
);

test.each([
  [9, null],
  [10, 10],
  [49, 25],
  [5000, 1000],
])("the last round number of a party with %i beers is %s", (total, round) => {
  expect(lastRoundNumber(total)).toBe(round);
});
