import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { type Answer, type Call, key, openHostedService as openService, secret } from "#test/hosted-service.ts";
import { anna, ben, refusedWith, noDatabase } from "#test/realtime-test-server.ts";

/** Returns a list of `count` numbers, from `first` on. */
const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, index) => ({ number: first + index }));

describe("events for a hosted realtime service", () => {
  test("the hosted realtime service gets all events in order, signed, one call at a time with up to ten events", async () => {
    const service = await openService();
    const events = numbers(25);
    for (const event of events) service.publish("said", { ...event, by: "Ännchen & Ben" });
    await service.realtime.drain();
    expect(service.published()).toMatchObject(events);
    expect(service.batches()).toEqual([1, 10, 10, 4]);
    for (const call of service.told)
      expect(call).toMatchObject({ method: "POST", path: "/apps/3/batch_events", isSigned: true });
    expect(service.told[0]?.events[0]).toEqual({
      name: "said",
      channel: "private-beercounter",
      data: '{"number":0,"by":"Ännchen & Ben"}',
    });
  });

  test("while a call is in flight, the newest of equal events with a version waits at the place of the first", async () => {
    const service = await openService();
    service.publish("said", { number: 0 });
    for (const version of [1, 2]) service.publish("updated", { version });
    service.publish("said", { number: 1 });
    for (const version of [4, 3, 5]) service.publish("updated", { version });
    await service.realtime.drain();
    expect(service.published()).toEqual([{ number: 0 }, { version: 5 }, { number: 1 }]);
  });

  test.each<[string, Answer, string]>([
    ["an error", 500, "answers 500."],
    ["no answer", "hang", "does not answer (TimeoutError)."],
    ["a message quota that is used up", 403, "answers 403."],
    ["a throttled call", { status: 429, headers: { "Retry-After": "0" } }, "answers 429."],
    ["an unknown app", 404, "answers 404."],
    ["a wrong clock", 401, "this machine's clock is wrong."],
    ["a redirect", 302, "answers 302."],
  ])(
    "after %s, the same events are sent again before newer ones, and the log says why once",
    async (_, answer, reason) => {
      const service = await openService([answer, answer, answer]);
      service.publish("said", { number: 0 });
      for (const event of numbers(12, 1)) service.publish("said", event);
      await expect.poll(() => service.published().at(-1)).toEqual({ version: 9 });
      const sent = service.told.slice(3).flatMap(({ events }) => events.map(({ data }) => JSON.parse(data)));
      expect(sent.slice(0, 13)).toEqual(numbers(13));
      expect(service.told.slice(0, 4).map(({ events }) => JSON.parse(events[0]!.data))).toEqual(
        Array.from({ length: 4 }, () => ({ number: 0 })),
      );
      const failures = service.logged.mock.calls.filter(([event]) => event === "realtime-service-failed");
      expect(failures).toEqual([["realtime-service-failed", { reason: expect.stringContaining(reason) }]]);
      expect(JSON.stringify(service.logged.mock.calls)).not.toContain(secret);
    },
  );

  test("after a throttled call, the server waits as long as the hosted realtime service asks, and otherwise a second", async () => {
    const service = await openService([429, { status: 429, headers: { "Retry-After": "2" } }]);
    service.publish("said", { number: 0 });
    await expect.poll(() => service.told.length).toBeGreaterThan(2);
    expect(service.told[1]?.after).toBeGreaterThan(990);
    expect(service.told[2]?.after).toBeGreaterThan(1990);
  });

  test("a batch that is too large is split until only the refused event is dropped", async () => {
    const service = await openService([200, 413, 413, 200, 413, 413]);
    const events = numbers(11);
    for (const event of events) service.publish("said", event);
    await service.realtime.drain();
    // The fourth call has the first three events. Then the batches grow and are split again.
    expect(service.batches()).toEqual([1, 10, 5, 3, 6, 3, 2, 4, 1]);
    const accepted = [0, 3, 6, 7, 8].flatMap((call) => service.told[call]!.events.map(({ data }) => JSON.parse(data)));
    expect(accepted).toEqual(events);
  });

  test.each([400, 413])(
    "an event that is refused with %i is logged and dropped, and newer ones are sent",
    async (status) => {
      const service = await openService([status]);
      service.publish("said", { number: 0 });
      service.publish("said", { number: 1 });
      await service.realtime.drain();
      expect(service.batches()).toEqual([1, 1]);
      expect(service.logged).toHaveBeenCalledWith("realtime-event-refused", {
        event: "said",
        channel: "private-beercounter",
        reason: `REALTIME_URL: the service answers ${status}.`,
      });
    },
  );

  test("the newest 1,000 events are kept during a long failure of the hosted realtime service", async () => {
    const service = await openService([500], { retryAfterMs: 100 });
    for (const event of numbers(1_200)) service.publish("said", event);
    await expect.poll(() => service.published().at(-1)).toEqual({ version: 9 });
    expect(service.published().filter(({ number }) => number > 0)).toEqual(numbers(999, 201));
  });

  test("waiting events are sent once more when the server stops during a pause", async () => {
    const service = await openService([500], { retryAfterMs: 60_000 });
    service.publish("said", { number: 0 });
    await expect.poll(() => service.logged).toHaveBeenCalledWith("realtime-service-failed", expect.anything());
    await service.realtime.close();
    expect(service.published()).toEqual([{ number: 0 }, { number: 0 }]);
  });
});

