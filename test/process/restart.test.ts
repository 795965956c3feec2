import { createHash } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Answer, Visitor } from "#test/visitor.ts";
import { openServer, type Server } from "./server.ts";
import { openSocket } from "./socket.ts";

const counters = "/api/beercounter/counters";

test("what was answered before a kill is there after it: the login, the beer, and the beer of a repeated key", async () => {
  await using server = await openServer();
  await server.start();
  const [anna] = await server.members("anna");
  const first = await tap(anna!, "first-tap");
  expect(first.json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });

  await server.kill();
  expect(await server.start()).toBeLessThan(3000);
  expect((await anna!.get(counters)).json).toEqual(first.json);
  const again = await tap(anna!, "first-tap");
  expect(again.json).toEqual(first.json);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect((await tap(anna!, "second-tap")).json).toEqual({ KSKCounterVal: 2, userCounterVal: 2 });
});

test("kills under load lose no beer and count none twice", async () => {
  await using server = await openServer();
  await server.start();
  const members = await server.members("anna", "bert", "carla", "dora");
  const until = performance.now() + 5000;
  const clients = members.flatMap((member, index) => [
    drinkUntil(member, `${index}a`, until),
    drinkUntil(member, `${index}b`, until),
  ]);
  let kills = 0;
  for (; performance.now() < until - 1000; kills += 1) {
    await sleep(200 + Math.random() * 500);
    await server.kill();
    await server.start();
  }
  const keys = (await Promise.all(clients)).flat();

  const exported: { key: string }[] = (await server.command("beers", "export", "--json")).json;
  expect(kills).toBeGreaterThan(3);
  expect(keys.length).toBeGreaterThan(100);
  expect(exported.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  expect((await members[0]!.get(counters)).json.KSKCounterVal).toBe(keys.length);
});

test("SIGTERM: the request in flight is answered, sockets are told to come back, and the exit is clean", async () => {
  await using server = await openServer();
  await server.start();
  const [anna] = await server.members("anna");
  const sockets = await Promise.all([openSocket(server, anna!), openSocket(server, anna!)]);
  const slow = await startRequest(server, anna!);
  const ended = server.ended();
  const began = performance.now();
  server.signal("SIGTERM");
  await sleep(300);
  const tapped = slow.finish();
  expect(await tapped).toMatch(/^HTTP\/1\.1 200 /);
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
  expect(codes).toEqual([4100, 4100]);
  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(8000);
  await server.start();
  expect((await anna!.get(counters)).json.KSKCounterVal).toBe(1);
});

test("a second SIGTERM ends it at once, even while a request never finishes", async () => {
  await using server = await openServer();
  await server.start();
  const [anna] = await server.members("anna");
  const slow = await startRequest(server, anna!);
  const ended = server.ended();
  server.signal("SIGTERM");
  await sleep(200);
  const began = performance.now();
  server.signal("SIGTERM");
  await ended;
  expect(performance.now() - began).toBeLessThan(1000);
  slow.abandon();
});

function tap(member: Visitor, key: string): Promise<Answer> {
  return member.post(counters, undefined, { "idempotency-key": key });
}

/** Drinks beer after beer; whatever happens to a request, its key is sent again until it was answered. Returns the keys. */
async function drinkUntil(member: Visitor, name: string, until: number): Promise<string[]> {
  const keys: string[] = [];
  while (performance.now() < until) {
    const key = createHash("sha256").update(`${name} ${keys.length}`).digest("base64url");
    for (;;) {
      const answer = await tap(member, key).catch(() => null);
      if (answer?.status === 200) break;
      if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(answer.text);
      await sleep(20);
    }
    keys.push(key);
  }
  return keys;
}

/** A beer whose request is on the way: all of it but the last byte of its body. */
async function startRequest({ port }: Server, member: Visitor) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  const head = [
    `POST ${counters} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Cookie: ${member.cookieHeader}`,
    `X-XSRF-TOKEN: ${member.token}`,
    "Content-Type: application/json",
    "Content-Length: 2",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  await sleep(200);
  return {
    async finish(): Promise<string> {
      socket.write("}");
      await ended;
      return received;
    },
    abandon: () => void socket.destroy(),
  };
}
