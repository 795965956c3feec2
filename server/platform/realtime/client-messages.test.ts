import { describe, expect, test } from "vitest";

import {
  anna,
  annasLaptop,
  ben,
  clara,
  createRealtimeTestServer,
  refusedWith,
  noDatabase,
} from "#test/realtime-test-server.ts";
import type { RealtimeClient, RealtimeTestServer } from "#test/realtime-test-server.ts";
import { signChannel, signUser } from "./signatures.ts";

const credentials = { key: "stammtisch", secret: "a test secret" };
/** Returns the token in the greeting of a socket; `undefined` if it has none. */
const tokenOf = ({ messages }: RealtimeClient): string | undefined => messages[0]?.data.auth;
const refused = { type: "AuthError", error: expect.any(String) };

describe("subscribing", () => {
  test("a subscription is answered with the channel's version if the channel has one", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    expect(await caller.subscribe("private-beercounter", anna)).toEqual({
      event: "pusher_internal:subscription_succeeded",
      channel: "private-beercounter",
      data: { version: 7 },
    });
    expect((await caller.subscribe("private-game-servers", anna)).data).toEqual({});
  });

  test("events are delivered in order and only to subscribers", async () => {
    const testServer = await createRealtimeTestServer();
    const [a, b, guest] = [
      await testServer.connect({ as: anna }),
      await testServer.connect({ as: ben }),
      await testServer.connect(),
    ];
    await a.subscribe("private-beercounter", anna);
    await b.subscribe("private-beercounter", ben);
    for (let version = 8; version < 28; version += 1)
      void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version });
    for (const caller of [a, b]) {
      await expect.poll(() => versionsIn(caller)).toHaveLength(20);
      expect(versionsIn(caller)).toEqual(versionsIn(caller).toSorted((x, y) => x - y));
    }
    expect(versionsIn({ messages: await guest.flush() })).toEqual([]);
  });

  test("the test client fails at once when it subscribes to an unregistered channel", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    await expect(caller.subscribe("private-shopping", anna)).rejects.toThrow(
      'No feature registers the channel "private-shopping"',
    );
  });

  test("an anonymous socket is bound to the session that requested its first channel", async () => {
    const testServer = await createRealtimeTestServer();
    for (const as of [undefined, "a-guest's-session", "long-expired"]) {
      const caller = await testServer.connect(as === undefined ? {} : { as });
      await caller.subscribe("private-beercounter", anna);
      const request = { socketId: caller.id, channel: "presence-stammtisch" };
      expect(refusedWith(() => testServer.realtime.authorizeChannel(request, ben))).toBe(403);
      await caller.subscribe("presence-stammtisch", anna);
    }
    expect(testServer.realtime.sizes()).toMatchObject({ users: 1, sessions: 1 });
  });

  test("a socket that was anonymous at first counts for the socket limit of its member", async () => {
    const testServer = await createRealtimeTestServer({ maxPerUser: 1 });
    await testServer.connect({ as: anna });
    const second = await testServer.connect();
    void second.subscribe("private-beercounter", anna).catch(() => {});
    expect(await second.closed).toBe(4004);
  });

  test("a repeated subscription changes nothing, and a subscription can be ended and renewed", async () => {
    const testServer = await createRealtimeTestServer();
    const [caller] = await testServer.join("private-beercounter", anna);
    caller.send("pusher:subscribe", { channel: "private-beercounter", auth: "" });
    expect((await caller.next("pusher:error")).data.message).toBe("Already subscribed");
    void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 8 });
    await caller.next("updated");
    caller.send("pusher:unsubscribe", { channel: "private-beercounter" });
    caller.send("pusher:unsubscribe", { channel: "private-never" });
    await caller.flush();
    void testServer.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 9 });
    expect(versionsIn({ messages: await caller.flush() })).toEqual([8]);
    expect((await caller.subscribe("private-beercounter", anna)).data).toEqual({ version: 9 });
  });
});

