import type { ServerResponse } from "node:http";

import { beforeEach, expect, test } from "vitest";

import type { Job } from "#server/platform/feature.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import { startSending } from "./actions.ts";
import { jobs } from "./jobs.ts";

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

const sendDue = async (context = app.context) => Promise.all(await startSending(context));

/** Queues `count` messages for each webhook. */
async function queueParties(count: number): Promise<void> {
  const message = { event: "party", change: "started", name: "Silvester", userId: null } as const;
  for (let party = 0; party < count; party++) await app.context.sendWebhooks(app.db, message);
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
  await queueParties(7);
  const [{ run }] = jobs as [Job];
  await run(app.context);
  await expect.poll(() => receiver.received).toHaveLength(7);
  await queueParties(1);
  await run(app.context);
  await expect.poll(() => receiver.received).toHaveLength(8);
  expect(silent.received).toHaveLength(1);
  held[0]!.writeHead(204).end();
  const rows = () => app.db.selectFrom("webhook_deliveries").select("id").where("state", "=", "waiting").execute();
  await expect.poll(rows).toEqual([]);
  expect(silent.received).toHaveLength(8);
});

test(
  "two instances whose clocks differ by 45 seconds deliver each of 20 webhook messages once",
  { tags: "postgres-only" },
  async () => {
    const ahead = { ...app.context, clock: { ...app.clock, now: () => app.clock.now() + 45_000 } };
    await addWebhook();
    await addWebhook();
    await queueParties(10);
    const held: ServerResponse[] = [];
    receiver.responses.push(
      (_, response) => void held.push(response),
      (_, response) => void held.push(response),
    );
    const first = await startSending(app.context);
    await expect.poll(() => held).toHaveLength(2);
    await sendDue(ahead);
    for (const response of held) response.writeHead(204).end();
    await Promise.all([...first, sendDue(ahead), sendDue()]);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  },
);
