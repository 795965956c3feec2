import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";

import { insertPicture } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { sendFile } from "./ranges.ts";

const id = "a".repeat(22);
const path = `/internal/images/avatar/${id}`;
/**
 * A picture that is larger than the socket buffers of the system, so that sending it waits for the
 * reader.
 */
const bytes = randomBytes(16 * 1024 * 1024);
let app: TestApp;
let anna: Client;
let ben: Client;
let unread: IncomingMessage[];

beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  unread = [];
});

afterEach(() => unread.forEach((response) => response.destroy()));

/** Requests the picture and reads only the headers of the response. */
async function requestFile(): Promise<IncomingMessage> {
  const headers = { host: anna.host, cookie: anna.cookieHeader };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(new URL(path, app.url), { headers, agent: false }, resolve).on("error", reject).end();
  });
  unread.push(response.on("error", () => {}));
  return response;
}

test("a large picture can be requested as a whole or in ranges", async () => {
  await insertPicture(app.db, { id, user_id: 1, png: bytes, created_at: 0 });
  const whole = await anna.get(path);
  expect([whole.status, whole.bytes.equals(bytes)]).toEqual([200, true]);
  expect(whole.headers).toMatchObject({ "content-length": String(bytes.length), etag: `"${id}"` });
  const part = await anna.get(path, { range: "bytes=1000-1000999" });
  expect([part.status, part.bytes.equals(bytes.subarray(1000, 1_001_000))]).toEqual([206, true]);
  const head = await anna.send("HEAD", path);
  expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, String(bytes.length), 0]);
  expect((await anna.get(path, { "if-none-match": `"${id}"` })).status).toBe(304);
});

test("a picture whose ETag the client knows is answered with 304, even if a proxy weakened the ETag", async () => {
  await insertPicture(app.db, { id, user_id: 1, png: bytes.subarray(0, 1000), created_at: 0 });
  const ask = async (known: string) => [known, (await anna.get(path, { "if-none-match": known })).status];
  for (const known of [`"${id}"`, `W/"${id}"`, `"x", "${id}"`, "*"]) expect(await ask(known)).toEqual([known, 304]);
  for (const other of ["", '"x"', id, `"${id}`]) expect(await ask(other)).toEqual([other, 200]);
});

test("a member can download four files at a time, and a fifth once one of the four has been downloaded", async () => {
  await insertPicture(app.db, { id, user_id: 1, png: bytes, created_at: 0 });
  const first = [await requestFile(), await requestFile(), await requestFile(), await requestFile()];
  expect(first.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const refused = await anna.get(path);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "5"]);
  expect((await ben.get("/internal/audio/1")).status).toBe(200);
  expect((await anna.get("/api/beercounter/counters")).status).toBe(200);
  for (const response of first.slice(1)) response.destroy();
  first[0]!.resume();
  await expect.poll(async () => (await requestFile()).statusCode).toBe(200);
});

test("sendFile reads each chunk of a file only after the previous chunk was sent", async () => {
  const reads: number[] = [];
  const file = {
    size: 100 * 1024 * 1024,
    tag: "x",
    read: async ({ start, end }: { start: number; end: number }) => {
      reads.push(end - start + 1);
      return Buffer.alloc(end - start + 1);
    },
  };
  const headers: Record<string, unknown> = {};
  const reply = { headers: () => {}, header: (name: string, value: unknown) => (headers[name] = value) };
  const request = { headers: {}, method: "GET" } as unknown as FastifyRequest;
  const stream = (await sendFile(request, reply as unknown as FastifyReply, file)) as Readable;
  for await (const piece of stream) {
    expect((piece as Buffer).length).toBeLessThanOrEqual(256 * 1024);
    break;
  }
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(headers["content-length"]).toBe(file.size);
});
