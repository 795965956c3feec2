import Echo from "laravel-echo";
import PusherModule from "pusher-js";
import type { Options, PresenceChannel } from "pusher-js";
import { afterEach, describe, expect, test, vi } from "vitest";

import { anna, ben, createRealtimeTestServer, noDatabase } from "#test/realtime-test-server.ts";
import type { RealtimeTestServer } from "#test/realtime-test-server.ts";
import type { Access } from "./options.ts";

// The package's types declare a default export, but Node returns the class as the module.
const Pusher = PusherModule as unknown as typeof PusherModule.default;
type Client = InstanceType<typeof Pusher>;

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

function optionsFor(testServer: RealtimeTestServer, access: Access): Options {
  const auth = { transport: "ajax" as const, headers: { "X-CSRF-TOKEN": access.sessionId } };
  return {
    cluster: "eu",
    wsHost: "127.0.0.1",
    wsPort: testServer.port,
    forceTLS: false,
    enabledTransports: ["ws", "wss"],
    channelAuthorization: { ...auth, endpoint: `${testServer.origin}/broadcasting/auth` },
    userAuthentication: { ...auth, endpoint: `${testServer.origin}/broadcasting/user-auth` },
  };
}

function connect(testServer: RealtimeTestServer, access: Access, key = "stammtisch"): Client {
  const client = new Pusher(key, optionsFor(testServer, access));
  clients.push(client);
  return client;
}

function heard(
  channel: { bind(event: string, callback: (data: unknown) => void): unknown },
  event: string,
): Promise<unknown> {
  return new Promise((resolve) => channel.bind(event, resolve));
}

function states(client: Client): string[] {
  const seen: string[] = [];
  client.connection.bind("state_change", ({ current }: { current: string }) => seen.push(current));
  return seen;
}

describe("pusher-js", () => {
  test("a pusher-js client can subscribe, receive an event, send a ping, and unsubscribe", async () => {
    const testServer = await createRealtimeTestServer();
    const client = connect(testServer, anna);
    const channel = client.subscribe("private-beercounter");
    expect(await heard(channel, "pusher:subscription_succeeded")).toEqual({ version: 7 });
    const updated = heard(channel, "updated");
    void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { counterVal: 1, version: 8 });
    expect(await updated).toEqual({ counterVal: 1, version: 8 });
    const pong = new Promise((resolve) => client.connection.bind("message", resolve));
    client.send_event("pusher:ping", {});
    expect(await pong).toMatchObject({ event: "pusher:pong" });
    client.unsubscribe("private-beercounter");
    await expect.poll(() => testServer.realtime.sizes().channels).toBe(0);
  });

  test("a pusher-js client gets the present members, and learns when a member joins or leaves", async () => {
    const testServer = await createRealtimeTestServer({ timings: { presenceGrace: 20 } });
    const channel = connect(testServer, anna).subscribe("presence-stammtisch") as PresenceChannel;
    const members = await heard(channel, "pusher:subscription_succeeded");
    expect(members).toMatchObject({ count: 1, myID: "1", me: { id: "1", info: { name: "Anna", avatarId: "a1" } } });
    const added = heard(channel, "pusher:member_added");
    const bensClient = connect(testServer, ben);
    bensClient.subscribe("presence-stammtisch");
    expect(await added).toEqual({ id: "2", info: { name: "Ben", avatarId: null } });
    const removed = heard(channel, "pusher:member_removed");
    bensClient.disconnect();
    expect(await removed).toMatchObject({ id: "2" });
    expect(channel.members.count).toBe(1);
  });

  test("a pusher-js client signs in and receives the events for its member", async () => {
    const testServer = await createRealtimeTestServer();
    const client = connect(testServer, anna);
    await heard(client.connection, "connected");
    client.signin();
    await heard(client, "pusher:signin_success");
    const hello = heard(client.user, "hello");
    await expect.poll(() => testServer.realtime.sizes().channels).toBe(1);
    void testServer.realtime.publish(noDatabase, "hello", "#server-to-user-1", { name: "Anna" });
    expect(await hello).toEqual({ name: "Anna" });
  });

  test("a pusher-js client gets a channel error if the permission is missing or revoked", async () => {
    const testServer = await createRealtimeTestServer();
    const refused = connect(testServer, ben).subscribe("private-game-servers");
    expect(await heard(refused, "pusher:subscription_error")).toMatchObject({ type: "AuthError", status: 403 });
    const channel = connect(testServer, anna).subscribe("private-game-servers");
    await heard(channel, "pusher:subscription_succeeded");
    const lost = heard(channel, "pusher:subscription_error");
    testServer.sessions.set(anna.sessionId, { ...anna, permissions: [] });
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    expect(await lost).toMatchObject({ status: 403 });
  });

  test("a pusher-js client stops reconnecting if its session has ended or if it has a wrong app key", async () => {
    const testServer = await createRealtimeTestServer();
    const client = connect(testServer, anna);
    const seen = states(client);
    await heard(client.subscribe("private-beercounter"), "pusher:subscription_succeeded");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    testServer.sessions.clear();
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    await expect.poll(() => client.connection.state).toBe("disconnected");
    const stranger = connect(testServer, anna, "another-key");
    expect(await heard(stranger.connection, "error")).toMatchObject({ error: { data: { code: 4001 } } });
    await expect.poll(() => stranger.connection.state).toBe("disconnected");
    await vi.advanceTimersByTimeAsync(1_200);
    expect(seen.at(-1)).toBe("disconnected");
    await expect.poll(() => testServer.realtime.sizes().connections).toBe(0);
  });

  test("a pusher-js client reconnects one second after a server restart and rejoins its channels", async () => {
    const testServer = await createRealtimeTestServer();
    const client = connect(testServer, anna);
    const channel = client.subscribe("private-beercounter");
    await heard(channel, "pusher:subscription_succeeded");
    const again = heard(channel, "pusher:subscription_succeeded");
    for (const { webSocket } of testServer.realtime.connections()) webSocket.close(4100);
    expect(await again).toEqual({ version: 7 });
  });

  test("a pusher-js client retries at most once a second while the server refuses its sockets", async () => {
    const testServer = await createRealtimeTestServer();
    await testServer.realtime.drain();
    const attempts = vi.spyOn(testServer.realtime, "handleUpgrade");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const client = connect(testServer, anna);
    client.connection.bind("error", () => {});
    for (let second = 0; second < 3; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      // Waits for the answer to another connection, so that the server has handled all earlier
      // attempts.
      expect(await testServer.connectRefused()).toBe(503);
    }
    expect(client.connection.state).toBe("connecting");
    expect(attempts.mock.calls.length).toBeLessThanOrEqual(3 + 3);
  });
});

describe("laravel-echo", () => {
  test("a laravel-echo client gets the events and present members of its channels", async () => {
    const testServer = await createRealtimeTestServer();
    const client = connect(testServer, anna);
    const echo = new Echo({ broadcaster: "pusher", client, key: "stammtisch" } as unknown as ConstructorParameters<
      typeof Echo
    >[0]);
    const hearing = new Promise((resolve) => {
      const room = echo.private("beercounter").listen(".updated", resolve) as {
        subscribed(callback: () => void): void;
      };
      room.subscribed(
        () => void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 8 }),
      );
    });
    expect(await hearing).toEqual({ version: 8 });
    const here = await new Promise((resolve) => echo.join("stammtisch").here(resolve));
    expect(here).toEqual([{ name: "Anna", avatarId: "a1" }]);
    echo.disconnect();
  });
});
