import * as fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { beercounterUpdated } from "#contract/beercounter.ts";
import { toasted } from "#contract/presence.ts";
import { anna, ben, createRealtimeTestServer, noDatabase } from "#test/realtime-test-server.ts";
import type { RealtimeTestServer } from "#test/realtime-test-server.ts";
import { connectPusher, socketUrl, type PusherOptions } from "#web/client/pusher.ts";
import { createRealtime } from "#web/client/realtime.ts";
import { reconnectDelay, reconnectSpread } from "#web/client/reconnect.ts";

const ownServer = { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false };
const beerEvent = { counterVal: 3, userId: 2, userName: "Ben", avatarId: null, version: 8 };
const channel = "private-beercounter";

/** Has a visibility, an address and a session token. */
class Page extends EventTarget {
  visibilityState = "visible";
  token = anna.sessionId;
  readonly querySelector = () => null;
  get cookie(): string {
    return `XSRF-TOKEN=${this.token}`;
  }
}
const page = new Page();

function setVisibility(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  page.visibilityState = "visible";
  page.token = anna.sessionId;
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
});

async function openPage(): Promise<RealtimeTestServer> {
  const server = await createRealtimeTestServer();
  vi.stubGlobal("location", new URL(server.origin));
  return server;
}

describe("the socket", () => {
  const base = { protocol: "https:", hostname: "bier.example", port: "" };
  const hosted = { ...ownServer, wsHost: "ws-eu.pusher.com", forceTLS: true };
  const ownService = { ...ownServer, wsHost: "ws.example", wsPort: 6001, wssPort: 6002 };
  test.each([
    ["the page's own host", ownServer, base, "wss://bier.example"],
    ["the page's own port", ownServer, { ...base, protocol: "http:", port: "3000" }, "ws://bier.example:3000"],
    ["a hosted service", hosted, { ...base, port: "3000" }, "wss://ws-eu.pusher.com"],
    ["a hosted service, for a page without TLS", hosted, { ...base, protocol: "http:" }, "wss://ws-eu.pusher.com"],
    ["a self-hosted service", ownService, base, "wss://ws.example:6002"],
    ["a service without TLS", ownService, { ...base, protocol: "http:" }, "ws://ws.example:6001"],
  ])("the realtime socket of a page connects to %s", (_, address, where, origin) => {
    expect(socketUrl(address, where)).toBe(`${origin}/app/stammtisch?protocol=7&client=stammtisch`);
  });

  test("the socket reconnects after 0.25 seconds, then after delays from 1.2 to 30 seconds, randomly varied by up to 50 %", () => {
    expect([0, 1, 5, 6, 7, 8, 9, 10, 20].map((attempt) => reconnectDelay(attempt, 0.5))).toEqual([
      250, 1_200, 1_200, 2_400, 4_800, 9_600, 19_200, 30_000, 30_000,
    ]);
    expect([reconnectDelay(0, 0), reconnectDelay(10, 0.999)]).toEqual([125, expect.closeTo(45_000, -2)]);
  });

  test("the first reconnections of all pages are spread over a time that grows with the number of present members", () => {
    expect([0, 0.5, 1].map((random) => reconnectSpread(2_000, random))).toEqual([0, 600, 1_200]);
    expect([reconnectSpread(10, 1), reconnectSpread(100_000, 1)]).toEqual([6, 30_000]);
  });

  test("the socket reaches a server that was down for 3 seconds within 5 seconds of the loss, despite random delays", () => {
    const spread = fc.oneof(fc.constantFrom(0, 0.999), fc.double({ min: 0, max: 0.999, noNaN: true }));
    fc.assert(
      fc.property(fc.array(spread, { minLength: 10, maxLength: 10 }), (spreads) => {
        let time = 0;
        const times = spreads.map((random, attempt) => (time += reconnectDelay(attempt, random)));
        expect(times.find((at) => at >= 3_000)).toBeLessThan(4_800);
      }),
    );
  });
});

