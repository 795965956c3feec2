import type { RequestListener } from "node:http";

import { beforeEach, describe, expect, test } from "vitest";

import type { WebhookFormat } from "#contract/webhooks.ts";
import { version } from "#server/version.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { createWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";

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

async function sendParty(name = "Silvester"): Promise<void> {
  const anna = await app.createUser("anna");
  await app.context.say(app.db, null).webhook({ event: "party", change: "started", name, userId: anna });
  await app.context.outbox.sendDue("webhook");
}

describe("receivers of webhooks", () => {
  const room = "/_matrix/client/v3/rooms/!raum:matrix.example";
  const answerWith =
    (receipt: unknown): RequestListener =>
    (_, response) =>
      response.end(JSON.stringify(receipt));

  test.each([
    {
      format: "discord",
      token: "",
      address: "",
      receipt: null,
      method: "POST",
      path: "/hook",
      headers: {},
      body: { username: "Stammtisch", content: "Anna startet die Party „@everyone“.", allowed_mentions: { parse: [] } },
    },
    {
      format: "gotify",
      token: "secret-token",
      address: "",
      receipt: { id: 25, appid: 1, message: "Prost", title: "Stammtisch" },
      method: "POST",
      path: "/hook/message",
      headers: { "x-gotify-key": "secret-token" },
      body: { title: "Stammtisch", message: "Anna startet die Party „@everyone“." },
    },
    {
      format: "matrix",
      token: "secret-token",
      address: room,
      receipt: { event_id: "$Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg" },
      method: "PUT",
      path: expect.stringMatching(
        /^\/hook\/_matrix\/client\/v3\/rooms\/!raum:matrix\.example\/send\/m\.room\.message\/[0-9a-f-]{36}$/,
      ),
      headers: { authorization: "Bearer secret-token" },
      body: { msgtype: "m.notice", body: "Anna startet die Party „@everyone“." },
    },
  ] as const)("a $format webhook sends that service's JSON", async (service) => {
    const { format, token, address, receipt, method, path, headers, body } = service;
    await addWebhook({ format, token, url: receiver.url + address });
    receiver.responses.push(receipt ? answerWith(receipt) : 204);
    await sendParty("@everyone");
    const [request] = receiver.received;
    expect(request).toMatchObject({ method, path, headers });
    expect(JSON.parse(request!.body)).toEqual(body);
    expect((await list())[0].deliveries).toMatchObject([{ state: "delivered" }]);
  });

  test("an ntfy webhook sends plain text with the group's name as the title", async () => {
    await addWebhook({ format: "ntfy", token: "secret-token" });
    receiver.responses.push(answerWith({ id: "hwQ2YpKdmg", time: 1635528741, event: "message", topic: "hook" }));
    await sendParty();
    const [{ headers, body } = receiver.received[0]!] = receiver.received;
    expect(body).toBe("Anna startet die Party „Silvester“.");
    const title = Buffer.from("Stammtisch").toString("base64");
    expect([headers["title"], headers.authorization]).toEqual([`=?UTF-8?B?${title}?=`, "Bearer secret-token"]);
    expect((await list())[0].deliveries).toMatchObject([{ state: "delivered" }]);
  });

  test.each<[WebhookFormat, string, string, RequestListener | number]>([
    ["discord", "a page", "", (_, response) => response.end("<html>Discord</html>")],
    ["ntfy", "a page", "", (_, response) => response.end("<html>ntfy</html>")],
    ["ntfy", "an endless page", "", (_, response) => response.end("x".repeat(100_000))],
    ["gotify", "no content", "", 204],
    ["gotify", "other JSON", "", answerWith({ health: "green" })],
    ["matrix", "an empty object", room, answerWith({})],
    ["matrix", "null", room, answerWith(null)],
  ])(
    "a %s webhook whose receiver answers 2xx with %s has not delivered its message",
    async (format, _, address, answer) => {
      const token = format === "ntfy" || format === "discord" ? "" : "secret-token";
      const id = await addWebhook({ format, token, url: receiver.url + address });
      receiver.responses.push(answer, answer);
      const message = "Der Empfänger hat geantwortet, aber die Nachricht nicht bestätigt. Stimmt die Adresse?";
      expect((await admin.post(`/api/admin/webhooks/${id}/test`)).json).toEqual({ is_delivered: false, message });
      await sendParty();
      expect((await list())[0].deliveries).toMatchObject([{ state: "dropped", attempts: 1, answer: message }]);
    },
  );

  test("webhook messages name the program and its version as the user agent", async () => {
    await addWebhook();
    await sendParty();
    expect(receiver.received[0]!.headers["user-agent"]).toBe(`Stammtisch/${version}`);
  });

  test("a webhook to an IPv6 address delivers its messages", async () => {
    const modern = await createWebhookReceiver(undefined, "::1");
    await addWebhook({ url: modern.url });
    await sendParty();
    expect(modern.received).toHaveLength(1);
    expect(await list()).toMatchObject([{ host: new URL(modern.url).host, deliveries: [{ state: "delivered" }] }]);
  });

  test.each([
    ["matrix", "https://matrix.example", "Der Adresse fehlt am Ende der Raum, wie in …/rooms/!raum:matrix.example."],
    ["matrix", "https://matrix.example/_matrix/client/v3/rooms/", "Der Adresse fehlt am Ende der Raum"],
    [
      "matrix",
      "https://matrix.example/_matrix/client/v3/rooms/#raum:matrix.example",
      "Der Adresse fehlt am Ende der Raum",
    ],
    ["ntfy", "https://ntfy.sh", "Der Adresse fehlt am Ende das Thema, wie in https://ntfy.sh/unser-stammtisch."],
    ["ntfy", "https://ntfy.sh/?priority=high", "Der Adresse fehlt am Ende das Thema"],
  ])(
    "a %s webhook at %s is refused with an error at the URL field that says what is missing",
    async (format, url, text) => {
      const body = { name: "Chat", format, token: "secret-token", url, events: ["party"] };
      const { status, json } = await admin.post("/api/admin/webhooks", body);
      expect([status, json.errors]).toEqual([422, { url: [expect.stringContaining(text)] }]);
    },
  );

  test.each([
    ["matrix", "https://matrix.example/_matrix/client/v3/rooms/!raum:matrix.example"],
    ["matrix", "https://matrix.example/_matrix/client/v3/rooms/%21raum%3Amatrix.example/"],
    ["matrix", "https://matrix.example/_matrix/client/v3/rooms/!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM"],
    ["ntfy", "https://ntfy.sh/unser-stammtisch"],
    ["ntfy", "https://ntfy.sh/unser_Stammtisch?priority=high"],
  ])("a %s webhook at %s is accepted", async (format, url) => {
    await addWebhook({ format, token: "secret-token", url });
  });
});
