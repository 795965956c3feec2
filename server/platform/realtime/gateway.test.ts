import { connect } from "node:net";

import { describe, expect, test, vi } from "vitest";

import { systemClock } from "#server/platform/clock.ts";
import { createRateLimiter } from "#server/platform/limits/limits.ts";
import { anna, annasLaptop, ben, clara, createRealtimeTestServer, noDatabase } from "#test/realtime-test-server.ts";

describe("the gateway", () => {
  test("a new socket gets a greeting with its socket id, made of digits, and the activity timeout", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect();
    expect(caller.id).toMatch(/^\d+\.\d+$/);
    expect(caller.messages).toEqual([
      { event: "pusher:connection_established", data: { socket_id: caller.id, activity_timeout: 120 } },
    ]);
  });

  test.each([
    ["a wrong app key", "/app/else?protocol=7", 4001],
    ["no protocol version", "/app/stammtisch", 4008],
    ["an empty protocol version", "/app/stammtisch?protocol=", 4008],
    ["a protocol version that is not a number", "/app/stammtisch?protocol=seven", 4006],
    ["an old protocol version", "/app/stammtisch?protocol=4", 4007],
    ["a future protocol version", "/app/stammtisch?protocol=8", 4007],
    ["another path", "/socket", 404],
    ["a path that continues after the app key", "/app/stammtisch/more?protocol=7", 404],
    ["no app key after the path", "/app/?protocol=7", 404],
    ["no app key and no slash after the path", "/app?protocol=7", 404],
  ])("the server refuses a WebSocket upgrade with %s", async (_, path, expected) => {
    const testServer = await createRealtimeTestServer();
    expect(await testServer.connectRefused({ path, as: anna })).toBe(expected);
  });

  test("the server accepts sockets from the allowed origins, and from programs without an Origin header", async () => {
    const testServer = await createRealtimeTestServer();
    for (const origin of [testServer.origin, "https://extra.example", undefined]) {
      const caller = await testServer.connect({ as: anna, ...(origin && { origin }) });
      expect(caller.id).toBeTruthy();
    }
  });

  test.each([
    "https://evil.example",
    "null",
    "https://sub.extra.example",
    "https://extra.example.evil.example",
    "https://evil-extra.example",
    "https://evil@extra.example",
    "https://extra.example:8443",
    "http://extra.example",
    "https://extra.example/",
    "HTTPS://EXTRA.EXAMPLE",
    "https://extra.example, https://evil.example",
    "http://127.0.0.1",
    "file://",
  ])("the server refuses sockets from the origin %j, with and without a session", async (origin) => {
    const testServer = await createRealtimeTestServer();
    expect(await testServer.connectRefused({ origin, as: anna })).toBe(403);
    expect(testServer.realtime.sizes()).toMatchObject({ sockets: 0 });
  });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1.evil.example"])(
    "the server refuses sockets whose Host header is %j",
    async (host) => {
      const testServer = await createRealtimeTestServer();
      expect(await testServer.connectRefused({ host, origin: testServer.origin, as: anna })).toBe(421);
    },
  );

  test("the server refuses sockets from an origin with its own host, but another port or scheme", async () => {
    const testServer = await createRealtimeTestServer();
    expect(await testServer.connectRefused({ origin: `http://127.0.0.1:${testServer.port + 1}`, as: anna })).toBe(403);
    expect(await testServer.connectRefused({ origin: `https://127.0.0.1:${testServer.port}`, as: anna })).toBe(403);
  });

  test("a socket beyond a member's limit is closed, and the member's older sockets remain open", async () => {
    const testServer = await createRealtimeTestServer({ maxPerUser: 2 });
    const phone = await testServer.connect({ as: anna });
    const laptop = await testServer.connect({ as: annasLaptop });
    expect(await testServer.connectRefused({ as: anna })).toBe(4004);
    await phone.flush();
    await laptop.flush();
    await testServer.connect({ as: ben });
    laptop.socket.close();
    await expect.poll(() => testServer.realtime.sizes().sockets).toBe(2);
    await testServer.connect({ as: anna });
  });

  test("each of two instances opens half of a member's sockets and answers others with 503, until it is alone", async () => {
    let instances = 2;
    const testServer = await createRealtimeTestServer({ maxPerUser: 3, countInstances: () => instances });
    for (const as of [anna, annasLaptop]) await testServer.connect({ as });
    expect(await testServer.connectRefused({ as: anna })).toBe(503);
    await testServer.connect({ as: ben });
    instances = 1;
    await testServer.connect({ as: anna });
    expect(await testServer.connectRefused({ as: anna })).toBe(4004);
  });

  test("a WebSocket upgrade gets 503 if its address or the whole server has too many sockets", async () => {
    const testServer = await createRealtimeTestServer({ maxSockets: 3, maxPerIp: 2 });
    const first = await testServer.connect({ address: "a" });
    await testServer.connect({ address: "a" });
    expect(await testServer.connectRefused({ address: "a" })).toBe(503);
    await testServer.connect({ address: "b" });
    expect(await testServer.connectRefused({ address: "c" })).toBe(503);
    first.socket.terminate();
    await expect.poll(() => testServer.realtime.sizes().connections).toBe(2);
    await testServer.connect({ address: "c" });
  });

  test("a fifth of all sockets is reserved for members", async () => {
    const testServer = await createRealtimeTestServer({ maxSockets: 10 });
    for (let index = 0; index < 8; index += 1) await testServer.connect({ address: `a${index}` });
    for (const path of [undefined, "/app/else?protocol=7"])
      expect(await testServer.connectRefused({ address: "b", ...(path && { path }) })).toBe(503);
    expect(await testServer.connectRefused({ address: "b", as: "ended" })).toBe(503);
    await testServer.connect({ address: "b", as: anna });
    await testServer.connect({ address: "b", as: ben });
    expect(await testServer.connectRefused({ address: "b", as: ben })).toBe(503);
  });

  test("the limit of anonymous sockets per address does not apply to members at that address", async () => {
    const testServer = await createRealtimeTestServer({ maxPerIp: 2 });
    for (const as of [anna, annasLaptop, ben, anna, ben]) await testServer.connect({ address: "hall", as });
    await testServer.connect({ address: "hall", as: "forged" });
    const late = await testServer.connect({ address: "hall" });
    expect(await testServer.connectRefused({ address: "hall", as: "forged" })).toBe(503);
    expect(await testServer.connectRefused({ address: "hall" })).toBe(503);
    await late.subscribe("private-beercounter", ben);
    await testServer.connect({ address: "hall" });
    expect(await testServer.connectRefused({ address: "hall" })).toBe(503);
    expect(testServer.realtime.sizes()).toMatchObject({ sockets: 8, connections: 8 });
  });

  test("a socket that the server closes because its session has ended counts as anonymous until the close is confirmed", async () => {
    const testServer = await createRealtimeTestServer({ maxPerIp: 1 });
    const caller = await testServer.connect({ address: "a", as: anna });
    // A client that does not read does not confirm the close either.
    caller.socket.pause();
    testServer.sessions.delete(anna.sessionId);
    await testServer.realtime.accessChanged(noDatabase, { userId: anna.userId });
    expect(await testServer.connectRefused({ address: "a" })).toBe(503);
    caller.socket.resume();
    await expect.poll(() => testServer.realtime.sizes().connections).toBe(0);
    await testServer.connect({ address: "a" });
  });

  test("WebSocket upgrades count towards the rate limit of their address with a forged session, but not with a member's", async () => {
    const upgradeLimit = createRateLimiter({ limit: 3, seconds: 60 }, { factor: 1, clock: systemClock });
    const testServer = await createRealtimeTestServer({ upgradeLimit });
    for (const as of [anna, ben, annasLaptop, clara, ben]) await testServer.connect({ address: "hall", as });
    testServer.isDatabaseDown = true;
    for (let index = 0; index < 4; index += 1)
      expect(await testServer.connectRefused({ address: "hall", as: clara })).toBe(503);
    testServer.isDatabaseDown = false;
    await testServer.connect({ address: "hall", as: clara });
    for (let index = 0; index < 3; index += 1) await testServer.connect({ address: "hall", as: "forged" });
    expect(await testServer.connectRefused({ address: "hall", as: "forged" })).toBe(503);
    expect(await testServer.connectRefused({ address: "hall", as: clara })).toBe(503);
  });

  test("the WebSocket upgrades of one member are limited, even if they come from several addresses", async () => {
    const upgradeLimit = createRateLimiter({ limit: 3, seconds: 60 }, { factor: 1, clock: systemClock });
    const testServer = await createRealtimeTestServer({ upgradeLimit });
    for (const address of ["a", "b", "c"]) await testServer.connect({ address, as: anna });
    expect(await testServer.connectRefused({ address: "d", as: anna })).toBe(503);
    await testServer.connect({ address: "d", as: ben });
  });

  test("sockets of an IPv6 address also count for the limits of its /56 and /48 networks", async () => {
    const testServer = await createRealtimeTestServer({ maxSockets: 100, maxPerIp: 1 });
    let [opened, status] = [0, 101];
    while (status === 101 && opened < 20) {
      const address = `2001:db8:1:${opened.toString(16)}::1`;
      status = await testServer.connect({ address }).then(
        () => 101,
        () => 503,
      );
      if (status === 101) opened += 1;
    }
    expect(opened).toBe(4);
    await testServer.connect({ address: "2001:db8:1:100::1" });
  });

  test("the rate limit of WebSocket upgrades per address is checked before any database query", async () => {
    const admits = vi.fn(() => false);
    const testServer = await createRealtimeTestServer({ upgradeLimit: { admits, uncount: vi.fn() } });
    testServer.isDatabaseDown = true;
    expect(await testServer.connectRefused({ as: anna, address: "a" })).toBe(503);
    expect(admits).toHaveBeenCalledWith(["a"]);
    expect(testServer.logEvents).toEqual(["upgrade-refused"]);
  });

  test("a socket that remains anonymous is closed after a deadline, and members' sockets remain open", async () => {
    const testServer = await createRealtimeTestServer({ timings: { beat: 10, anonymousFor: 100 } });
    const [member, late, anonymous] = [
      await testServer.connect({ as: anna }),
      await testServer.connect(),
      await testServer.connect(),
    ];
    await late.subscribe("private-beercounter", ben);
    expect(await anonymous.closed).toBe(4009);
    await member.flush();
    await late.flush();
  });

  test("a WebSocket upgrade gets 503 while the database with the sessions is down", async () => {
    const testServer = await createRealtimeTestServer();
    testServer.isDatabaseDown = true;
    expect(await testServer.connectRefused({ as: anna })).toBe(503);
    await expect.poll(() => testServer.realtime.sizes().connections).toBe(0);
  });

  test("a binary message, or a message above 10,000 bytes, closes only the socket that sent it", async () => {
    const testServer = await createRealtimeTestServer();
    const bystander = await testServer.connect({ as: ben });
    const binary = await testServer.connect({ as: anna });
    binary.socket.send(Buffer.from("{}"));
    expect(await binary.closed).toBe(1003);
    const long = await testServer.connect({ as: anna });
    long.socket.send("x".repeat(10_000));
    await long.next("pusher:error");
    long.socket.send("x".repeat(10_001));
    expect(await long.closed).toBe(1009);
    await bystander.flush();
  });

  test("the server does not accept compression of WebSocket messages", async () => {
    const testServer = await createRealtimeTestServer();
    const caller = await testServer.connect();
    expect(caller.socket.extensions).toBe("");
  });

  test("the server survives malformed handshakes and closes their connections", async () => {
    const testServer = await createRealtimeTestServer();
    const handshakes = [
      "GET /app/stammtisch?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "POST /app/stammtisch?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "GET /app/stammtisch?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      "GET //[::/app HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "GET /app/%zz?protocol=%zz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ];
    for (const handshake of handshakes) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(testServer.port, "127.0.0.1", () => socket.write(handshake));
        let read = "";
        socket.on("data", (chunk) => (read += String(chunk)));
        socket.on("close", () => resolve(read));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    await expect.poll(() => testServer.realtime.sizes()).toMatchObject({ sockets: 0, connections: 0 });
    await testServer.connect();
  });

  test("the server keeps no state of sockets after 300 sockets are lost at once", async () => {
    const testServer = await createRealtimeTestServer({
      maxSockets: 400,
      maxPerIp: 400,
      maxPerUser: 400,
      timings: { presenceGrace: 10 },
    });
    const callers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => testServer.connect(i % 3 ? { as: anna } : {})),
    );
    await Promise.all(callers.map(async (caller, i) => i % 2 && (await caller.subscribe("presence-stammtisch", anna))));
    expect(testServer.realtime.sizes()).toMatchObject({ sockets: 300, users: 1, connections: 300 });
    for (const caller of callers) caller.socket.terminate();
    await expect
      .poll(() => testServer.realtime.sizes())
      .toEqual({ sockets: 0, users: 0, sessions: 0, channels: 0, connections: 0 });
  });
});
