import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt, updatePermissions } from "#server/features/members/store.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import type { SocketClient } from "#test/socket.ts";
import { connectSocket } from "#test/socket-client.ts";
import type { Client } from "#test/client.ts";

const channel = "private-beercounter";
let app: TestApp;
let annaId: number;
let sockets: SocketClient[];

beforeAll(async () => {
  app = await createTestApp();
  annaId = await app.createUser("anna");
  await app.createUser("ben");
});

afterAll(() => app.close());

beforeEach(() => {
  app.clock.time += 1000;
  sockets = [];
});

afterEach(() => {
  for (const socket of sockets) socket.terminate();
});

/** A member with a session of her or his own. */
async function arrive(uname: string): Promise<Client> {
  const client = app.createClient();
  expect((await client.post("/api/login", { uname, password })).status).toBe(200);
  return client;
}

async function connect(client: Client): Promise<SocketClient> {
  const socket = await connectSocket(app, client.cookieHeader);
  sockets.push(socket);
  return socket;
}

/** Asks for the signature as our page does, and joins with it. */
async function join(client: Client, socket: SocketClient): Promise<void> {
  const answer = await authorize(client, socket);
  expect(answer.status).toBe(200);
  socket.send("pusher:subscribe", { channel, auth: answer.json.auth });
  await socket.next("pusher_internal:subscription_succeeded");
}

const authorize = (client: Client, { id }: SocketClient, channel_name = channel) =>
  client.post("/broadcasting/auth", { socket_id: id, channel_name });

const drink = (client: Client) => client.post("/api/beercounter/counters");

