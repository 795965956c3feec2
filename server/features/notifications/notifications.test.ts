import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import type { Notification } from "#server/platform/notification.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import type { Client } from "#test/client.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { expectPushes, listPushes } from "#test/pushes.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let service: FakePushService;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
});

/** Creates a member whose browser is subscribed to pushes. */
async function listener(uname: string, browser = uname): Promise<Client> {
  const client = await app.createMember(uname);
  await listen(client, browser);
  return client;
}

const listen = (client: Client, browser: string) =>
  client.post("/api/push", { pushSubscription: service.subscription(browser) });

const notify = (...notifications: readonly Notification[]) =>
  inTransaction(app.db, (tx) => app.context.say(tx, null).push(...notifications));

async function callsAre(browsers: readonly string[]): Promise<void> {
  await expect.poll(() => service.calls.toSorted()).toEqual(browsers.toSorted());
}

test(
  "a notification whose transaction is rolled back is never pushed, and does not throttle the next one",
  { tags: "postgres" },
  async () => {
    const ben = await listener("ben");
    const news = { kind: "game_servers", senderId: null, body: "Krypta wurde gestartet." } as const;
    const failing = inTransaction(app.db, async (tx) => {
      await app.context.say(tx, null).push(news);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await expectPushes(service, ben, []);
    await notify(news);
    await expectPushes(service, ben, [["ben", news.body]]);
  },
);

test("a notification is pushed after the commit of its transaction, even if this server dies before it sends the push", async () => {
  await listener("ben");
  await app.context.outbox.close();
  await notify({ kind: "game_servers", senderId: null, body: "Krypta wurde gestartet." });
  expect(service.calls).toEqual([]);
  await app.reopen();
  await callsAre(["ben"]);
});

test("of several notifications of a transaction, only the first of each kind and sender is pushed", async () => {
  const anna = await app.createUser("anna");
  await listener("ben");
  const beer = { kind: "beers", senderId: anna } as const;
  await notify(
    { ...beer, body: "Prost von Anna!" },
    { ...beer, body: "Noch ein Prost von Anna!" },
    { kind: "game_servers", senderId: null, body: "Krypta wurde gestartet." },
  );
  await expect.poll(() => countWaiting(app.db, "push")).toBe(0);
  const texts = listPushes(service).map(([, body]) => body);
  expect(texts.toSorted()).toEqual(["Krypta wurde gestartet.", "Prost von Anna!"]);
});

describe("notifications to one member", () => {
  const toBen = { kind: "calendar", senderId: null, about: "2026-12-05", body: "Türchen 5 ist leer." } as const;

  test("a notification to one member is pushed only to this member's browsers, and is not throttled", async () => {
    await listener("anna");
    const ben = await listener("ben", "ben's phone");
    await listen(ben, "ben's laptop");
    const { id } = (await ben.get("/api/checkLoginStatus")).json.user;
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-05", user_id: id }).execute();
    for (const count of [1, 2]) {
      await notify({ ...toBen, to: id });
      const browsers = ["ben's laptop", "ben's phone"].flatMap((browser) =>
        Array.from({ length: count }, () => browser),
      );
      await callsAre(browsers);
    }
  });

  test("a notification to one member is claimed only if a browser may receive it now, and not pushed if its claim fails", async () => {
    const ben = await listener("ben");
    const { id } = (await ben.get("/api/checkLoginStatus")).json.user;
    const anna = await app.createUser("anna");
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-05", user_id: id }).execute();
    const claims: string[] = [];
    const claim = (to: string, isClaimed: boolean) => async () => {
      claims.push(to);
      return isClaimed;
    };
    await notify({ ...toBen, to: anna, claim: claim("anna", true) });
    await notify({ ...toBen, to: id, claim: claim("ben", false) });
    expect(claims).toEqual(["ben"]);
    await expectPushes(service, ben, []);
    await notify({ ...toBen, to: id, claim: claim("ben", true) });
    await expectPushes(service, ben, [["ben", toBen.body]]);
  });
});