describe("the state on a hosted realtime service", () => {
  test.each<[string, Answer]>([
    ["an error", 500],
    ["no answer", "hang"],
    ["a message quota that is used up", 403],
    ["a throttled call", { status: 429, headers: { "Retry-After": "0" } }],
  ])("the current state is published again once the hosted realtime service works after %s", async (_, answer) => {
    const service = await openService([answer]);
    service.publish("updated", { version: 9 });
    await expect.poll(service.published).toEqual([{ version: 9 }, { version: 9 }, { version: 9 }]);
    expect(service.logged).toHaveBeenCalledWith("realtime-service-recovered");
  });

  test("the current state is published every minute if another instance has not done it, and otherwise not again", async () => {
    const service = await openService([], { sweepEvery: 20 });
    void service.otherInstance.send(noDatabase, {
      kind: "event",
      event: "updated",
      channel: "private-beercounter",
      data: { version: 9 },
    });
    const sweeps = () => service.told.filter(({ method }) => method === "GET").length;
    await expect.poll(service.published).toEqual([{ version: 9 }]);
    const before = sweeps();
    await expect.poll(sweeps).toBeGreaterThan(before + 2);
    expect(service.published()).toEqual([{ version: 9 }]);
  });

  test("the state is published again by the next sweep after its event was refused", async () => {
    const service = await openService([413], { sweepEvery: 50 });
    service.publish("updated", { version: 9 });
    await expect.poll(service.published).toEqual([{ version: 9 }, { version: 9 }]);
  });

  test("the hosted realtime service gets the new state after the command line wrote to the database", async () => {
    const service = await openService();
    await service.commandLine.send(noDatabase, { kind: "resync" });
    await expect.poll(service.published).toEqual([{ version: 9 }]);
  });

  test("the hosted realtime service gets the current state when the server starts, because a crashed server may not have sent it", async () => {
    const service = await openService();
    expect(service.toldAtStart.flatMap(({ events }) => events.map(({ data }) => JSON.parse(data)))).toEqual([
      { version: 0 },
    ]);
  });

  test("many open pages are counted every minute, and told when they are no longer many", async () => {
    const counted = (count: number): Answer => ({ status: 200, body: { subscription_count: count } });
    const service = await openService([], { sweepEvery: 20 });
    service.counts.push(...[134, 120, 80, 70].map(counted), 403, counted(60));
    await expect.poll(() => service.counts).toHaveLength(0);
    expect(service.told.find(({ method }) => method === "GET")).toMatchObject({
      path: "/apps/3/channels/private-beercounter",
      isSigned: true,
    });
    expect(service.published().filter(({ count }) => count)).toEqual([{ count: 134 }, { count: 120 }, { count: 80 }]);
  });
});

