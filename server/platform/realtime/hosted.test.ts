import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

import { describe, expect, test, vi } from "vitest";

import { systemClock } from "#server/platform/clock.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createConnectedBuses } from "#test/connected-buses.ts";
import { anna, ben, refusedWith, noDatabase } from "#test/realtime-test-server.ts";
import type { Bus } from "./bus.ts";
import { createHostedService } from "./hosted-service.ts";
import { createHostedRealtime } from "./hosted.ts";

const key = "278d425bdf160c739803";
const secret = "7ad3773142a6692b25b8";

/**
 * Opens a fake hosted service that records all calls. It answers with the given statuses, then with
 * 200.
 */
function openService(...expected: (number | "hang")[]) {
  return openServiceAsking(1, ...expected);
}

/**
 * Opens the same fake service, with the given milliseconds before the first retry of a request to
 * end sockets.
 */
async function openServiceAsking(endAgainAfterMs: number, ...expected: (number | "hang")[]) {
  const answers: (number | "hang")[] = [];
  const [bus, commandLine] = createConnectedBuses(2) as unknown as [Bus, Bus];
  const told: { path: string; body: { name?: string; channel?: string; data: string }; isSigned: boolean }[] = [];
  const server = createServer((request, response) => void answerTo(request, response));

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "", "http://service");
    const signature = url.searchParams.get("auth_signature");
    url.searchParams.delete("auth_signature");
    url.searchParams.sort();
    const signed = `${request.method}\n${url.pathname}\n${decodeURIComponent(String(url.searchParams))}`;
    const isSigned =
      signature === createHmac("sha256", secret).update(signed).digest("hex") &&
      url.searchParams.get("body_md5") === createHash("md5").update(body).digest("hex") &&
      url.searchParams.get("auth_timestamp") === "1353088179";
    told.push({ path: url.pathname, body: JSON.parse(body), isSigned });
    const answer = answers.shift() ?? 200;
    if (answer !== "hang") response.writeHead(answer).end("{}");
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const logged = vi.fn();
  const log = { debug: logged, info: logged, warn: logged, error: logged };
  const service = createHostedService({
    key,
    secret,
    appId: "3",
    origin: `http://127.0.0.1:${port}`,
    clock: { ...systemClock, now: () => 1353088179_000 },
    log,
    timeoutMs: expected.includes("hang") ? 500 : 10_000,
    endAgainAfterMs,
  });
  let version = 0;
  const resync = async () => ({ event: "updated", data: { version } });
  const realtime = createHostedRealtime({
    key,
    secret,
    service,
    headers: {},
    log,
    bus,
    channels: [
      { name: "private-beercounter", version: async () => 3, resync },
      { name: "private-game-servers", permission: "see-game-servers" },
    ],
  });
  await expect.poll(() => told.length).toBe(1);
  const toldAtStart = told.splice(0);
  answers.push(...expected);
  version = 9;
  endWithTest(async () => {
    await realtime.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { commandLine, toldAtStart, told, realtime, logged };
}

describe("a hosted service", () => {
  test("the hosted realtime service gets every event, signed and in order", async () => {
    const service = await openService();
    for (let version = 1; version <= 5; version += 1) {
      void service.realtime.publish(noDatabase, "updated", "private-beercounter", {
        version,
        userName: "Ännchen & Ben",
      });
    }
    await service.realtime.drain();
    expect(service.told).toHaveLength(5);
    for (const call of service.told) expect(call).toMatchObject({ path: "/apps/3/events", isSigned: true });
    expect(service.told.map(({ body }) => JSON.parse(body.data).version)).toEqual([1, 2, 3, 4, 5]);
    expect(service.told[0]?.body).toEqual({
      name: "updated",
      channel: "private-beercounter",
      data: '{"version":1,"userName":"Ännchen & Ben"}',
    });
  });

  test.each([
    ["gets a call a second time after an error", [500], 3, "answers 500."],
    ["gets a call a second time if it did not answer", ["hang" as const], 3, "does not answer (TimeoutError)."],
    ["does not get an event after two errors", [500, 500], 3, "answers 500."],
    ["does not get a refused call a second time", [413], 2, "answers 413."],
    ["does not get a wrongly signed call a second time", [401], 2, "this machine's clock is wrong."],
    ["does not get a redirected call a second time", [302], 2, "answers 302."],
    ["gets a throttled call a second time", [429], 3, "answers 429."],
  ])("the hosted realtime service %s, and the log contains the reason", async (_, answers, requests, reason) => {
    const service = await openService(...answers);
    void service.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 1 });
    void service.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 2 });
    await service.realtime.drain();
    expect(service.told).toHaveLength(requests);
    expect(JSON.parse(service.told.at(-1)?.body.data ?? "")).toEqual({ version: 2 });
    expect(service.logged).toHaveBeenCalledWith(
      "realtime-service-failed",
      expect.objectContaining({ reason: expect.stringContaining(reason) }),
    );
    expect(JSON.stringify(service.logged.mock.calls)).not.toContain(secret);
  });

  test("a member's access change or ended session makes the hosted realtime service end the member's sockets", async () => {
    const service = await openService();
    await service.realtime.accessChanged(noDatabase, { userId: 7 });
    await service.realtime.accessChanged(noDatabase, { userId: 8, sessionIds: ["x"] });
    await service.realtime.drain();
    expect(service.told.map(({ path }) => path)).toEqual(
      [7, 8].map((id) => `/apps/3/users/${id}/terminate_connections`),
    );
  });

  const callsOf = ({ told }: { told: readonly { path: string }[] }) => told.map(({ path }) => path.split("/").at(-1));

  test("the request to end a member's sockets does not wait for unanswered events to the hosted realtime service", async () => {
    const service = await openService("hang");
    void service.realtime.publish(noDatabase, "updated", "private-beercounter", { version: 1 });
    await expect.poll(() => service.told).toHaveLength(1);
    await service.realtime.accessChanged(noDatabase, { userId: 7 });
    await service.realtime.drain();
    expect(callsOf(service)).toEqual(["events", "terminate_connections", "events"]);
  });

  test("requests to end sockets are retried until the hosted realtime service answers, for each member and each change", async () => {
    const service = await openService(500, 503, 429, 500, 200, 200, 500, 500, 404);
    await service.realtime.accessChanged(noDatabase, { userId: 7 });
    await service.realtime.accessChanged(noDatabase, { userId: 8 });
    const members = () => service.told.map(({ path }) => Number(path.split("/").at(-2)));
    await expect.poll(members).toEqual([7, 7, 8, 8, 7, 8]);
    await service.realtime.accessChanged(noDatabase, { userId: 7 });
    await expect.poll(members).toEqual([7, 7, 8, 8, 7, 8, 7, 7, 7]);
    await service.realtime.drain();
    expect(members()).toHaveLength(9);
  });

  test("a pending request to end sockets is sent once more when the server stops", async () => {
    const service = await openServiceAsking(60_000, 500, 500);
    await service.realtime.accessChanged(noDatabase, { userId: 7 });
    await service.realtime.drain();
    expect(service.told).toHaveLength(2);
    await service.realtime.close();
    expect(callsOf(service)).toEqual(Array.from({ length: 3 }, () => "terminate_connections"));
  });

  test("the hosted realtime service gets the new state after a command wrote to the database", async () => {
    const service = await openService();
    await service.commandLine.send(noDatabase, { kind: "resync" });
    await expect.poll(() => service.told.map(({ body }) => JSON.parse(body.data))).toEqual([{ version: 9 }]);
  });

  test("the hosted realtime service gets the current state at every server start, because a crashed server may not have sent it", async () => {
    const service = await openService();
    expect(service.toldAtStart.map(({ body }) => JSON.parse(body.data))).toEqual([{ version: 0 }]);
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

  test("the server accepts no sockets if a hosted realtime service is configured", async () => {
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
