import { createHmac } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import { features } from "#server/features.ts";
import { createOutbox } from "#server/platform/outbox/outbox.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import { createWebhookSender, summarizeBeers } from "./actions.ts";

const minute = 60_000;
const hour = 60 * minute;

let app: TestApp;
let admin: Client;
let anna: Client;
let receiver: WebhookReceiver;

beforeEach(async () => {
  app = await createTestApp({ WEBHOOK_ALLOW_PRIVATE: "1", GROUP_NAME: "Stammtisch" });
  admin = await app.createMember("carla", ["admin"]);
  anna = await app.createMember("anna");
  receiver = await createWebhookReceiver();
});

async function addWebhook(options: object = {}): Promise<{ id: number; secret: string | null }> {
  const body = { name: "Chat", format: "json", token: "", url: receiver.url, events: ["party"], ...options };
  const { status, json } = await admin.post("/api/admin/webhooks", body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

const sendDue = () => app.context.outbox.sendDue("webhook");
const messages = () => app.db.selectFrom("outbox").selectAll().where("kind", "=", "webhook").execute();
const list = async () => (await admin.get("/api/admin/webhooks")).json;
const startParty = async (client = anna, name = "Silvester") => {
  expect((await client.post("/api/parties", { name })).status).toBe(201);
};

/** Waits until a message is queued, and sends it. */
async function deliver(): Promise<void> {
  await expect.poll(() => countWaiting(app.db, "webhook")).not.toBe(0);
  await sendDue();
}

describe("a webhook for programs", () => {
  test("a webhook sends the start of a party as signed JSON (Standard Webhooks), and the list shows the delivery", async () => {
    const { secret } = await addWebhook();
    await startParty();
    await deliver();
    const [{ method, path, headers, body } = receiver.received[0]!] = receiver.received;
    expect([method, path, headers["content-type"]]).toEqual(["POST", "/hook", "application/json"]);
    expect(JSON.parse(body)).toEqual({
      event: "party",
      text: "Anna startet die Party „Silvester“.",
      at: new Date(app.clock.time).toISOString(),
      data: { change: "started", name: "Silvester", member: "Anna" },
    });
    const key = Buffer.from(secret!.slice("whsec_".length), "base64");
    const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(headers["webhook-timestamp"]).toBe(String(app.clock.time / 1000));
    const [webhook] = await list();
    expect(webhook.deliveries).toMatchObject([{ state: "delivered", attempts: 1, answer: "Angekommen (204)." }]);
  });

  test("a webhook receives only the kinds of events that the administrator chose for it", async () => {
    await addWebhook({ events: ["milestone"] });
    await addWebhook({ events: ["party"] });
    await startParty();
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test("a webhook message is retried after a 503 under the same id, with growing delays", async () => {
    await addWebhook();
    receiver.responses.push(503, 503);
    await startParty();
    await deliver();
    expect((await list())[0].deliveries).toMatchObject([{ state: "waiting", attempts: 1 }]);
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    app.clock.time += 30_000;
    await sendDue();
    app.clock.time += 30_000;
    await sendDue();
    expect(receiver.received).toHaveLength(2);
    app.clock.time += 2 * minute;
    await sendDue();
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect((await list())[0].deliveries).toMatchObject([{ state: "delivered", attempts: 3 }]);
  });

  test.each([
    [400, "Der Empfänger hat mit 400 geantwortet."],
    [302, "Der Empfänger leitet weiter (302). Trag seine endgültige Adresse ein."],
  ])(
    "a webhook message that is answered with %i is dropped without a retry and without following a redirect",
    async (status, answer) => {
      await addWebhook();
      receiver.responses.push((_, response) => void response.writeHead(status, { location: "/elsewhere" }).end());
      await startParty();
      await deliver();
      expect((await list())[0].deliveries).toMatchObject([{ state: "dropped", attempts: 1, answer }]);
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    },
  );

  test("a webhook message that was not delivered within a day is dropped", async () => {
    await addWebhook();
    receiver.responses.push(503);
    await startParty();
    await deliver();
    app.clock.time += 24 * hour;
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(await messages()).toMatchObject([{ state: "dropped", attempts: 1 }]);
  });

  test(
    "two servers that send webhook messages at the same time deliver each message once",
    { tags: "postgres" },
    async () => {
      await addWebhook();
      await startParty();
      await expect.poll(messages).toHaveLength(1);
      const other = createOutbox({ ...app.context, senders: [createWebhookSender(app.context)] });
      endWithTest(other.close);
      await Promise.all([sendDue(), other.sendDue("webhook")]);
      expect(receiver.received).toHaveLength(1);
    },
  );

  test("a webhook receiver with an expired certificate gets no message", async () => {
    const expired = await createWebhookReceiver("expired");
    await addWebhook({ url: expired.url });
    await startParty();
    await deliver();
    expect((await list())[0].deliveries).toMatchObject([
      { state: "waiting", answer: "Das Zertifikat des Empfängers ist ungültig." },
    ]);
    expect(expired.received).toEqual([]);
  });

  test("a webhook receiver that closes the connection without an answer counts as unreachable, and its message is retried", async () => {
    await addWebhook();
    receiver.responses.push((request) => void request.socket.destroy());
    await startParty();
    await deliver();
    expect((await list())[0].deliveries).toMatchObject([
      { state: "waiting", answer: "Der Empfänger ist nicht erreichbar." },
    ]);
  });
});

describe("repeated failures", () => {
  test("a webhook whose last ten messages failed is paused if the first failure is over an hour old, until an admin resumes it", async () => {
    const { id } = await addWebhook();
    receiver.responses.push(...Array.from({ length: 10 }, () => 404));
    for (let party = 0; party < 9; party++) {
      await startParty(anna, `Party ${party}`);
      await deliver();
      await app.db.updateTable("parties").set({ ends_at: app.clock.time }).execute();
      app.clock.time += 1;
    }
    expect((await list())[0].paused_at).toBeNull();
    app.clock.time += hour;
    await startParty(anna, "Die zehnte");
    await deliver();
    expect((await list())[0].paused_at).toBe(new Date(app.clock.time).toISOString());

    await app.context.say(app.db, null).webhook({ event: "party", change: "ended", name: "Silvester", userId: null });
    expect(await countWaiting(app.db, "webhook")).toBe(0);
    await sendDue();
    expect(receiver.received).toHaveLength(10);
    expect((await admin.post(`/api/admin/webhooks/${id}/resume`)).status).toBe(200);
    await startParty(anna, "Danach");
    await deliver();
    expect(receiver.received).toHaveLength(11);
  });

  test("a delivered message resets a webhook's count of failures", async () => {
    await addWebhook();
    receiver.responses.push(404, 204);
    await startParty(anna, "Eins");
    await deliver();
    await startParty(anna, "Zwei");
    await deliver();
    const [row] = await app.db.selectFrom("webhooks").select(["failures", "failing_since"]).execute();
    expect(row).toEqual({ failures: 0, failing_since: null });
  });
});

describe("members who do not want to appear", () => {
  test.each(["quiet", "hidden"] as const)(
    "a webhook message about a party omits the name of the member who started it, even if the member became %s only later",
    async (visibility) => {
      await addWebhook();
      await startParty();
      await expect.poll(messages).toHaveLength(1);
      await app.db.updateTable("users").set({ visibility }).where("uname", "=", "anna").execute();
      await sendDue();
      expect(JSON.parse(receiver.received[0]!.body).text).toBe("Die Party „Silvester“ beginnt.");
      expect(receiver.received[0]!.body).not.toContain("Anna");
    },
  );

  test("the webhook queue and the log contain no names of members", async () => {
    await addWebhook();
    await startParty();
    await deliver();
    expect(JSON.stringify([await messages(), app.logLines])).not.toContain("Anna");
  });
});

describe("the summary of beers", () => {
  const drink = (client: Client, headers = {}) => client.post("/api/beercounter/counters", undefined, headers);

  test("a webhook gets a summary of beers that can no longer be undone, without the beers of quiet members", async () => {
    await addWebhook({ events: ["beers"] });
    const ben = await app.createMember("ben");
    const emil = await app.createMember("emil");
    await app.db.updateTable("users").set({ visibility: "quiet" }).where("uname", "=", "emil").execute();
    for (const client of [anna, ben, anna, emil]) expect((await drink(client)).status).toBe(200);
    expect((await drink(ben, { "idempotency-key": "undone-0001" })).status).toBe(200);
    app.clock.time += 10 * minute;
    await ben.delete("/api/beercounter/taps/undone-0001");
    await summarizeBeers(app.context);
    app.clock.time += 6 * minute;
    await summarizeBeers(app.context);
    await deliver();
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      event: "beers",
      text: "Prost! Anna 2, Ben 1. Zusammen sind es jetzt 4.",
      data: {
        beers: [
          { member: "Anna", count: 2 },
          { member: "Ben", count: 1 },
        ],
        total: 4,
      },
    });
    app.clock.time += 20 * minute;
    await summarizeBeers(app.context);
    await sendDue();
    expect(receiver.received).toHaveLength(1);
  });

  test("a webhook's summary leaves out late beers, and beers booked before the webhook was added", async () => {
    await drink(anna);
    await addWebhook({ events: ["beers"] });
    await drink(anna, { "idempotency-key": "late-00001", "tap-age": String(20 * minute) });
    app.clock.time += 20 * minute;
    await summarizeBeers(app.context);
    expect(await messages()).toEqual([]);
  });
});

describe("other events", () => {
  test("webhooks get the milestones, and the first opening of each calendar door", async () => {
    await addWebhook({ events: ["milestone", "calendar-door"] });
    const say = app.context.say(app.db, null);
    await say.webhook({ event: "milestone", kind: "group", count: 1, userId: 2 });
    await say.webhook({ event: "calendar-door", date: "2026-12-03", userId: 2 });
    await say.webhook({ event: "milestone", kind: "group", count: 400, userId: null });
    await say.webhook({ event: "milestone", kind: "member", count: 50, userId: 999 });
    await sendDue();
    expect(receiver.received.map(({ body }) => JSON.parse(body).text).toSorted()).toEqual([
      "Das 400. Bier der Gruppe!",
      "Das erste Bier der Gruppe, von Anna!",
      "Türchen 3 ist offen. Anna war zuerst da.",
    ]);
  });
});

describe("administration", () => {
  test.each([
    ["http without WEBHOOK_ALLOW_PRIVATE", "http://chat.example/hook"],
    ["a user name in the URL", "https://anna@chat.example/hook"],
    ["another protocol", "ftp://chat.example/hook"],
    ["no URL", "chat.example"],
  ])("a webhook with %s is refused with an error at the URL field", async (_, url) => {
    const strict = await createTestApp();
    const carla = await strict.createMember("carla", ["admin"]);
    const body = { name: "Chat", format: "json", token: "", url, events: ["party"] };
    const { status, json } = await carla.post("/api/admin/webhooks", body);
    expect([status, Object.keys(json.errors)]).toEqual([422, ["url"]]);
  });

  test("webhooks do not connect to private addresses unless WEBHOOK_ALLOW_PRIVATE is set", async () => {
    const strict = await createTestApp();
    const carla = await strict.createMember("carla", ["admin"]);
    const url = receiver.url.replace("http:", "https:");
    const body = { name: "Chat", format: "json", token: "", url, events: ["party"] };
    const { id } = (await carla.post("/api/admin/webhooks", body)).json;
    expect((await carla.post(`/api/admin/webhooks/${id}/test`)).json).toEqual({
      is_delivered: false,
      message: "Die Adresse liegt in einem privaten Netz. Das erlaubt nur WEBHOOK_ALLOW_PRIVATE.",
    });
    expect(receiver.received).toEqual([]);
  });

  test("a webhook without events is refused, and so is a webhook for Gotify without a token", async () => {
    const body = { name: "Chat", format: "gotify", token: "", url: receiver.url, events: [] };
    expect(Object.keys((await admin.post("/api/admin/webhooks", body)).json.errors)).toEqual(["events"]);
    const withEvent = { ...body, events: ["party"] };
    expect(Object.keys((await admin.post("/api/admin/webhooks", withEvent)).json.errors)).toEqual(["token"]);
  });

  test("the list of webhooks shows each receiver's host, but neither its URL path nor the secret", async () => {
    const { secret } = await addWebhook({ url: `${receiver.url}/secret-path` });
    const shown = JSON.stringify(await list());
    expect(shown).toContain(new URL(receiver.url).host);
    expect(shown).not.toContain("secret-path");
    expect(shown).not.toContain(secret);
    expect(JSON.stringify([app.logLines, (await admin.get("/api/admin/audit")).json])).not.toContain("secret-path");
  });

  test("an administrator's test message to a webhook is sent at once, and the administrator sees the receiver's answer", async () => {
    const { id } = await addWebhook();
    const { json } = await admin.post(`/api/admin/webhooks/${id}/test`);
    expect(json).toEqual({ is_delivered: true, message: "Angekommen (204)." });
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ event: "test", data: {} });
  });

  test("adding, changing and removing a webhook is recorded in the audit log", async () => {
    const { id } = await addWebhook();
    await admin.post(`/api/admin/webhooks/${id}`, { name: "Anderer Chat", events: ["beers", "milestone"] });
    expect(await list()).toMatchObject([{ name: "Anderer Chat", events: ["beers", "milestone"] }]);
    await admin.delete(`/api/admin/webhooks/${id}`);
    expect(await list()).toEqual([]);
    const { entries } = (await admin.get("/api/admin/audit")).json;
    expect(entries.map(({ text }: { text: string }) => text)).toEqual([
      "Webhook „Anderer Chat“ entfernt.",
      "Webhook „Anderer Chat“ geändert.",
      `Webhook „Chat“ an ${new URL(receiver.url).host} angelegt.`,
    ]);
  });

  test("the messages of a removed webhook are deleted, and those that waited are not sent", async () => {
    const { id } = await addWebhook();
    await startParty();
    await deliver();
    await app.context.say(app.db, null).webhook({ event: "party", change: "ended", name: "Silvester", userId: null });
    expect(await messages()).toHaveLength(2);
    await admin.delete(`/api/admin/webhooks/${id}`);
    await sendDue();
    expect([await messages(), receiver.received.length]).toEqual([[], 1]);
  });

  test("an eleventh webhook is refused", async () => {
    for (let count = 0; count < 10; count++) await addWebhook();
    const body = { name: "Chat", format: "json", token: "", url: receiver.url, events: ["party"] };
    const text = "Mehr als zehn Webhooks gehen nicht. Entferne zuerst einen anderen.";
    expectRefusal(await admin.post("/api/admin/webhooks", body), 422, text);
  });

  test("webhook deliveries are deleted after a week", async () => {
    await addWebhook();
    await startParty();
    await deliver();
    app.clock.time += 8 * 24 * hour;
    for (const { run } of features.flatMap(({ jobs = [] }) => jobs)) await run(app.context);
    expect(await messages()).toEqual([]);
  });
});