type Attempt = (testServer: RealtimeTestServer, caller: RealtimeClient) => object | Promise<object>;
const game = "private-game-servers";
/**
 * Returns a subscription with the signature that the auth endpoint would return. Unlike the auth
 * endpoint, it does not allow this socket to subscribe.
 */
const signedFor =
  (channel: string, by = credentials): Attempt =>
  (_, { id }) => ({ channel, auth: signChannel(by, id, channel) });

describe("unauthorized subscriptions", () => {
  test.each<[string, Attempt]>([
    ["a guest without a signature", () => ({ channel: "private-beercounter" })],
    ["an empty signature", () => ({ channel: "private-beercounter", auth: "" })],
    ["a signature that is not a string", () => ({ channel: "private-beercounter", auth: { key: 1 } })],
    ["a forged signature", () => ({ channel: "private-beercounter", auth: `stammtisch:${"0".repeat(64)}` })],
    ["another key's signature", signedFor("private-beercounter", { key: "stammtisch", secret: "guessed" })],
    ["a valid signature that the endpoint never gave", signedFor("private-beercounter")],
    ["a channel name without a prefix", () => ({ channel: "beercounter", auth: "" })],
    ["another channel name without a prefix", () => ({ channel: "game-servers" })],
    ["a channel name with an incomplete prefix", () => ({ channel: "privatebeercounter", auth: "" })],
    ["a channel that does not exist", signedFor("private-other")],
    ["the presence channel without channel_data", signedFor("presence-stammtisch")],
    ["another member's own channel", () => ({ channel: "#server-to-user-1", auth: "" })],
    [
      "a signature for another socket",
      async (testServer) => {
        const other = await testServer.connect({ as: clara });
        return {
          channel: game,
          ...testServer.realtime.authorizeChannel({ socketId: other.id, channel: game }, clara),
        };
      },
    ],
    [
      "a signature for another channel",
      (testServer, { id: socketId }) => ({
        ...testServer.realtime.authorizeChannel({ socketId, channel: "private-beercounter" }, clara),
        channel: game,
      }),
    ],
    [
      "a signature of a session that has ended since",
      (testServer, { id: socketId }) => {
        const auth = testServer.realtime.authorizeChannel({ socketId, channel: "private-beercounter" }, clara);
        testServer.sessions.delete(clara.sessionId);
        return { channel: "private-beercounter", ...auth };
      },
    ],
    [
      "a permission lost between signature and subscription",
      (testServer, { id: socketId }) => {
        const auth = testServer.realtime.authorizeChannel({ socketId, channel: game }, clara);
        testServer.sessions.set(clara.sessionId, { ...clara, permissions: [] });
        return { channel: game, ...auth };
      },
    ],
    [
      "channel_data changed after signing",
      (testServer, { id: socketId }) => {
        const auth = testServer.realtime.authorizeChannel({ socketId, channel: "presence-stammtisch" }, ben);
        return {
          channel: "presence-stammtisch",
          auth: auth.auth,
          channel_data: auth.channel_data?.replace('"2"', '"1"'),
        };
      },
    ],
    [
      "another member's channel_data, validly signed",
      (testServer, { id: socketId }) => {
        testServer.realtime.authorizeChannel({ socketId, channel: "presence-stammtisch" }, ben);
        const channelData = JSON.stringify({ user_id: "1" });
        return {
          channel: "presence-stammtisch",
          auth: signChannel(credentials, socketId, "presence-stammtisch", channelData),
          channel_data: channelData,
        };
      },
    ],
  ])("an unauthorized subscription receives no event: %s", async (_, attempt) => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect();
    const data = await attempt(testServer, caller);
    caller.send("pusher:subscribe", data);
    expect(await caller.next("pusher:subscription_error")).toMatchObject({
      channel: (data as { channel: string }).channel,
      data: { ...refused, status: expect.toBeOneOf([401, 403]) },
    });
    for (const channel of ["private-beercounter", game])
      void testServer.realtime.publish(noDatabase, "updated", channel, {});
    const heard = (await caller.flush()).map(({ event }) => event);
    expect(heard).toEqual(["pusher:connection_established", "pusher:subscription_error", "pusher:pong"]);
  });

  test("a channel signature is valid only on its own socket", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    const auth = testServer.realtime.authorizeChannel({ socketId: caller.id, channel: game }, anna);
    caller.send("pusher:subscribe", { channel: game, ...auth });
    await caller.next("pusher_internal:subscription_succeeded");
    const next = await testServer.connect({ as: anna });
    next.send("pusher:subscribe", { channel: game, ...auth });
    await next.next("pusher:subscription_error");
  });

  test("a socket with a session subscribes and signs in with the token of its greeting instead of signatures", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    const auth = tokenOf(caller);
    caller.send("pusher:signin", { auth });
    expect(JSON.parse((await caller.next("pusher:signin_success")).data.user_data)).toMatchObject({ id: "1" });
    for (const channel of [game, "presence-stammtisch", "#server-to-user-1"]) {
      caller.send("pusher:subscribe", { channel, auth });
      expect(await caller.next("pusher_internal:subscription_succeeded")).toMatchObject({ channel });
    }
  });

  test("a greeting's token is accepted only on the socket that received the greeting, and not for a forbidden channel", async () => {
    const testServer = await createRealtimeTestServer();
    const [anonymous, other] = [await testServer.connect(), await testServer.connect({ as: anna })];
    const caller = await testServer.connect({ as: ben });
    expect(tokenOf(anonymous)).toBeUndefined();
    for (const socket of [anonymous, other, caller]) {
      socket.send("pusher:subscribe", { channel: game, auth: tokenOf(caller) });
      await socket.next("pusher:subscription_error");
    }
    anonymous.send("pusher:subscribe", { channel: game });
    await anonymous.next("pusher:subscription_error");
    other.send("pusher:signin", { auth: tokenOf(caller) });
    expect(await other.closed).toBe(4009);
  });

  test("the server signs no subscription to a forbidden channel or for another session's socket", async () => {
    const testServer = await createRealtimeTestServer();
    const { id: socketId } = await testServer.connect({ as: anna });
    const ask = (channel: string, access = anna, socket = socketId) =>
      refusedWith(() => testServer.realtime.authorizeChannel({ socketId: socket, channel }, access));
    expect(ask("private-game-servers", { ...anna, permissions: [] })).toBe(403);
    expect(ask("private-other")).toBe(403);
    expect(ask("beercounter")).toBe(403);
    expect(ask("#server-to-user-1")).toBe(403);
    expect(ask("private-beercounter", ben)).toBe(403);
    expect(ask("private-beercounter", annasLaptop)).toBe(403);
    expect(ask('presence-x:{"user_id":"1"}')).toBe(403);
    expect(ask("private-x", anna, "1.1:presence-x")).toBe(403);
    expect(refusedWith(() => testServer.realtime.authenticateUser(`${socketId}::user`, anna))).toBe(403);
    expect(refusedWith(() => testServer.realtime.authenticateUser(socketId, ben))).toBe(403);
  });
});

