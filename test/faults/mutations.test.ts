import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { subscribeToChannel } from "#test/process/channel-socket.ts";
import { startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { createRandom } from "./random.ts";
import { mutate, type RawAnswer, sendBytes } from "./raw-bytes.ts";
import { databases, percentile, report } from "./report.ts";

const requestsEach = 1700;
const frames = 1000;
const atOnce = 20;

test.for(databases)("randomly damaged requests neither end the server nor cause an internal error (%s)", async (db) => {
  await using server = await startServerProcess({ database: db });
  const { pid } = server;
  const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
  await server.run("user", "grant", "bert", "see-game-servers", "toggle-game-servers", "admin");
  const stranger = server.createClient();
  await stranger.get("/sanctum/csrf-cookie");

  const answers: RawAnswer[] = [];
  for (const [index, client] of [stranger, anna, bert].entries()) {
    const random = createRandom(index + 1);
    const seeds = validRequests(server, client);
    const waiting = Array.from({ length: requestsEach }, () =>
      mutate(seeds[Math.floor(random() * seeds.length)]!, random),
    );
    const send = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) answers.push(await sendBytes(server.port, next));
    };
    await Promise.all(Array.from({ length: atOnce }, send));
  }
  const statuses = answers.flatMap(({ bytes }) =>
    [...bytes.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1])),
  );
  const broken = statuses.filter((status) => status >= 500).length;
  const shapeless = answers.filter(
    ({ bytes }) => /^HTTP\/1\.1 4\d\d/.test(bytes) && !/"message":"[^"]/.test(bytes),
  ).length;
  const slowest = percentile(
    answers.map(({ ms }) => ms),
    1,
  );
  const isAlive = server.pid === pid && (await server.createClient().get("/readyz")).status === 200;
  report(
    "T026",
    { requests: answers.length, answers: statuses.length, "5xx": broken, shapeless, "slowest, ms": slowest },
    "process alive, 0 5xx, every refusal in our shape, 2000 ms",
    db,
  );
  expect([isAlive, broken, shapeless]).toEqual([true, 0, 0]);
  expect(server.output.errors).not.toContain('"level":"error"');
});

test("a damaged WebSocket frame closes only the socket that received it", async () => {
  await using server = await startServerProcess({ env: { WS_MAX_PER_USER: "2000", WS_MAX_PER_IP: "2000" } });
  const [anna] = (await server.createMembers("anna")) as [Client];
  const bystander = await subscribeToChannel(server, anna);
  const random = createRandom(7);
  const seeds = ["pusher:ping", "pusher:subscribe", "pusher:unsubscribe", "pusher:signin", "client-beer"].map((event) =>
    frame(
      JSON.stringify({ event, data: { channel: "private-beercounter", auth: "stammtisch:00", channel_data: "{}" } }),
    ),
  );
  const damaged = Array.from({ length: frames }, () => mutate(seeds[Math.floor(random() * seeds.length)]!, random));
  while (damaged.length > 0) {
    await Promise.all(damaged.splice(0, atOnce).map(async (bytes) => openRawSocket(server, anna, bytes)));
  }
  await anna.post("/api/beercounter/counters");
  await expect.poll(() => bystander.events.at(-1)?.data["counterVal"]).toBe(1);
  report("T026", frames, "process alive, bystanders served");
  expect(server.output.errors).not.toContain('"level":"error"');
});

function validRequests(server: ServerProcess, client: Client): Buffer[] {
  const post = (path: string, body: string, type = "application/json") => request("POST", path, body, type);
  const register = {
    token: "00000-00000-00000-00000-000000",
    uname: "x",
    name: "x",
    email: "x@y.example",
    password: "12345678",
  };
  return [
    request("GET", "/api/checkLoginStatus"),
    request("GET", "/api/config"),
    request("GET", "/api/beercounter/counters"),
    request("GET", "/api/beercounter/stats/user"),
    request("GET", "/api/beercounter/stats/timely"),
    request("GET", "/internal/images/avatar/AAAAAAAAAAAAAAAAAAAAAA"),
    post("/api/beercounter/counters", "{}"),
    post("/api/login", JSON.stringify({ uname: "anna", password: "falsch", rememberUser: true })),
    post("/api/register", JSON.stringify({ ...register, password_confirmation: "12345678" })),
    post("/broadcasting/auth", "socket_id=1.2&channel_name=private-beercounter", "application/x-www-form-urlencoded"),
    post("/broadcasting/user-auth", JSON.stringify({ socket_id: "1.2" })),
  ];

  function request(method: string, path: string, body = "", type = ""): Buffer {
    const head = [`${method} ${path} HTTP/1.1`, `Host: localhost:${server.port}`, `Cookie: ${client.cookieHeader}`];
    head.push(
      `X-XSRF-TOKEN: ${client.csrfToken}`,
      "X-Requested-With: XMLHttpRequest",
      "Idempotency-Key: 0123456789abcdef",
    );
    if (body) head.push(`Content-Type: ${type}`, `Content-Length: ${body.length}`);
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
}

/** Returns a WebSocket text frame as clients send it, masked with zeros. */
function frame(text: string): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126]), size, Buffer.alloc(4), Buffer.from(text)]);
}

/** Opens a WebSocket, sends the bytes unchanged, and gives the server 50 ms to process them. */
async function openRawSocket(server: ServerProcess, client: Client, bytes: Buffer): Promise<void> {
  const head = [
    "GET /app/stammtisch?protocol=7 HTTP/1.1",
    `Host: localhost:${server.port}`,
    `Cookie: ${client.cookieHeader}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 101 /);
  socket.write(bytes);
  await sleep(50);
  socket.destroy();
}