describe("a page of a member", () => {
  test("a page receives events, and is told after every reconnection that it may have missed events", async () => {
    const server = await openPage();
    const onEvent = vi.fn();
    const onSubscribed = vi.fn();
    const realtime = createRealtime();
    const end = realtime.subscribe(beercounterUpdated, { onEvent, onSubscribed });
    const onMembers = vi.fn();
    const endPresence = realtime.subscribePresence(onMembers);
    realtime.connect(ownServer, { renewToken: vi.fn(), onAccessChanged: vi.fn() });
    await expect.poll(() => onSubscribed).toHaveBeenCalledExactlyOnceWith(7, { version: 7 });
    await expect
      .poll(() => onMembers)
      .toHaveBeenLastCalledWith({ count: 1, members: [{ id: 1, name: "Anna", avatarId: "a1" }] });

    void server.realtime.publish(noDatabase, "updated", channel, { ...beerEvent, counterVal: "three" });
    void server.realtime.publish(noDatabase, "updated", channel, { ...beerEvent, version: 9 });
    await expect.poll(() => onEvent).toHaveBeenCalledExactlyOnceWith({ ...beerEvent, version: 9 });

    await endSockets(server);
    await expect.poll(() => onSubscribed).toHaveBeenCalledTimes(2);
    expect(onSubscribed).toHaveBeenLastCalledWith(9, { version: 9 });

    end();
    endPresence();
    await expect.poll(() => server.realtime.sizes().channels).toBe(0);
    const second = realtime.subscribe(beercounterUpdated, { onEvent, onSubscribed });
    await expect.poll(() => onSubscribed).toHaveBeenCalledTimes(3);
    second();
    realtime.disconnect();
    await expect.poll(() => server.realtime.sizes().sockets).toBe(0);
  });

  test("a page counts as offline 5 seconds after an interruption, or after 10 seconds without a first connection", async () => {
    const server = await openPage();
    server.isUnavailable = true;
    const realtime = createRealtime();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    realtime.connect(ownServer, { renewToken: vi.fn(), onAccessChanged: vi.fn() });
    const end = realtime.subscribe(beercounterUpdated, { onEvent: vi.fn(), onSubscribed: vi.fn() });
    const { connection } = realtime;
    vi.advanceTimersByTime(9_999);
    expect(connection.get()).toBe("connecting");
    vi.advanceTimersByTime(1);
    expect(connection.get()).toBe("offline");
    server.isUnavailable = false;
    await vi.waitFor(() => expect(connection.get()).toBe("online"), 10_000);
    await endSockets(server);
    await expect.poll(() => connection.get()).toBe("connecting");
    server.isUnavailable = true;
    vi.advanceTimersByTime(5_000);
    expect(connection.get()).toBe("offline");
    vi.useRealTimers();
    end();
    realtime.disconnect();
  });

  test("a page with over 100 present members knows the number of all and the names of 100", async () => {
    const server = await createRealtimeTestServer({
      maxSockets: 300,
      timings: { presenceGrace: 40 },
    });
    vi.stubGlobal("location", new URL(server.origin));
    const realtime = createRealtime();
    const onChange = vi.fn<Parameters<typeof realtime.subscribePresence>[0]>();
    const end = realtime.subscribePresence(onChange);
    realtime.connect(ownServer, { renewToken: vi.fn(), onAccessChanged: vi.fn() });
    const known = () => onChange.mock.lastCall?.[0];
    await expect.poll(known).toMatchObject({ count: 1 });
    const guests = Array.from({ length: 120 }, (_, index) => ({
      ...ben,
      sessionId: `guest-${index}`,
      userId: 100 + index,
      name: `Guest ${index}`,
    }));
    for (const guest of guests) server.sessions.set(guest.sessionId, guest);
    const sockets = await server.join("presence-stammtisch", ...guests);
    await expect.poll(known).toMatchObject({ count: 121, members: { length: 100 } });

    for (const { send } of sockets.slice(0, 60)) send("pusher:unsubscribe", { channel: "presence-stammtisch" });
    await expect.poll(known).toMatchObject({ count: 61, members: { length: 61 } });
    end();
    realtime.disconnect();
  });

  test("a page subscribes to its member's events despite a stale CSRF token, and again after a reconnection", async () => {
    const server = await openPage();
    page.token = "stale";
    const onEvent = vi.fn();
    const realtime = createRealtime();
    const end = realtime.subscribe(toasted, { onEvent, onSubscribed: vi.fn() });
    const renewToken = vi.fn(async () => void (page.token = anna.sessionId));
    realtime.connect(ownServer, { renewToken, onAccessChanged: vi.fn() });
    await expect.poll(() => server.realtime.sizes().channels).toBe(1);
    expect(server.csrfTokens).toEqual(["stale", anna.sessionId]);
    const toast = { userId: 2, userName: "Ben", avatarId: null };
    void server.realtime.publish(noDatabase, "toasted", "#server-to-user-2", { ...toast, userId: 1 });
    void server.realtime.publish(noDatabase, "toasted", "#server-to-user-1", toast);
    await expect.poll(() => onEvent).toHaveBeenCalledExactlyOnceWith(toast);
    await endSockets(server);
    await expect.poll(() => server.realtime.sizes().channels).toBe(1);
    void server.realtime.publish(noDatabase, "toasted", "#server-to-user-1", toast);
    await expect.poll(() => onEvent).toHaveBeenCalledTimes(2);
    end();
    realtime.disconnect();
  });

  test("a page is told that its session has ended, and does not reconnect", async () => {
    const server = await openPage();
    const onSignedOut = vi.fn();
    const line = await connectAndSubscribe(server, { onSessionEnded: onSignedOut });
    server.sessions.delete(anna.sessionId);
    await server.realtime.accessChanged(noDatabase, { userId: 1, sessionIds: [anna.sessionId] });
    await expect.poll(() => onSignedOut).toHaveBeenCalledOnce();
    setVisibility("hidden");
    setVisibility("visible");
    // A page that was still reconnecting would connect first.
    page.token = ben.sessionId;
    const next = await connectAndSubscribe(server, {});
    expect(server.realtime.sizes().connections).toBe(1);
    next.disconnect();
    line.disconnect();
  });

  test("a page fetches a new CSRF token if its first CSRF token is refused", async () => {
    const server = await openPage();
    page.token = "stale";
    const renewToken = vi.fn(async () => void (page.token = anna.sessionId));
    const line = await connectAndSubscribe(server, { renewToken });
    expect(renewToken).toHaveBeenCalledOnce();
    expect(server.csrfTokens).toEqual(["stale", anna.sessionId]);
    line.disconnect();
  });

  test.each([0, 429, 503])("a page retries subscribing to a channel after a reply with status %i", async (status) => {
    const server = await openPage();
    const request = fetch;
    const failing = vi.fn(fetch).mockImplementation(async () => {
      failing.mockImplementation(request);
      if (status === 0) throw new TypeError("Failed to fetch");
      return new Response(null, { status });
    });
    vi.stubGlobal("fetch", failing);
    const [onAccessChanged, pause] = [vi.fn(), vi.fn(() => 1)];
    const line = await connectAndSubscribe(server, { onAccessChanged, reconnectDelay: pause });
    expect([pause.mock.calls, onAccessChanged.mock.calls]).toEqual([[[0]], []]);
    line.disconnect();
  });

  test("a page leaves a channel that its member may not read, and subscribes again after the member gets the permission", async () => {
    const server = await openPage();
    page.token = ben.sessionId;
    const game = "private-game-servers";
    const [onRefused, onMessage] = [vi.fn(), vi.fn()];
    const line = await connectAndSubscribe(server, { onAccessChanged: onRefused, onMessage });
    line.subscribe(game);
    await expect.poll(() => onRefused).toHaveBeenCalledOnce();

    server.sessions.set(ben.sessionId, { ...ben, permissions: ["see-game-servers"] });
    await server.realtime.accessChanged(noDatabase, { userId: ben.userId });
    line.subscribe(game);
    const joinedGame = () =>
      onMessage.mock.calls.filter(([name, event]) => name === game && event === "pusher:subscription_succeeded");
    await expect.poll(() => joinedGame()).toHaveLength(1);

    server.sessions.set(ben.sessionId, ben);
    await server.realtime.accessChanged(noDatabase, { userId: ben.userId });
    await expect.poll(() => onRefused).toHaveBeenCalledTimes(2);
    line.disconnect();
  });

  test("a page that becomes visible keeps a socket that answers and replaces a socket that does not answer", async () => {
    const server = await openPage();
    const onMessage = vi.fn();
    const line = await connectAndSubscribe(server, { onMessage, pingTimeout: 10_000 });
    const [connection] = server.realtime.connections();
    const onServerMessage = vi.fn();
    connection!.webSocket.on("message", onServerMessage);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    setVisibility("hidden");
    setVisibility("visible");
    await expect.poll(() => onServerMessage).toHaveBeenCalledOnce();
    await connection!.work;
    // Sent after the reply to the ping.
    void server.realtime.publish(noDatabase, "updated", channel, beerEvent);
    await expect.poll(() => onMessage).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(10_000);
    expect([...server.realtime.connections()]).toEqual([connection]);

    connection!.webSocket.pause();
    setVisibility("hidden");
    setVisibility("visible");
    vi.advanceTimersByTime(10_000);
    // Unlike expect.poll(), it advances the fake timers between attempts.
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(3), 10_000);
    connection!.webSocket.resume();
    vi.useRealTimers();
    line.disconnect();
  });

  test.each([119_000, 121_000])(
    "a page that becomes visible waits at most 4 s for a reply over a socket that was idle for %i ms",
    async (quiet) => {
      const server = await openPage();
      const [onMessage, onConnectionChange] = [vi.fn(), vi.fn()];
      const line = await connectAndSubscribe(server, { onMessage, onConnectionChange, pingTimeout: 4_000 });
      const [connection] = server.realtime.connections();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      void server.realtime.publish(noDatabase, "updated", channel, beerEvent);
      await expect.poll(() => onMessage).toHaveBeenCalledTimes(2);
      connection!.webSocket.pause();
      vi.advanceTimersByTime(quiet);
      setVisibility("hidden");
      setVisibility("visible");
      vi.advanceTimersByTime(4_000);
      expect(onConnectionChange).toHaveBeenLastCalledWith(false);
      connection!.webSocket.resume();
      vi.useRealTimers();
      line.disconnect();
    },
  );

  test("a visible page reconnects automatically, with growing delays between attempts", async () => {
    const server = await openPage();
    const onOnline = vi.fn();
    const pause = vi.fn(() => 100);
    const line = await connectAndSubscribe(server, { onConnectionChange: onOnline, reconnectDelay: pause });
    server.isUnavailable = true;
    await endSockets(server);
    await expect.poll(() => pause.mock.calls.length).toBeGreaterThan(4);
    expect(onOnline).toHaveBeenLastCalledWith(false);
    server.isUnavailable = false;
    await expect.poll(() => onOnline).toHaveBeenLastCalledWith(true);
    line.disconnect();
  });
});

async function connectAndSubscribe(server: RealtimeTestServer, changes: Partial<PusherOptions>) {
  const onMessage = changes.onMessage ?? vi.fn();
  const nothing = {
    onConnectionChange: vi.fn(),
    renewToken: vi.fn(async () => {}),
    onSessionEnded: vi.fn(),
    onAccessChanged: vi.fn(),
  };
  const line = connectPusher({ address: ownServer, ...nothing, ...changes, onMessage });
  line.subscribe(channel);
  await expect.poll(() => onMessage).toHaveBeenCalledWith(channel, "pusher:subscription_succeeded", { version: 7 });
  expect(server.realtime.sizes().channels).toBe(1);
  return line;
}

async function endSockets(server: RealtimeTestServer): Promise<void> {
  for (const connection of server.realtime.connections()) connection.webSocket.terminate();
  await expect.poll(() => server.realtime.sizes().sockets).toBe(0);
}
