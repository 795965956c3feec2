import type { ServerResponse } from "node:http";

import { beforeEach, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { createOutbox } from "#server/platform/outbox/outbox.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import { createWebhookSender } from "./actions.ts";

let app: TestApp;
let admin: Client;
let receiver: WebhookReceiver;

beforeEach(async () => {
  app = await createTestApp({ WEBHOOK_ALLOW_PRIVATE: "1", GROUP_NAME: "Stammtisch" });
  admin = await app.createMember("carla", ["admin"]);
  receiver = await createWebhookReceiver();
});

async function addWebhook(options: object = {}): Promise<number> {
  const body = { name: "Chat", format: "json", token: "", url: receiver.url, events: ["party"], ...options };
  const { status, json } = await admin.post("/api/admin/webhooks", body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.id;
}

const list = async () => (await admin.get("/api/admin/webhooks")).json;

const sendDue = () => app.context.outbox.sendDue("webhook");

/** Queues `count` messages for each webhook. */
async function queueParties(count: number): Promise<void> {
  const message = { event: "party", change: "started", name: "Silvester", userId: null } as const;
  for (let party = 0; party < count; party++)
    await inTransaction(app.db, (tx) => app.context.say(tx, null).webhook(message));
}

test(
  "a webhook message is not sent if its webhook was paused in the transaction before",
  { tags: "postgres" },
  async () => {
    const id = await addWebhook();
    await queueParties(1);
    await app.db.updateTable("webhooks").set({ paused_at: app.clock.time }).where("id", "=", id).execute();
    await sendDue();
    expect(receiver.received).toEqual([]);
    expect((await list())[0].deliveries).toMatchObject([{ state: "dropped", attempts: 0 }]);
  },
);

test("a webhook receiver that never answers delays no message to another receiver", async () => {
  const held: ServerResponse[] = [];
  const silent = await createWebhookReceiver();
  silent.responses.push((_, response) => void held.push(response));
  await addWebhook({ url: silent.url });
  await addWebhook();
  app.context.outbox.start(["webhook"]);
  await queueParties(7);
  await expect.poll(() => receiver.received).toHaveLength(7);
  await queueParties(1);
  await expect.poll(() => receiver.received).toHaveLength(8);
  expect(silent.received).toHaveLength(1);
  held[0]!.writeHead(204).end();
  await expect.poll(() => countWaiting(app.db, "webhook")).toBe(0);
  expect(silent.received).toHaveLength(8);
});

test(
  "two instances whose clocks differ by 45 seconds deliver each of 20 webhook messages once",
  { tags: "postgres-only" },
  async () => {
    const clock = { ...app.clock, now: () => app.clock.now() + 45_000 };
    const senders = [createWebhookSender({ ...app.context, clock })];
    const ahead = createOutbox({ ...app.context, clock, senders });
    endWithTest(ahead.close);
    await addWebhook();
    await addWebhook();
    await queueParties(10);
    const held: ServerResponse[] = [];
    receiver.responses.push(
      (_, response) => void held.push(response),
      (_, response) => void held.push(response),
    );
    const first = sendDue();
    await expect.poll(() => held).toHaveLength(2);
    await ahead.sendDue("webhook");
    expect(receiver.received).toHaveLength(2);
    for (const response of held) response.writeHead(204).end();
    await Promise.all([first, ahead.sendDue("webhook")]);
    await sendDue();
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  },
);

test("an attempt to send a webhook message that the stop of the server interrupts is not recorded, and is repeated by the next server", async () => {
  await addWebhook();
  receiver.responses.push(() => {});
  app.context.outbox.start(["webhook"]);
  await queueParties(1);
  await expect.poll(() => receiver.received).toHaveLength(1);
  await app.context.outbox.close();
  expect((await list())[0].deliveries).toMatchObject([{ state: "waiting", attempts: 0, answer: null }]);
  expect(await app.db.selectFrom("webhooks").select("failures").execute()).toEqual([{ failures: 0 }]);
  expect(app.logLines.filter(({ event }) => event === "webhook-failed")).toEqual([]);
  await (await app.reopen()).context.outbox.sendDue("webhook");
  expect((await list())[0].deliveries).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});
