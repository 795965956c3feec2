import { describe, expect, test } from "vitest";

import { createConnectedBuses } from "#test/connected-buses.ts";
import {
  anna,
  annasLaptop,
  ben,
  clara,
  createRealtimeTestServer,
  refusedWith,
  noDatabase,
} from "#test/realtime-test-server.ts";

const channel = "private-game-servers";

describe("access changes", () => {
  test("ending a session closes only the sockets of that session, with code 4009", async () => {
    const testServer = await createRealtimeTestServer();
    const phones = [await testServer.connect({ as: anna }), await testServer.connect({ as: anna })];
    const laptop = await testServer.connect({ as: annasLaptop });
    await phones[0]?.subscribe("private-beercounter", anna);
    await laptop.subscribe("private-beercounter", annasLaptop);
    testServer.sessions.delete(anna.sessionId);
    await testServer.realtime.accessChanged(noDatabase, { userId: 1, sessionIds: [anna.sessionId] });
    void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 8 });
    expect(await Promise.all(phones.map(({ closed }) => closed))).toEqual([4009, 4009]);
    expect(phones[0]?.messages.some(({ event }) => event === "updated")).toBe(false);
    await laptop.next("updated");
  });

  test("disabling a member closes all sockets of that member", async () => {
    const testServer = await createRealtimeTestServer();
    const annas = [await testServer.connect({ as: anna }), await testServer.connect({ as: annasLaptop })];
    const bystander = await testServer.connect({ as: ben });
    for (const { sessionId } of [anna, annasLaptop]) testServer.sessions.delete(sessionId);
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    expect(await Promise.all(annas.map(({ closed }) => closed))).toEqual([4009, 4009]);
    await bystander.flush();
  });

  test("a member who loses a permission is unsubscribed from its channel, and can rejoin with the permission", async () => {
    const testServer = await createRealtimeTestServer();
    const [caller] = await testServer.join(channel, anna);
    await caller.subscribe("private-beercounter", anna);
    testServer.sessions.set(anna.sessionId, { ...anna, permissions: [] });
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    expect(await caller.next("pusher:subscription_error")).toMatchObject({ channel, data: { status: 403 } });
    void testServer.realtime.publish(noDatabase, "updated", channel, {});
    void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 8 });
    expect((await caller.next("updated")).channel).toBe("private-beercounter");
    expect((await caller.flush()).filter(({ event }) => event === "updated")).toHaveLength(1);
    testServer.sessions.set(anna.sessionId, anna);
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    await caller.subscribe(channel, anna);
  });

  test("a permission revoked while a socket is being opened applies to that socket", async () => {
    let isSlow = true;
    const sessions = new Map([[anna.sessionId, anna]]);
    const testServer = await createRealtimeTestServer({
      findAccess: async () => {
        const found = new Map(sessions);
        if (isSlow) await expect.poll(() => isSlow).toBe(false);
        return found;
      },
    });
    const opening = testServer.connect({ as: anna });
    await expect.poll(() => testServer.realtime.sizes().connections).toBe(1);
    sessions.set(anna.sessionId, { ...anna, permissions: [] });
    const changed = testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    isSlow = false;
    await changed;
    const caller = await opening;
    const answer = testServer.realtime.authorizeChannel({ socketId: caller.id, channel }, anna);
    caller.send("pusher:subscribe", { channel, ...answer });
    await caller.next("pusher:subscription_error");
  });

  test("a member's permissions that were loaded before a change do not replace those loaded after the change", async () => {
    const sessions = new Map([[anna.sessionId, { ...anna, permissions: [] as typeof anna.permissions }]]);
    let late: Promise<void> | null = null;
    const testServer = await createRealtimeTestServer({
      findAccess: async () => {
        const found = new Map(sessions);
        const wait = late;
        late = null;
        await wait;
        return found;
      },
    });
    const caller = await testServer.connect({ as: anna });
    const { promise, resolve } = Promise.withResolvers<void>();
    late = promise;
    const overtaken = testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    sessions.set(anna.sessionId, anna);
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    resolve();
    await overtaken;
    await caller.subscribe(channel, anna);
  });

  test("the sockets of a session remain open when the session gets a new id", async () => {
    const testServer = await createRealtimeTestServer();
    const [caller] = await testServer.join("private-beercounter", anna);
    const renewed = { ...anna, sessionId: "anna-phone-renewed" };
    testServer.sessions.delete(anna.sessionId);
    testServer.sessions.set(renewed.sessionId, renewed);
    void testServer.realtime.sessionRotated(noDatabase, anna.sessionId, renewed.sessionId);
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    await caller.subscribe(channel, renewed);
    const refused = refusedWith(() => testServer.realtime.authorizeChannel({ socketId: caller.id, channel }, anna));
    expect(refused).toBe(403);
  });

  test("the periodic sweep closes the sockets of expired sessions", async () => {
    const testServer = await createRealtimeTestServer({ timings: { sweepEvery: 20 } });
    const [a, b] = await testServer.connectAs(anna, ben);
    testServer.sessions.delete(anna.sessionId);
    expect(await a.closed).toBe(4009);
    await b.flush();
  });

  test("sockets remain open while the database is down, and their access is rechecked once the database is back", async () => {
    const testServer = await createRealtimeTestServer({ timings: { beat: 20 } });
    const [a, b] = await testServer.connectAs(anna, ben);
    testServer.isDatabaseDown = true;
    testServer.sessions.delete(anna.sessionId);
    await testServer.realtime.accessChanged(noDatabase, { userId: 1, sessionIds: [anna.sessionId] });
    await a.flush();
    expect(testServer.logEvents).toContain("access-check-failed");
    testServer.isDatabaseDown = false;
    expect(await a.closed).toBe(4009);
    await b.flush();
  });

  test("the access of open sockets is rechecked after another process wrote to the database", async () => {
    const [bus] = createConnectedBuses(1);
    const testServer = await createRealtimeTestServer({ bus: bus! });
    const [a, c] = await testServer.connectAs(anna, clara);
    await c.subscribe(channel, clara);
    testServer.sessions.delete(anna.sessionId);
    testServer.sessions.set(clara.sessionId, { ...clara, permissions: [] });
    bus?.mend();
    expect(await a.closed).toBe(4009);
    await c.next("pusher:subscription_error");
  });
});
