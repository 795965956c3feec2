import { describe, expect, test, vi } from "vitest";

import { anna, ben, createRealtimeTestServer, noDatabase } from "#test/realtime-test-server.ts";

const channel = "private-beercounter";
const crowd = { maxSockets: 100, maxPerUser: 100, maxPerIp: 100 };

describe("broadcasts", () => {
  test("events reach all subscribers in the order of the publish() calls, but only after these calls have returned", async () => {
    const testServer = await createRealtimeTestServer(crowd);
    const callers = await Promise.all(Array.from({ length: 60 }, () => testServer.connect({ as: ben })));
    await Promise.all(callers.map((caller) => caller.subscribe(channel, ben)));
    const before = callers.map(({ messages }) => messages.length);
    for (let version = 8; version < 13; version += 1) {
      void testServer.realtime.publish(noDatabase, "updated", channel, { version });
      void testServer.realtime.publish(noDatabase, "other", channel, { after: version });
    }
    expect(callers.map(({ messages }) => messages.length)).toEqual(before);
    await testServer.realtime.drain();
    await expect.poll(() => callers.every(({ messages }) => messages.at(-1)?.data.after === 12)).toBe(true);
    for (const caller of callers) {
      const heard = caller.messages.slice(-10).map(({ data }) => data.version ?? data.after + 0.5);
      expect(heard).toEqual([8, 8.5, 9, 9.5, 10, 10.5, 11, 11.5, 12, 12.5]);
    }
  });

  test("events with totals are sent at once after a quiet time, and otherwise merged and sent at most ten times a second", async () => {
    const merge = (_: string, earlier: object, later: object) => ({ ...earlier, ...later });
    const testServer = await createRealtimeTestServer({ channels: [{ name: channel, merge }] });
    const [caller] = await testServer.join(channel, ben);
    const publish = (data: object) => testServer.realtime.publish(noDatabase, "updated", channel, data);
    for (let version = 1; version <= 200; version += 1) await publish({ version, [`from ${version % 3}`]: true });
    expect((await caller.next("updated")).data).toEqual({ version: 1, "from 1": true });
    expect((await caller.next("updated")).data).toEqual({
      version: 200,
      "from 0": true,
      "from 1": true,
      "from 2": true,
    });
    await publish({ version: 201 });
    await testServer.realtime.drain();
    expect((await caller.next("updated")).data).toEqual({ version: 201 });
  });

  test("an event without totals, such as a milestone, is sent after all totals published earlier on its channel", async () => {
    const merge = (_: string, earlier: object, later: object) => ({ ...earlier, ...later });
    const testServer = await createRealtimeTestServer({ channels: [{ name: channel, merge }] });
    const [caller] = await testServer.join(channel, ben);
    const publish = (event: string, data: object) => testServer.realtime.publish(noDatabase, event, channel, data);
    for (let version = 1; version <= 3; version += 1) await publish("updated", { version });
    await publish("milestone", { count: 3 });
    await caller.next("milestone");
    expect(caller.messages.slice(-3).map(({ data }) => data)).toEqual([{ version: 1 }, { version: 3 }, { count: 3 }]);
  });

  test("an event without data that is published repeatedly is sent at once, and then at most once a second", async () => {
    const testServer = await createRealtimeTestServer();
    const [caller] = await testServer.join(channel, ben);
    for (let count = 0; count < 50; count += 1) await testServer.realtime.publish(noDatabase, "doors", channel, {});
    await caller.next("doors");
    await caller.next("doors");
    expect((await caller.flush()).filter(({ event }) => event === "doors")).toHaveLength(2);
  });

  test("a client that stops reading is disconnected without an effect on other clients", async () => {
    const testServer = await createRealtimeTestServer();
    const [slow, quick] = await testServer.join(channel, anna, ben);
    slow.socket.pause();
    const filling = "x".repeat(100_000);
    let version = 8;
    while (testServer.realtime.sizes().users === 2 && version < 300) {
      void testServer.realtime.publish(noDatabase, "updated", channel, { version, filling });
      await quick.next("updated");
      version += 1;
    }
    expect(testServer.realtime.sizes()).toMatchObject({ sockets: 1, users: 1 });
    await quick.flush();
  });

  test("a client that has only a few pending messages but reads none of them is disconnected", async () => {
    const testServer = await createRealtimeTestServer({ timings: { beat: 20, stalledAfter: 150 } });
    const [slow, quick] = await testServer.connectAs(anna, ben);
    await slow.subscribe(channel, anna);
    slow.socket.pause();
    for (let version = 8; testServer.realtime.sizes().users === 2 && version < 300; version += 1) {
      void testServer.realtime.publish(noDatabase, "updated", channel, { version, filling: "x".repeat(100_000) });
      await quick.flush();
      if (version === 60) break;
    }
    await expect.poll(() => testServer.realtime.sizes()).toMatchObject({ sockets: 1, users: 1 });
  });

  test("the answer to a subscription has the channel's state for the member", async () => {
    const state = async (userId: number) => ({ version: 7, own: userId });
    const testServer = await createRealtimeTestServer({ channels: [{ name: channel, state }] });
    const caller = await testServer.connect({ as: ben });
    expect((await caller.subscribe(channel, ben)).data).toEqual({ version: 7, own: 2 });
  });

  test("the answer to a subscription has only the new version if the channel's data change while they are read", async () => {
    const { promise, resolve } = Promise.withResolvers<{ version: number; own: number }>();
    const state = vi.fn(() => promise);
    const testServer = await createRealtimeTestServer({ channels: [{ name: channel, state }] });
    const caller = await testServer.connect({ as: anna });
    const joining = caller.subscribe(channel, anna);
    await expect.poll(() => state).toHaveBeenCalled();
    void testServer.realtime.publish(noDatabase, "updated", channel, { version: 8 });
    resolve({ version: 7, own: 1 });
    expect((await joining).data).toEqual({ version: 8 });
  });

  test("a subscription succeeds without the channel's state if the state cannot be read from the database", async () => {
    const state = () => Promise.reject(new Error("database is down"));
    const testServer = await createRealtimeTestServer({ channels: [{ name: channel, state }] });
    const caller = await testServer.connect({ as: anna });
    expect((await caller.subscribe(channel, anna)).data).toEqual({});
  });
});