describe("access and sockets with a hosted realtime service", () => {
  const callsOf = ({ told }: { told: readonly Call[] }) => told.map(({ path }) => path.split("/").at(-1));

  test("an access change or an ended session of a member makes the hosted realtime service end the member's sockets", async () => {
    const service = await openService();
    await service.realtime.accessChanged(service.db, { userId: 7 });
    await service.realtime.accessChanged(service.db, { userId: 8, sessionIds: ["x"] });
    await service.realtime.drain();
    expect(service.told.map(({ path }) => path)).toEqual(
      [7, 8].map((id) => `/apps/3/users/${id}/terminate_connections`),
    );
  });

  test("the request to end a member's sockets does not wait for events that the hosted realtime service does not answer", async () => {
    const service = await openService(["hang"]);
    service.publish("said", { number: 0 });
    await expect.poll(() => service.told).toHaveLength(1);
    await service.realtime.accessChanged(service.db, { userId: 7 });
    await service.realtime.drain();
    expect(callsOf(service).slice(0, 3)).toEqual(["batch_events", "terminate_connections", "batch_events"]);
  });

  test("requests to end sockets are retried until the hosted realtime service answers, for each member and each change", async () => {
    const service = await openService([500, 403, 429, 500, 200, 200, 500, 401, 404]);
    await service.realtime.accessChanged(service.db, { userId: 7 });
    await service.realtime.accessChanged(service.db, { userId: 8 });
    const members = () => service.told.map(({ path }) => Number(path.split("/").at(-2)));
    await expect.poll(members).toEqual([7, 7, 8, 8, 7, 8]);
    await service.realtime.accessChanged(service.db, { userId: 7 });
    await expect.poll(members).toEqual([7, 7, 8, 8, 7, 8, 7, 7, 7]);
    await service.realtime.drain();
    expect(members()).toHaveLength(9);
  });

  test("a pending request to end sockets is sent once more when the server stops", async () => {
    const service = await openService([500, 500], { endAgainAfterMs: 60_000 });
    await service.realtime.accessChanged(service.db, { userId: 7 });
    await service.realtime.drain();
    expect(service.told).toHaveLength(2);
    await service.realtime.close();
    expect(callsOf(service)).toEqual(Array.from({ length: 3 }, () => "terminate_connections"));
  });

  test.each(["stops", "is killed"])(
    "if the server %s before the hosted realtime service accepts to end a member's sockets, the next start ends them",
    async (end) => {
      const failures = Array.from({ length: 8 }, () => 500);
      const service = await openService(failures, { endAgainAfterMs: 60_000 });
      await inTransaction(service.db, (tx) => service.realtime.accessChanged(tx, { userId: 7 }));
      await expect.poll(() => service.told).toHaveLength(2);
      if (end === "stops") await service.realtime.close();
      const next = await openService([], { db: service.db, callsAtStart: 2 });
      expect(next.toldAtStart.map(({ path }) => path)).toContain("/apps/3/users/7/terminate_connections");
      await expect.poll(() => service.db.selectFrom("socket_ends").selectAll().execute()).toEqual([]);
    },
  );

  test("the sweep ends the sockets for which another instance was killed before the hosted realtime service accepted it", async () => {
    const service = await openService([], { sweepEvery: 20 });
    await service.db.insertInto("socket_ends").values({ user_id: 7 }).execute();
    await expect.poll(() => callsOf(service)).toContain("terminate_connections");
    await expect.poll(() => service.db.selectFrom("socket_ends").selectAll().execute()).toEqual([]);
  });

  test("a change of access that is rolled back ends no sockets on the hosted realtime service", async () => {
    const service = await openService([], { sweepEvery: 20 });
    const change = inTransaction(service.db, async (tx) => {
      await service.realtime.accessChanged(tx, { userId: 7 });
      throw new Error("no");
    });
    await expect(change).rejects.toThrow("no");
    await expect.poll(() => service.told.length).toBeGreaterThan(2);
    expect(callsOf(service)).not.toContain("terminate_connections");
  });

  test("subscriptions through the hosted realtime service are signed only if the member may join the channel", async () => {
    const service = await openService();
    const ask = (channel: string, access = anna, socketId = "1234.1234") =>
      service.realtime.authorizeChannel({ socketId, channel }, access);
    expect(ask("private-beercounter")).toEqual({
      auth: `${key}:${createHmac("sha256", secret).update("1234.1234:private-beercounter").digest("hex")}`,
    });
    expect(() => ask("private-beercounter", anna, `${"1".repeat(70)}.1`)).not.toThrow();
    expect(ask("presence-stammtisch")).toMatchObject({
      channel_data: '{"user_id":"1","user_info":{"name":"Anna","avatarId":"a1"}}',
    });
    expect(refusedWith(() => ask("presence-stammtisch", { ...anna, isShown: false }))).toBe(403);
    expect(refusedWith(() => ask("private-game-servers", ben))).toBe(403);
    expect(refusedWith(() => ask("private-other"))).toBe(403);
    expect(refusedWith(() => ask("private-beercounter", anna, "1.1:x"))).toBe(403);
    expect(refusedWith(() => service.realtime.authenticateUser("1.1:x", anna))).toBe(403);
    expect(service.realtime.authenticateUser("1.1", anna)).toMatchObject({
      user_data: expect.stringContaining('"id":"1"'),
    });
  });

  test("this server accepts no sockets when a hosted realtime service is configured", async () => {
    const service = await openService();
    const server = createServer().on("upgrade", service.realtime.handleUpgrade);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise((resolve) => {
      const request = "GET /app/x?protocol=7 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.on("data", (chunk) => resolve(String(chunk)));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    await new Promise((resolve) => server.close(resolve));
  });
});
