import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";

import { expect, test } from "vitest";

import { createTestApp, type TestApp } from "#test/test-app.ts";

const countConnections = ({ context }: TestApp) =>
  new Promise((resolve) => context.http.fastify.server.getConnections((_, count) => resolve(count)));

test("a client that disconnects while sending its body causes no warning or error in the log", async () => {
  const app = await createTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head =
    "POST /api/login HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: application/json\r\nContent-Length: 9";
  const arrived = once(app.context.http.fastify.server, "request");
  socket.write(`${head}\r\n\r\n{`);
  const [request] = (await arrived) as [IncomingMessage];
  socket.destroy();
  await new Promise((resolve) => request.once("close", resolve));
  await app.context.http.whenIdle();
  // Waits for the answer of a later request, so that the server has handled the aborted one.
  await app.createClient().get("/api/config");
  expect(app.logLines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

test("a server that shuts down answers earlier requests and refuses new ones with 503", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const ask = (path: string) =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:3000\r\nCookie: ${anna.cookieHeader}\r\n\r\n`);
  const read = app.holdQuery("SelectQueryNode", "sessions");
  ask("/api/checkLoginStatus");
  await read.reached;
  const { fastify } = app.context.http;
  const closed = fastify.close();
  await expect.poll(() => fastify.server.listening).toBe(false);
  ask("/api/config");
  read.release();
  let heard = "";
  for await (const data of socket as AsyncIterable<Buffer>) heard += String(data);
  const [, first = "", second = ""] = heard.split("HTTP/1.1 ");
  expect(first).toMatch(/^200 .*"uname":"anna"/s);
  expect(second).toMatch(
    /^503 .*"message":"Der Dienst ist gerade nicht verfügbar\. Bitte versuche es gleich nochmal\."/s,
  );
  for (const header of [
    "connection: close",
    "retry-after: 1",
    "x-content-type-options: nosniff",
    "cache-control: no-store",
  ])
    expect(second.toLowerCase()).toContain(`\r\n${header}\r\n`);
  await closed;
});

test("a body above the limit is refused with 413, and only a very large one closes the connection", async () => {
  const app = await createTestApp();
  const refusal = async (length: number) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const head = ["POST /api/login HTTP/1.1", "Host: localhost:3000", `Content-Length: ${length}`];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    const heard = await new Promise<string>((resolve) => void socket.once("data", (data) => resolve(String(data))));
    socket.destroy();
    return [heard.slice(0, 12), /^connection: (.*)\r$/im.exec(heard)?.[1]];
  };
  expect(await refusal(5000)).toEqual(["HTTP/1.1 413", "keep-alive"]);
  expect(await refusal(2 ** 30)).toEqual(["HTTP/1.1 413", "close"]);
});

/** Connects a client that has received a 413 before sending its body. */
async function refuseClosingClient() {
  const app = await createTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const head = ["POST /api/login HTTP/1.1", "Host: localhost:3000", "Content-Length: 5000", "Connection: close"];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => void socket.once("data", (data) => resolve(String(data))));
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  await new Promise((resolve) => void socket.once("end", resolve));
  return {
    app,
    send: (text: string) => new Promise((resolve) => socket.write(text, resolve)),
    async close() {
      socket.destroy();
      await app.close();
    },
  };
}

test("a client with Connection: close can finish sending a body that was refused with 413", async () => {
  const { app, send, close } = await refuseClosingClient();
  expect([await send("x".repeat(2500)), await send("x".repeat(2500))]).toEqual([null, null]);
  await expect.poll(() => countConnections(app)).toBe(0);
  await close();
});

test("a client that never sends its refused body is disconnected", async () => {
  const { app, close } = await refuseClosingClient();
  Object.assign(app.context.http.fastify.server, { headersTimeout: 1, requestTimeout: 1 });
  await expect.poll(() => countConnections(app)).toBe(0);
  await close();
});

test("a client that sent malformed HTTP is disconnected even if it never closes its side", async () => {
  const app = await createTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.write("GARBAGE\r\n\r\n");
  await new Promise((resolve) => void socket.once("data", resolve));
  await expect.poll(() => countConnections(app)).toBe(0);
  socket.destroy();
});

test.each([
  ["breaks off", "Content-Length: 9999", "{", 413],
  ["has no recognizable end", "Transfer-Encoding: xchunked", "0\r\n\r\n", 400],
])("a request whose body %s gets exactly one answer", async (_, header, body, status) => {
  const app = await createTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = ["POST /api/login HTTP/1.1", "Host: localhost:3000", "Content-Type: application/json", header];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  let heard = "";
  socket.on("data", (data) => (heard += String(data)));
  await new Promise((resolve) => void socket.once("close", resolve));
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
});
