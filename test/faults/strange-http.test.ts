import { gzipSync } from "node:zlib";

import { afterAll, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { counters } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { sendBytes } from "./raw-bytes.ts";
import { percentile, report } from "./report.ts";

const server = await startServerProcess();
const [anna] = (await server.createMembers("anna")) as [Client];
/** Headers of Anna's session, so that a smuggled request would book a beer. */
const hers = `Host: localhost:${server.port}\r\nCookie: ${anna.cookieHeader}\r\nX-XSRF-TOKEN: ${anna.csrfToken}\r\n`;

afterAll(() => server[Symbol.asyncDispose]());

/**
 * Sends raw text, and returns the statuses of all answers in order, without interim answers (1xx).
 */
async function answersTo(text: string): Promise<number[]> {
  const { bytes } = await sendBytes(server.port, Buffer.from(text, "latin1"));
  return [...bytes.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)].map((match) => Number(match[1]));
}

test("each malformed request gets one refusal, and no smuggled request books a beer", async () => {
  const get = (lines = "", path = "/api/config") => `GET ${path} HTTP/1.1\r\n${hers}${lines}\r\n`;
  const beer = `POST ${counters} HTTP/1.1\r\n${hers}Content-Length: 0\r\n\r\n`;
  /**
   * Returns a request whose end is ambiguous, followed by a hidden request that would book a beer.
   */
  const hiding = (lines: string, body = "") => `POST /api/login HTTP/1.1\r\n${hers}${lines}\r\n\r\n${body}${beer}`;
  const json = "Content-Type: application/json";
  const large = (size: number) => `X: ${"x".repeat(size)}\r\n`;
  const cases: [name: string, text: string][] = [
    ["a header of 17 KiB", get(large(17 * 1024))],
    ["a header of 64 KiB", get(large(64 * 1024))],
    ["headers of 17 KiB together", get("X: x\r\n".repeat(2900))],
    ["2000 headers", get("a:b\r\n".repeat(2000))],
    ["2000 headers before the host", `GET /api/config HTTP/1.1\r\n${"a:b\r\n".repeat(2000)}${hers}\r\n`],
    ["a header without a name", get(": x\r\n")],
    ["a header without a colon", get("X\r\n")],
    ["a blank before the colon", get("X : x\r\n")],
    ["a blank before the first header", `GET /api/config HTTP/1.1\r\n X: x\r\n${hers}\r\n`],
    ["a folded header", get("X: x\r\n y\r\n")],
    ["a folded host", `GET /api/config HTTP/1.1\r\nHost:\r\n localhost:${server.port}\r\n\r\n`],
    ["a NUL in a header", get("X: a\0b\r\n")],
    ["a NUL in the address", get("", "/api/con\0fig")],
    ["a lone CR in a header", get("X: a\rb\r\n")],
    ["line feeds alone", get().replaceAll("\r\n", "\n")],
    ["carriage returns alone", get().replaceAll("\r\n", "\r")],
    ["an address of 2 KiB", get("", `/api/config?${"x".repeat(2048)}`)],
    ["an address of 64 KiB", get("", `/api/config?${"x".repeat(65_536)}`)],
    ["an absolute address", get("", `http://localhost:${server.port}/api/config`)],
    ["an absolute address elsewhere", get("", "http://elsewhere.example/api/config")],
    ["no address", `GET  HTTP/1.1\r\n${hers}\r\n`],
    ["a star", get("", "*")],
    ["an address without a slash", get("", "api/config")],
    ["an address with a blank", get("", "/api/ config")],
    ["HTTP/0.9", "GET /api/config\r\n\r\n"],
    ["HTTP/1.2", get().replace("HTTP/1.1", "HTTP/1.2")],
    ["HTTP/2.0", get().replace("HTTP/1.1", "HTTP/2.0")],
    ["HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["an unknown method", get().replace("GET", "BREW")],
    ["a method in small letters", get().replace("GET", "get")],
    ["TRACE", get().replace("GET", "TRACE")],
    ["CONNECT", `CONNECT elsewhere.example:443 HTTP/1.1\r\n${hers}\r\n`],
    ["PURGE", get().replace("GET", "PURGE")],
    ["two hosts", get("Host: elsewhere.example\r\n")],
    ["no host", "GET /api/config HTTP/1.1\r\n\r\n"],
    ["an expectation nobody knows", get("Expect: the-unexpected\r\n")],
    [
      "an expectation and a body that is too large",
      hiding(`Expect: 100-continue\r\n${json}\r\nContent-Length: 999999`),
    ],
    ["a length and chunks", hiding(`${json}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked`, "0\r\n\r\n")],
    ["chunks and a length", hiding(`${json}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4`, "0\r\n\r\n")],
    ["two different lengths", hiding(`${json}\r\nContent-Length: 2\r\nContent-Length: 99`, "{}")],
    ["two equal lengths", hiding(`${json}\r\nContent-Length: 2\r\nContent-Length: 2`, "{}")],
    ["two lengths in one", hiding(`${json}\r\nContent-Length: 2, 99`, "{}")],
    ["a length with a sign", hiding(`${json}\r\nContent-Length: +2`, "{}")],
    ["a length below nothing", hiding(`${json}\r\nContent-Length: -1`)],
    ["a length in hex", hiding(`${json}\r\nContent-Length: 0x2`, "{}")],
    ["a length beyond measure", hiding(`${json}\r\nContent-Length: 18446744073709551618`, "{}")],
    ["a length that is a word", hiding(`${json}\r\nContent-Length: two`, "{}")],
    ["chunks spelled wrongly", hiding(`${json}\r\nTransfer-Encoding: xchunked`, "0\r\n\r\n")],
    ["chunks that are not the last coding", hiding(`${json}\r\nTransfer-Encoding: chunked, identity`, "0\r\n\r\n")],
    ["chunks twice", hiding(`${json}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked`, "0\r\n\r\n")],
    ["chunks behind a vertical tab", hiding(`${json}\r\nTransfer-Encoding: \x0bchunked`, "0\r\n\r\n")],
    ["chunks in a folded line", hiding(`${json}\r\nTransfer-Encoding:\r\n chunked`, "0\r\n\r\n")],
    ["compressed chunks", `POST /api/login HTTP/1.1\r\n${hers}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    [
      "chunks in HTTP/1.0",
      hiding(`${json}\r\nTransfer-Encoding: chunked`, "0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0"),
    ],
    ["a chunk whose size is a word", hiding(`${json}\r\nTransfer-Encoding: chunked`, "zz\r\n{}\r\n0\r\n\r\n")],
    ["a chunk with a sign", hiding(`${json}\r\nTransfer-Encoding: chunked`, "-2\r\n{}\r\n0\r\n\r\n")],
    ["a chunk longer than it says", hiding(`${json}\r\nTransfer-Encoding: chunked`, "1\r\n{}\r\n0\r\n\r\n")],
    ["a chunk beyond measure", hiding(`${json}\r\nTransfer-Encoding: chunked`, "fffffffffffffffff\r\n{}\r\n0\r\n\r\n")],
    ["chunks that end in a line feed", hiding(`${json}\r\nTransfer-Encoding: chunked`, "2\n{}\n0\n\n")],
    [
      "a chunk with a long remark",
      hiding(`${json}\r\nTransfer-Encoding: chunked`, `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    ],
    [
      "a trailer that is a length",
      hiding(`${json}\r\nTransfer-Encoding: chunked`, "2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n"),
    ],
    ["a GET with a body", `GET /api/config HTTP/1.1\r\n${hers}Content-Length: ${beer.length}\r\n\r\n${beer}`],
    [
      "a GET with a beer in a chunk",
      get("Transfer-Encoding: chunked\r\n") + `${beer.length.toString(16)}\r\n${beer}\r\n0\r\n\r\n`,
    ],
  ];
  const wrong: string[] = [];
  for (const [name, text] of cases) {
    const answers = await answersTo(text);
    const isRefused = answers.length === 1 && [400, 404, 405, 413, 414, 431].includes(answers[0]!);
    if (!isRefused) wrong.push(`${name}: ${answers.join()}`);
  }
  const beers = (await anna.get(counters)).json.KSKCounterVal;
  const number = { cases: cases.length, "answered otherwise": wrong.length, smuggled: beers };
  report("T067", number, "one refusal each, 0 smuggled");
  expect([wrong, beers]).toEqual([[], 0]);
});

test("a thousand pipelined requests on one connection get a thousand answers", async () => {
  const one = `GET /healthz HTTP/1.1\r\n${hers}\r\n`;
  const answers = await answersTo(one.repeat(1000));
  expect([answers.length, new Set(answers)]).toEqual([1000, new Set([200])]);
});

test("two hundred bodies of invalid JSON are refused within 100 ms each", async () => {
  const stranger = server.createClient();
  await stranger.get("/sanctum/csrf-cookie");
  const good = Buffer.from('{"uname":"anna","password":"Zapfhahn","rememberUser":true}');
  const everywhere = Array.from({ length: good.length - 1 }, (_, index) => index + 1);
  const planted = (...bytes: number[]) =>
    everywhere.map((at) => Buffer.concat([good.subarray(0, at), Buffer.from(bytes), good.subarray(at)]));
  const texts = ["NaN", "Infinity", "01", "+1", ".5", "0x1", "1e", "--1", "'x'", "undefined", "[1,]", "{,}", "/*x*/1"];
  const bodies: [body: Buffer, encoding?: string][] = [
    ...everywhere.map((at): [Buffer] => [good.subarray(0, at)]),
    ...planted(0xff).map((body): [Buffer] => [body]),
    ...planted(0x00).map((body): [Buffer] => [body]),
    ...texts.map((text): [Buffer] => [Buffer.from(`{"uname":${text}}`)]),
    ...[
      [0xef, 0xbb, 0xbf],
      [0xff, 0xfe],
      [0xfe, 0xff],
    ].map((mark): [Buffer] => [Buffer.from([...mark, ...good])]),
    // Invalid UTF-8: half a surrogate pair, an overlong slash, a code point above U+10FFFF, a
    // truncated character.
    ...["eda080", "c0af", "f4908080", "e282"].map((hex): [Buffer] => [Buffer.from(`7b22${hex}223a317d`, "hex")]),
    [Buffer.alloc(10 * 2 ** 20, 0x20)],
    [Buffer.from(`{"uname":"${"x".repeat(10 * 2 ** 20)}"}`)],
    ...["gzip", "deflate", "br", "zstd", "x-gzip", "gzip, gzip", "identity"].map((encoding): [Buffer, string] => [
      gzipSync(Buffer.alloc(2 ** 20)),
      encoding,
    ]),
    [gzipSync(good)],
  ];
  const times: number[] = [];
  const wrong: string[] = [];
  for (const [body, encoding] of bodies) {
    const headers = { "content-type": "application/json", "x-xsrf-token": stranger.csrfToken };
    const began = performance.now();
    const { status, text } = await stranger.send("POST", "/api/login", {
      body,
      headers: { ...headers, ...(encoding && { "content-encoding": encoding }) },
    });
    times.push(performance.now() - began);
    if (![400, 413, 415].includes(status) || !/^\{"message":"[^"]/.test(text)) {
      wrong.push(`${body.subarray(0, 80).toString("latin1")} → ${status}`);
    }
  }
  const slowest = percentile(times, 1);
  const number = { bodies: bodies.length, "answered otherwise": wrong.length, "slowest, ms": slowest };
  report("T072", number, "all refused, each ≤ 100 ms");
  expect(wrong).toEqual([]);
  expect(slowest).toBeLessThanOrEqual(100);
});