describe("on one page load", () => {
  test("who logs in is let into the channel without a reload, again and again", async () => {
    const browser = app.createClient();
    await browser.get("/sanctum/csrf-cookie");
    for (let cycle = 0; cycle < 10; cycle++) {
      const uname = cycle % 2 === 0 ? "anna" : "ben";
      expect((await browser.post("/api/login", { uname, password })).status).toBe(200);
      const socket = await connect(browser);
      await join(browser, socket);
      await drink(browser);
      const { data } = await socket.next("updated");
      expect(data.userName).toBe(uname === "anna" ? "Anna" : "Ben");
      await browser.post("/api/logout");
      expect(await socket.closed).toBe(4009);
    }
  });

  test("the next member inherits nothing: neither socket nor signature of the first", async () => {
    const browser = await arrive("anna");
    const annasSocket = await connect(browser);
    const { auth } = (await authorize(browser, annasSocket)).json;
    await browser.post("/api/logout");
    await browser.post("/api/login", { uname: "ben", password });
    const bensSocket = await connect(browser);
    bensSocket.send("pusher:subscribe", { channel, auth });
    await bensSocket.next("pusher:subscription_error");
    await join(browser, bensSocket);
    await drink(browser);
    expect((await bensSocket.next("updated")).data.userName).toBe("Ben");
    expect(annasSocket.messages.map(({ event }) => event)).not.toContain("updated");
  });

  test("a token that grew old is answered with 419, and a new one works", async () => {
    const anna = await arrive("anna");
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

describe("a subscription is refused", () => {
  test("without a login, or with a session that ended", async () => {
    const anna = await arrive("anna");
    const guest = app.createClient();
    await guest.get("/sanctum/csrf-cookie");
    const [annasSocket, guestSocket] = [await connect(anna), await connect(app.createClient())];
    expect((await authorize(guest, guestSocket)).status).toBe(401);
    expect((await authorize(guest, annasSocket)).status).toBe(401);
    guestSocket.send("pusher:subscribe", { channel });
    guestSocket.send("pusher:subscribe", { channel, auth: `stammtisch:${"0".repeat(64)}` });
    app.clock.time += 3 * 60 * 60_000;
    expect((await authorize(anna, annasSocket)).status).toBe(401);
    expect((await guestSocket.flush()).map(({ event }) => event)).not.toContain(
      "pusher_internal:subscription_succeeded",
    );
  });

  test.each([
    ["a channel that does not exist", "private-kitchen", 403],
    ["another member's own channel", "private-user-1", 403],
    ["a public channel", "beercounter", 403],
    ["a channel with a colon in it", "private-beercounter:x", 422],
    ["a channel that is too long", `private-${"x".repeat(160)}`, 422],
    ["no channel", "", 422],
    ["a channel in another case", "Private-Beercounter", 403],
  ])("to %s", async (_, name, status) => {
    const anna = await arrive("anna");
    expect((await authorize(anna, await connect(anna), name)).status).toBe(status);
  });

  test.each(["1.1:private-beercounter", "1", "1.1.1", "a.b", " 1.1", "1.1\n", "-1.1", "", "9".repeat(40)])(
    "with the socket id %j",
    async (socket_id) => {
      const anna = await arrive("anna");
      const answer = await anna.post("/broadcasting/auth", { socket_id, channel_name: channel });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.json.errors)).toEqual(["socket_id"]);
    },
  );

  test("with somebody else's socket, or somebody else's signature", async () => {
    const [anna, ben] = [await arrive("anna"), await arrive("ben")];
    const [annasSocket, bensSocket] = [await connect(anna), await connect(ben)];
    expect((await authorize(ben, annasSocket)).status).toBeGreaterThanOrEqual(403);
    const { auth } = (await authorize(anna, annasSocket)).json;
    bensSocket.send("pusher:subscribe", { channel, auth });
    await bensSocket.next("pusher:subscription_error");
    await drink(anna);
    expect((await bensSocket.flush()).map(({ event }) => event)).not.toContain("updated");
  });

  test.each([
    ["another site", "https://elsewhere.example"],
    ["no page", "null"],
    ["a sub-domain", "http://sub.localhost:3000"],
    ["another port", "http://localhost:3001"],
    ["another scheme", "https://localhost:3000"],
    ["a name that begins like ours", "http://localhost:3000.elsewhere.example"],
    ["a name that ends like ours", "http://elsewherelocalhost:3000"],
    ["our name behind an @", "http://elsewhere@localhost:3000"],
    ["our name with a path", "http://localhost:3000/"],
    ["nothing", ""],
  ])("from %s, even with a member's cookie", async (_, origin) => {
    const anna = await arrive("anna");
    await expect(connectSocket(app, anna.cookieHeader, origin)).rejects.toThrow("403");
  });
});

describe("sockets close with 4009", () => {
  test("at the logout of their session, and no others; nothing reaches them afterwards", async () => {
    const phone = await arrive("anna");
    const laptop = await arrive("anna");
    const [phones, laptops] = [await connect(phone), await connect(laptop)];
    await join(phone, phones);
    await join(laptop, laptops);
    await phone.post("/api/logout");
    expect(await phones.closed).toBe(4009);
    await drink(laptop);
    await laptops.next("updated");
    expect(phones.messages.map(({ event }) => event)).not.toContain("updated");
  });

  test("when their member logs in once too often and the oldest session goes", async () => {
    const first = await arrive("anna");
    const socket = await connect(first);
    for (let login = 0; login < 20; login++) {
      app.clock.time += 1000;
      await app.createClient().post("/api/login", { uname: "anna", password });
    }
    expect(await socket.closed).toBe(4009);
  });

  test("when the server learns that the member was disabled", async () => {
    const anna = await arrive("anna");
    const ben = await arrive("ben");
    const [annas, bens] = [await connect(anna), await connect(ben)];
    await join(anna, annas);
    await join(ben, bens);
    await updateDisabledAt(app.db, annaId, app.clock.now());
    await app.context.realtime.accessChanged({ userId: annaId });
    expect(await annas.closed).toBe(4009);
    await drink(ben);
    await bens.next("updated");
    expect(annas.messages.map(({ event }) => event)).not.toContain("updated");
    await updateDisabledAt(app.db, annaId, null);
  });
});

test("losing a permission that the channel does not ask for changes nothing", async () => {
  const anna = await arrive("anna");
  const socket = await connect(anna);
  await join(anna, socket);
  await updatePermissions(app.db, annaId, []);
  await app.context.realtime.accessChanged({ userId: annaId });
  const { json } = await drink(anna);
  expect((await socket.next("updated")).data.counterVal).toBe(json.KSKCounterVal);
});