describe("client messages", () => {
  const nonsense = [
    "",
    "{",
    "7",
    "null",
    "[]",
    '"x"',
    "{}",
    '{"event":7}',
    '{"event":null,"data":""}',
    '{"__proto__":{"event":"x"}}',
  ];

  test("malformed client messages are answered with an error, and the server keeps working", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    for (const text of nonsense) {
      caller.socket.send(text);
      expect((await caller.next("pusher:error")).data).toEqual({
        code: null,
        message: "Not a message of this protocol",
      });
    }
    for (const data of ["", [], 7, null, '"', { channel: 7 }, { channel: null }, { channel: "x".repeat(201) }]) {
      caller.socket.send(JSON.stringify({ event: "pusher:subscribe", data }));
      await caller.next("pusher:error");
    }
    for (const event of [
      "pusher:no-such-thing",
      "pusher_internal:subscription_succeeded",
      "updated",
      "",
      "constructor",
    ]) {
      caller.send(event, {});
      expect((await caller.next("pusher:error")).data.message).toBe("Unknown event");
    }
    await caller.subscribe("private-beercounter", anna);
  });

  test("events that clients send to other clients are refused and not delivered", async () => {
    const testServer = await createRealtimeTestServer();
    const [a, b] = await testServer.join("private-beercounter", anna, ben);
    a.socket.send(JSON.stringify({ event: "client-prost", channel: "private-beercounter", data: {} }));
    expect((await a.next("pusher:error")).data.code).toBe(4301);
    expect((await b.flush()).map(({ event }) => event)).not.toContain("client-prost");
  });

  test("client messages beyond 60 per minute are refused, and the third refusal closes the socket", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    for (let i = 0; i < 63; i += 1) caller.send("pusher:ping", {});
    expect(await caller.closed).toBe(4009);
    expect(caller.messages.filter(({ event }) => event === "pusher:pong")).toHaveLength(60);
    expect(caller.messages.filter(({ event, data }) => event === "pusher:error" && data.code === 4301)).toHaveLength(3);
  });
});

