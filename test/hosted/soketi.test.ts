// The server with REALTIME_URL and a real Pusher-compatible service.
import Pusher, { type PresenceChannel } from "pusher-js";
import { beforeEach, expect, test } from "vitest";

import type { Access } from "#server/platform/realtime/options.ts";
import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { openPage } from "./page.ts";
import { connectMember, connectTo, type Soketi, startSoketi } from "./soketi.ts";

const channel = "private-beercounter";
/** Maximum wait for an effect of the sweep, which runs every minute. */
const sweep = { timeout: 75_000 };
const recovery = { timeout: 30_000 };

let soketi: Soketi;
let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  soketi = await startSoketi();
  app = await createTestApp({ REALTIME_URL: soketi.url });
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
});

const drink = (member: Client) => member.post("/api/beercounter/counters");
const wasLogged = (event: string) => app.logLines.some((line) => line.event === event);

test("430 events reach the pages of two members in order, and none is lost", async () => {
  const pages = [await connectMember(soketi, anna), await connectMember(soketi, ben)];
  const numbers = Array.from({ length: 430 }, (_, number) => number);
  for (const number of numbers) void app.context.realtime.publish(app.db, "said", channel, { number });
  for (const { messages } of pages) {
    const heard = () => messages.filter(({ event }) => event === "said").map(({ data }) => data.number);
    await expect.poll(heard).toEqual(numbers);
  }
});

test("430 events reach a page in order although the service is suspended in between, and none is lost", async () => {
  const { messages } = await connectMember(soketi, anna);
  const numbers = Array.from({ length: 430 }, (_, number) => number);
  const heard = () => messages.filter(({ event }) => event === "said").map(({ data }) => data.number);
  for (const number of numbers) {
    await app.context.realtime.publish(app.db, "said", channel, { number });
    if (number === 200) {
      await expect.poll(() => heard().length).toBeGreaterThan(0);
      soketi.suspend();
    }
  }
  await expect.poll(() => wasLogged("realtime-service-failed"), recovery).toBe(true);
  soketi.resume();
  await expect.poll(() => heard().at(-1), recovery).toBe(429);
  // Events of a call whose answer was lost may arrive twice, but no event overtakes an older one.
  expect([...new Set(heard())]).toEqual(numbers);
});

test("430 beers of two members reach a page as rising totals, and each milestone follows its beer", async () => {
  const { messages } = await connectMember(soketi, anna);
  await Promise.all(
    [anna, ben].map(async (member) => {
      for (let beer = 0; beer < 215; beer += 1) await drink(member);
    }),
  );
  const totals = () => messages.filter(({ event }) => event === "updated").map(({ data }) => data.counterVal);
  await expect.poll(totals).toContain(430);
  expect(totals()).toEqual([...new Set(totals())].toSorted((one, other) => one - other));
  const milestones = messages.flatMap(({ event, data }, index) => (event === "milestone" ? [{ ...data, index }] : []));
  expect(milestones.length).toBeGreaterThan(0);
  for (const { count, index } of milestones) {
    const before = messages.slice(0, index).filter(({ event }) => event === "updated");
    expect(before.at(-1)?.data.counterVal).toBeGreaterThanOrEqual(count);
  }
});

test("a logout ends all sockets of the member, and no others", async () => {
  const [annas, bens] = [await connectMember(soketi, anna), await connectMember(soketi, ben)];
  await anna.post("/api/logout");
  expect(await annas.closed).toBe(4009);
  await drink(ben);
  expect((await bens.next("updated")).data).toMatchObject({ counterVal: 1 });
});

test("a page becomes current after the service was suspended", async () => {
  const page = await openPage(anna);
  await expect.poll(page.joined).toBe(1);
  await drink(ben);
  await expect.poll(() => page.beers.at(-1)).toMatchObject({ counterVal: 1 });
  soketi.suspend();
  for (let beer = 0; beer < 5; beer += 1) await drink(ben);
  await expect.poll(() => wasLogged("realtime-service-failed"), recovery).toBe(true);
  soketi.resume();
  await expect.poll(() => page.beers.at(-1), recovery).toMatchObject({ counterVal: 6 });
  await expect.poll(() => wasLogged("realtime-service-recovered"), recovery).toBe(true);
});

test("a page becomes current after the service was killed and started again", async () => {
  const page = await openPage(anna);
  await expect.poll(page.joined).toBe(1);
  await soketi.kill();
  await drink(ben);
  await expect.poll(() => wasLogged("realtime-service-failed"), recovery).toBe(true);
  await soketi.start();
  await expect.poll(page.joined, recovery).toBe(2);
  await expect.poll(() => page.beers.at(-1), recovery).toMatchObject({ counterVal: 1 });
  await drink(ben);
  await expect.poll(() => page.beers.at(-1)).toMatchObject({ counterVal: 2 });
});

test("a pusher-js client subscribes and signs in with the server's signatures", async () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer is passed on to the library unread
  const sign = async (path: string, body: object, callback: (error: null, signature: any) => void) => {
    callback(null, (await anna.post(path, body)).json);
  };
  const client = new Pusher(soketi.key, {
    cluster: "eu",
    wsHost: "127.0.0.1",
    wsPort: soketi.port,
    forceTLS: false,
    enabledTransports: ["ws"],
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, callback) =>
        void sign("/broadcasting/auth", { socket_id: socketId, channel_name: channelName }, callback),
    },
    userAuthentication: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId }, callback) =>
        void sign("/broadcasting/user-auth", { socket_id: socketId }, callback),
    },
  });
  endWithTest(async () => client.disconnect());
  const counter = client.subscribe(channel);
  const presence = client.subscribe("presence-stammtisch") as PresenceChannel;
  await expect.poll(() => [counter.subscribed, presence.subscribed]).toEqual([true, true]);
  expect(presence.members.me).toEqual({ id: "1", info: { name: "Anna", avatarId: null } });
  const beer = new Promise((resolve) => counter.bind("updated", resolve));
  await drink(ben);
  expect(await beer).toMatchObject({ counterVal: 1 });
  const signedIn = new Promise((resolve) => client.bind("pusher:signin_success", resolve));
  client.signin();
  await signedIn;
  const toast = new Promise((resolve) => client.user.bind("toasted", resolve));
  await ben.post("/api/members/1/toast");
  expect(await toast).toMatchObject({ userName: "Ben" });
});

test(
  "a page that finds the presence channel full knows the number of open pages, and joins when there is room",
  { timeout: 240_000 },
  async () => {
    const others = Array.from({ length: 100 }, (_, index): Access => {
      const userId = 1_000 + index;
      return { sessionId: `${userId}`, userId, name: `Guest ${index}`, avatarId: null, permissions: [], isShown: true };
    });
    const sockets = [];
    for (const access of others) {
      const socket = await connectTo(soketi);
      socket.send("pusher:signin", app.context.realtime.authenticateUser(socket.id, access));
      for (const name of [channel, "presence-stammtisch"])
        await socket.subscribe(
          name,
          app.context.realtime.authorizeChannel({ socketId: socket.id, channel: name }, access),
        );
      sockets.push(socket);
    }
    const page = await openPage(anna);
    await expect.poll(page.present).toEqual({ count: 0, members: [], pages: null });
    await expect.poll(page.present, sweep).toEqual({ count: 0, members: [], pages: 101 });
    expect(page.onAccessChanged).not.toHaveBeenCalled();
    for (const { socket } of sockets.slice(0, 60)) socket.terminate();
    await expect.poll(page.present, sweep).toMatchObject({ count: 41, members: { length: 41 } });
    expect(page.present()).not.toHaveProperty("pages");
  },
);