describe("heartbeat and shutdown", () => {
  test("the server pings every socket, even without a channel, and drops sockets that do not answer", async () => {
    const testServer = await createRealtimeTestServer({ timings: { beat: 10, pingEvery: 50, pongWithin: 100 } });
    const [alive, dead] = [await testServer.connect(), await testServer.connect({ as: anna })];
    const pinged = new Promise((resolve) => alive.socket.once("ping", resolve));
    dead.socket.pong = () => {};
    await pinged;
    await expect.poll(() => testServer.realtime.sizes()).toMatchObject({ sockets: 1, users: 0 });
    await new Promise((resolve) => alive.socket.once("ping", resolve));
    await alive.flush();
  });

  test("a server that shuts down refuses new sockets and then closes the open ones with code 4100", async () => {
    const testServer = await createRealtimeTestServer();
    const callers = [await testServer.connect({ as: anna }), await testServer.connect()];
    await callers[0]?.subscribe(channel, anna);
    void testServer.realtime.publish(noDatabase, "updated", channel, { version: 8 });
    await testServer.realtime.drain();
    await callers[0]?.next("updated");
    expect(await testServer.connectRefused({ as: anna })).toBe(503);
    await callers[1]?.flush();
    void testServer.realtime.publish(noDatabase, "updated", channel, { version: 9 });
    await testServer.realtime.close();
    expect(await Promise.all(callers.map(({ closed }) => closed))).toEqual([4100, 4100]);
    expect(callers[0]?.messages.at(-1)?.data).toEqual({ version: 9 });
    expect(testServer.realtime.sizes()).toEqual({ sockets: 0, users: 0, sessions: 0, channels: 0, connections: 0 });
  });

  test("a server that shuts down closes many sockets step by step, and sockets that are still open receive events", async () => {
    const testServer = await createRealtimeTestServer({ maxSockets: 500, maxPerUser: 500 });
    const callers = await Promise.all(Array.from({ length: 150 }, async () => testServer.connect({ as: anna })));
    const last = callers.at(-1)!;
    await last.subscribe(channel, anna);
    const closing = testServer.realtime.close(1000);
    await Promise.race(callers.map(({ closed }) => closed));
    expect(testServer.realtime.sizes().connections).toBeGreaterThan(75);
    void testServer.realtime.publish(noDatabase, "updated", channel, { version: 8 });
    expect((await last.next("updated")).data).toEqual({ version: 8 });
    await closing;
    expect(new Set(await Promise.all(callers.map(({ closed }) => closed)))).toEqual(new Set([4100]));
  });

  test("a server that shuts down does not wait for clients that never confirm the close", async () => {
    const testServer = await createRealtimeTestServer({ timings: { closeWait: 50 } });
    const caller = await testServer.connect({ as: anna });
    caller.socket.pause();
    await testServer.realtime.close();
    expect(testServer.realtime.sizes().connections).toBe(0);
  });
});
