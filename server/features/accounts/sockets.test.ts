import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { createTestApp, password } from "#test/test-app.ts";

const channel = "private-beercounter";

const app = await createTestApp();
await app.createUser("anna");
await app.createUser("ben");

beforeEach(() => {
  app.clock.time += 1000;
});

/** Logs in a member in a new browser. */
async function logInBrowser(uname: string): Promise<Client> {
  const client = app.createClient();
  expect((await client.post("/api/login", { uname, password })).status).toBe(200);
  return client;
}

const connect = (client: Client) => connectSocket(app, client.cookieHeader);

const authorize = (client: Client, { id }: SocketClient, channel_name = channel) =>
  client.post("/broadcasting/auth", { socket_id: id, channel_name });

const drink = (client: Client) => client.post("/api/beercounter/counters");

describe("sockets of one browser", () => {
  test("a browser can subscribe to the counter after every login without a page reload", async () => {
    const browser = app.createClient();
    await browser.get("/sanctum/csrf-cookie");
    for (let cycle = 0; cycle < 10; cycle++) {
      const uname = cycle % 2 === 0 ? "anna" : "ben";
      expect((await browser.post("/api/login", { uname, password })).status).toBe(200);
      const socket = await connect(browser);
      await subscribe(browser, socket, channel);
      await drink(browser);
      const { data } = await socket.next("updated");
      expect(data.userName).toBe(uname === "anna" ? "Anna" : "Ben");
      await browser.post("/api/logout");
      expect(await socket.closed).toBe(4009);
    }
  });

  test("a member who logs in after another member cannot use the other's channel signature", async () => {
    const browser = await logInBrowser("anna");
    const annasSocket = await connect(browser);
    const { auth } = (await authorize(browser, annasSocket)).json;
    await browser.post("/api/logout");
    await browser.post("/api/login", { uname: "ben", password });
    const bensSocket = await connect(browser);
    bensSocket.send("pusher:subscribe", { channel, auth });
    await bensSocket.next("pusher:subscription_error");
    await subscribe(browser, bensSocket, channel);
    await drink(browser);
    expect((await bensSocket.next("updated")).data.userName).toBe("Ben");
    expect(annasSocket.messages.map(({ event }) => event)).not.toContain("updated");
  });

  test("a channel subscription with a stale CSRF token is refused with 419, and succeeds with a new token", async () => {
    const anna = await logInBrowser("anna");
    const socket = await connect(anna);
    const stale = await anna.send("POST", "/broadcasting/auth", {
      body: `socket_id=${socket.id}&channel_name=${channel}`,
      headers: { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": "A".repeat(43) },
    });
    expect(stale.status).toBe(419);
    await anna.get("/sanctum/csrf-cookie");
    const fresh = await anna.send("POST", "/broadcasting/auth", {
      body: `socket_id=${socket.id}&channel_name=${channel}`,
      headers: { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": anna.csrfToken },
    });
    expect(fresh.status).toBe(200);
    expect(fresh.json.auth).toMatch(/^stammtisch:[0-9a-f]{64}$/);
  });
});

test.each([
  ["a channel that does not exist", "private-kitchen", 403],
  ["another member's own channel", "private-user-1", 403],
  ["a public channel", "beercounter", 403],
  ["a channel with a colon in it", "private-beercounter:x", 422],
  ["a channel that is too long", `private-${"x".repeat(160)}`, 422],
  ["no channel", "", 422],
  ["a channel in another case", "Private-Beercounter", 403],
])("subscribing to %s on the realtime socket is refused", async (_, name, status) => {
  const anna = await logInBrowser("anna");
  expect((await authorize(anna, await connect(anna), name)).status).toBe(status);
});

test("when a member's login exceeds the session limit, the sockets of the member's oldest session close with 4009", async () => {
  const first = await logInBrowser("anna");
  const socket = await connect(first);
  for (let login = 0; login < 20; login++) {
    app.clock.time += 1000;
    await app.createClient().post("/api/login", { uname: "anna", password });
  }
  expect(await socket.closed).toBe(4009);
});