describe("signing in", () => {
  test("a signed-in socket can subscribe to its member's own channel, but not to another member's", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    const auth = testServer.realtime.authenticateUser(caller.id, anna);
    caller.send("pusher:signin", auth);
    expect(JSON.parse((await caller.next("pusher:signin_success")).data.user_data)).toMatchObject({ id: "1" });
    caller.send("pusher:subscribe", { channel: "#server-to-user-1", auth: "" });
    await caller.next("pusher_internal:subscription_succeeded");
    caller.send("pusher:subscribe", { channel: "#server-to-user-2", auth: "" });
    await caller.next("pusher:subscription_error");
    void testServer.realtime.publish(noDatabase, "hello", "#server-to-user-1", {});
    await caller.next("hello");
  });

  test("the version of a member's own channel changes only with the member's data and the group settings", async () => {
    const testServer = await createRealtimeTestServer();
    const saveMember = (memberVersion: string) => testServer.sessions.set(anna.sessionId, { ...anna, memberVersion });
    const readVersion = async (): Promise<number> => {
      const caller = await testServer.connect({ as: anna });
      caller.send("pusher:signin", testServer.realtime.authenticateUser(caller.id, anna));
      caller.send("pusher:subscribe", { channel: "#server-to-user-1", auth: "" });
      return (await caller.next("pusher_internal:subscription_succeeded")).data.version;
    };
    expect(await readVersion()).toBeUndefined();
    saveMember("a");
    const first = await readVersion();
    expect(await readVersion()).toBe(first);
    saveMember("b");
    const second = await readVersion();
    testServer.settingsVersion = "2";
    expect(new Set([first, second, await readVersion()]).size).toBe(3);
  });

  test.each<[string, (testServer: RealtimeTestServer, socketId: string) => object]>([
    ["a forged signature", () => ({ auth: `stammtisch:${"0".repeat(64)}`, user_data: '{"id":"1"}' })],
    ["no signature", () => ({})],
    [
      "a signature that the endpoint never gave",
      (_, socketId) => ({ auth: signUser(credentials, socketId, '{"id":"1"}'), user_data: '{"id":"1"}' }),
    ],
    [
      "another member's id",
      (testServer, socketId) => {
        testServer.realtime.authenticateUser(socketId, anna);
        return { auth: signUser(credentials, socketId, '{"id":"2"}'), user_data: '{"id":"2"}' };
      },
    ],
  ])("signing in with %s closes the socket", async (_, attempt) => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect({ as: anna });
    caller.send("pusher:signin", attempt(testServer, caller.id));
    expect((await caller.next("pusher:error")).data.code).toBe(4009);
    expect(await caller.closed).toBe(4009);
  });
});

function versionsIn({ messages }: Pick<RealtimeClient, "messages">): number[] {
  return messages.filter(({ event }) => event === "updated").map(({ data }) => data.version);
}
