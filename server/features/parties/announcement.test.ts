import { beforeEach, expect, test } from "vitest";

import { notifiedPage } from "#contract/notifications.ts";
import { createPrepareDelivery } from "#server/features/notifications/actions.ts";
import { minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let service: FakePushService;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost", GROUP_NAME: "Kegelclub" });
  [anna, ben] = [await listener("anna"), await listener("ben")];
});

/** Creates a member whose browser is subscribed to pushes. */
async function listener(uname: string): Promise<Client> {
  const client = await app.createMember(uname);
  await client.post("/api/push", { pushSubscription: service.subscription(uname) });
  return client;
}

const startParty = async (client: Client, name = "Grillen"): Promise<number> =>
  (await client.post("/api/parties", { name })).json.id;
const told = () => listPushes(service);

test("the start of a party is pushed once to all members except its creator, and a tap on it opens the party", async () => {
  const id = await startParty(ben);
  await expect.poll(told).toEqual([["anna", "Ben startet die Party „Grillen“."]]);
  expect(service.received[0]!.payload).toEqual({
    title: "Kegelclub Partys",
    body: "Ben startet die Party „Grillen“.",
    tag: `party ${id}`,
    url: `/party/${id}`,
    silent: true,
  });
  app.clock.time += minutes(40);
  await ben.post(`/api/parties/${id}`, { name: "Garten" });
  await ben.delete(`/api/parties/${id}/members`);
  await ben.post(`/api/parties/${id}/members`);
  await ben.post(`/api/parties/${id}/end`);
  await expectPushes(service, ben, [["anna", "Ben startet die Party „Grillen“."]]);
});

test("the push about a new party does not name a hidden creator and follows the recipients' settings", async () => {
  const quiet = { beers: false, game_servers: true, sound: true, quiet_hours: { from: "20:00", until: "08:00" } };
  const settings = { ...quiet, quiet_hours: null };
  const [david, emil] = [await listener("david"), await listener("emil")];
  await ben.post("/api/user/presence", { visibility: "hidden" });
  await david.post("/api/push/settings", { ...settings, party: false });
  // Older versions of the web app save the settings without `party`.
  await david.post("/api/push/settings", settings);
  await emil.post("/api/push/settings", quiet);
  await startParty(ben);
  const announced = [["anna", "Die Party „Grillen“ beginnt."]] as const;
  await expect.poll(told).toEqual(announced);
  await expectPushes(service, ben, announced);
  expect((await david.get("/api/user/export")).json.notifications.party).toBe(false);
});

test.each([
  ["/party/7", "may"],
  ["/party?id=7", "may"],
  ["/party/0", "may not"],
  ["/party/7/guests", "may not"],
  ["/profile", "may not"],
  ["//evil.example", "may not"],
])("the address %s: a tap on a notification %s open it", (url, may) => {
  expect(notifiedPage.safeParse(url).success).toBe(may === "may");
});

test("a retried push about a new party is sent neither to its members nor after its end", async () => {
  const id = await startParty(ben);
  const prepareDelivery = createPrepareDelivery(app.db, app.config, app.clock);
  const subscriptions = await app.db.selectFrom("push_subscriptions").select("id").orderBy("id").execute();
  const payload = JSON.stringify({ title: "", body: "", tag: `party ${id}`, url: `/party/${id}` });
  const isSent = async (index: number) => {
    const job = {
      subscriptionId: subscriptions[index]!.id,
      payload,
      permission: null,
      topic: "",
      tag: null,
      expiresAt: app.clock.now() + 1000,
    };
    return (await prepareDelivery(job)) !== undefined;
  };
  expect([await isSent(0), await isSent(1)]).toEqual([true, false]);
  await anna.post(`/api/parties/${id}/members`);
  await anna.post(`/api/parties/${id}/home`);
  expect(await isSent(0)).toBe(false);
  await anna.delete(`/api/parties/${id}/members`);
  expect(await isSent(0)).toBe(true);
  await ben.post(`/api/parties/${id}/end`);
  expect(await isSent(0)).toBe(false);
});
