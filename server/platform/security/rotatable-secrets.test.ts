import { beforeEach, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { connectSocket } from "#test/socket-client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { loadSecrets, type SecretName, storeSecrets, withNewSecret } from "./secrets.ts";

const counters = "/api/beercounter/counters";
const hour = 60 * 60 * 1000;

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

/** Replaces a secret, as `stammtisch secrets rotate` does. The running app does not learn of it. */
async function rotate(name: SecretName): Promise<void> {
  const { database, config, db, clock } = app;
  const secrets = withNewSecret(await loadSecrets(database, config.dataDir), name, clock.now());
  await storeSecrets(db, database.kind, config.dataDir, secrets);
}

/** Returns a page of the same session that has its CSRF token from this app. */
async function openPage({ url }: TestApp): Promise<Client> {
  const page = anna.through({ url });
  await page.get("/sanctum/csrf-cookie");
  return page;
}

const tap = async (page: Client, { url }: TestApp) => (await page.through({ url }).post(counters)).status;

test(
  "a page with a CSRF token of the previous app key can tap on every instance for an hour after the key's rotation",
  { tags: "postgres" },
  async () => {
    await rotate("appKey");
    const restarted = await app.reopen();
    expect([await tap(anna, app), await tap(anna, restarted)]).toEqual([200, 200]);
    const fresh = await openPage(restarted);
    expect(fresh.csrfToken).not.toBe(anna.csrfToken);
    expect([await tap(fresh, restarted), await tap(fresh, app)]).toEqual([200, 200]);

    app.clock.time += hour;
    expect([await tap(anna, restarted), await tap(anna, app)]).toEqual([419, 419]);
    expect([await tap(fresh, restarted), await tap(fresh, app)]).toEqual([200, 200]);
  },
);

test("after two rotations of the app key, CSRF tokens of the first key are refused", async () => {
  await rotate("appKey");
  await rotate("appKey");
  expect(await tap(anna, await app.reopen())).toBe(419);
});

test("invented CSRF tokens make a server read its secrets at most once a second", async () => {
  const forged = { "x-xsrf-token": "A".repeat(43) };
  const refused = async () => (await anna.post(counters, undefined, forged)).status;
  expect(await refused()).toBe(419);
  await rotate("appKey");
  const fresh = await openPage(await app.reopen());
  expect(await tap(fresh, app)).toBe(419);
  app.clock.time += 1000;
  expect(await tap(fresh, app)).toBe(200);
});

test("an instance accepts signatures made with the current or the previous realtime secret, but not with an older one", async () => {
  const channel = "private-beercounter";
  async function answerTo(at: TestApp, signedBy: TestApp, event: string) {
    const socket = await connectSocket(at, anna.cookieHeader);
    const signing = anna.through({ url: signedBy.url });
    const { json } = await signing.post("/broadcasting/auth", { socket_id: socket.id, channel_name: channel });
    socket.send("pusher:subscribe", { channel, ...json });
    return (await socket.next(event)).data;
  }
  const joined = "pusher_internal:subscription_succeeded";
  const first = await app.reopen();
  await rotate("realtimeSecret");
  const second = await app.reopen();
  expect(await answerTo(second, first, joined)).toMatchObject({ version: 1 });
  expect(await answerTo(app, second, joined)).toMatchObject({ version: 1 });
  await rotate("realtimeSecret");
  expect(await answerTo(await app.reopen(), first, "pusher:subscription_error")).toMatchObject({ status: 401 });
});
