import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { endpoint } from "#contract/endpoint.ts";
import { readConfig } from "#server/config.ts";
import { systemClock } from "#server/platform/clock.ts";
import { createLog } from "#server/platform/log.ts";
import { Client } from "#test/client.ts";
import { negotiateEncoding } from "./compression.ts";
import { handle } from "./handle.ts";
import { type HttpServer, createHttpServer } from "./http-server.ts";
import { refuse } from "./refusal.ts";

const usual = "gzip, deflate, br, zstd";

test.each<[string | undefined, "br" | "gzip" | null]>([
  [usual, "br"],
  ["br", "br"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["gzip, deflate", "gzip"],
  ["gzip,br", "br"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br ; q=0.8 , gzip;q=0.8", "br"],
  ["br;q=1.000, gzip;q=0.999", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.000, gzip;q=0", null],
  ["*", "br"],
  ["*;q=0", null],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0, *;q=0.1", "br"],
  ["gzip, *;q=0", "gzip"],
  ["identity;q=0", null],
  ["identity;q=1, *;q=0", null],
  ["identity", null],
  ["deflate, zstd", null],
  ["x-gzip, brotli", null],
  ["br gzip", null],
  ["br;q=2, gzip;q=-1", null],
  ["br;q=abc, gzip;level=9", null],
  [';;;,,=,q=1,"br",\u00ff', null],
  [`${" ".repeat(8000)}${",;".repeat(4000)}`, null],
  ["", null],
  [undefined, null],
])("negotiateEncoding answers Accept-Encoding %j with %s", (accepted, encoding) => {
  expect(negotiateEncoding(accepted)).toBe(encoding);
});

const text = "Noch ein Bier für den Stammtisch. ".repeat(200);
const call = {
  who: "everyone",
  csrf: "none",
  perMinute: 600,
  maxBody: 1024,
} as const;
const told = { ...call, reply: z.object({ text: z.string() }) } as const;
const json = "application/json; charset=utf-8";

describe("compressReply", () => {
  let http: HttpServer;
  let client: Client;

  beforeAll(async () => {
    const config = readConfig({ NODE_ENV: "test", APP_URL: "http://localhost:3000", RATE_LIMIT_FACTOR: "1000" });
    const log = createLog("error", () => {});
    http = await createHttpServer({
      config,
      clock: systemClock,
      log,
      secrets: { current: () => "key", accepts: async (_, matches) => matches("key") },
      findMember: async () => null,
      findTokenCaller: async () => null,
    });
    handle(http, endpoint("GET /long", told), async () => ({ text }));
    handle(http, endpoint("GET /short", told), async () => ({ text: text.slice(0, 900) }));
    handle(http, endpoint("POST /made", told), async () => ({ text }));
    handle(http, endpoint("DELETE /gone", told), async () => ({ text }));
    handle(http, endpoint("GET /refused", told), async () => {
      throw refuse("notFound", { text });
    });
    handle(http, endpoint("GET /nothing", { ...call, status: 204 }), async () => {});
    const picture = endpoint("GET /file", { ...call, media: "image/svg+xml" });
    handle(http, picture, async () => Buffer.from(text));
    const document = endpoint("GET /export", { ...call, media: json });
    handle(http, document, async () => Readable.from([JSON.stringify({ text })]));
    await http.fastify.listen({ host: "127.0.0.1", port: 0 });
    const { port } = http.fastify.server.address() as AddressInfo;
    client = new Client(`http://127.0.0.1:${port}`, { host: "localhost:3000" });
  });

  afterAll(() => http.fastify.close());

  test.each([
    [usual, "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    [undefined, undefined],
  ])("a GET with Accept-Encoding %j gets its reply in the encoding %s", async (accepted, encoding) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    for (const method of ["GET", "HEAD"]) {
      const answer = await client.send(method, "/long", { headers });
      expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, encoding]);
      expect(answer.headers["content-type"]).toBe(json);
      expect(answer.headers["vary"]).toBe("Cookie, Accept-Encoding");
      if (method === "GET") {
        expect(answer.json).toEqual({ text });
        expect(Number(answer.headers["content-length"])).toBe(answer.bytes.length);
        expect(answer.bytes.length < 1000).toBe(encoding !== undefined);
      } else {
        const { headers: got } = await client.get("/long", headers);
        expect([answer.text, answer.headers["content-length"]]).toEqual(["", got["content-length"]]);
      }
    }
  });

  test("a reply of at most 1 kB is not compressed", async () => {
    const answer = await client.get("/short", { "accept-encoding": usual });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["vary"]).toBe("Cookie, Accept-Encoding");
    expect(answer.json).toEqual({ text: text.slice(0, 900) });
  });

  test.each([
    ["POST", "/made", { text }],
    ["DELETE", "/gone", { text }],
    ["GET", "/file", undefined],
    ["GET", "/export", { text }],
  ])(
    "the reply to %s %s is not compressed, because it is a file or may contain a secret",
    async (method, path, said) => {
      const answer = await client.send(method, path, { headers: { "accept-encoding": usual } });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty("content-encoding");
      expect(answer.headers["vary"]).toBe(path === "/file" || path === "/export" ? undefined : "Cookie");
      expect(answer.bytes.length).toBeGreaterThan(1024);
      expect(answer.json).toEqual(said);
    },
  );

  test("a reply without content has no Content-Encoding", async () => {
    const answer = await client.get("/nothing", { "accept-encoding": usual });
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });

  test("a client that accepts compression can read the body of a refusal", async () => {
    const answer = await client.get("/refused", { "accept-encoding": usual });
    expect([answer.status, answer.json]).toEqual([404, { message: text, code: "notFound" }]);
    expect(answer.headers["vary"]).toBe("Cookie, Accept-Encoding");
  });
});
