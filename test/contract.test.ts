import { afterAll, beforeAll, expect, test } from "vitest";

import type { Endpoint } from "#contract/endpoint.ts";
import { mayCompress } from "#server/platform/http/compression.ts";
import { bringCaller, call, callers, gatherCallers, nameOf, rowOf, seatCallers } from "./callers.ts";
import { table } from "./contract-table.ts";
import { expectOurShape, expectRefusal } from "./expect-answer.ts";
import { type House, openHouse } from "./open-house.ts";
import type { Visitor } from "./visitor.ts";

let house: House;
let endpoints: readonly Endpoint[];
/** Everybody in the order of the table's columns. */
let visitors: Visitor[];

beforeAll(async () => {
  house = await openHouse(
    { LEGAL_LINKS: '[{"label":"Impressum","url":"https://stammtisch.example/impressum"}]' },
    // Nobody looks, so that the game server stays as it is furnished.
    { gameServers: { drivers: {} } },
  );
  endpoints = house.platform.door.endpoints;
  await seatCallers(house);
  visitors = await gatherCallers(house);
});

afterAll(() => house.close());

test("every endpoint has a row in the table, and every row is an endpoint", () => {
  expect(Object.keys(table).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
});

test(
  "every endpoint answers every caller as the table says, and refuses in one shape",
  { timeout: 60_000 },
  async () => {
    const answered: string[] = [];
    for (const endpoint of endpoints) {
      for (const [index, caller] of callers.entries()) {
        const visitor = visitors[index]!;
        const session = visitor.cookies.get("session");
        const answer = await call(house, visitor, endpoint);
        answered.push(`${nameOf(endpoint)} by ${caller}: ${answer.status}`);
        expectOurShape(answer);
        // Who logged in or out is somebody else now.
        if (visitor.cookies.get("session") !== session) visitors[index] = await bringCaller(house, index);
      }
    }
    expect(answered).toEqual(
      endpoints.flatMap((endpoint) =>
        callers.map((caller, index) => `${nameOf(endpoint)} by ${caller}: ${rowOf(endpoint).answers[index]}`),
      ),
    );
  },
);

/** How secrets are made: 256 bits in base64url, and invitations in groups that can be read out. Alone or in a link. */
const secret = /(?<![\w-])([\w-]{43}|\w{5}(-\w{5}){3}-\w{6})(?![\w-])/;

test("answers hold the fields of the table alone, and secrets uncompressed", { timeout: 60_000 }, async () => {
  const secretive: Endpoint[] = [];
  // One session each for as long as it lasts: of too many the oldest would go, with all that belongs to it.
  const permitted = new Map<number, Visitor>();
  for (const endpoint of endpoints) {
    const column = permittedFor(endpoint);
    const visitor = permitted.get(column) ?? (await bringCaller(house, column));
    const session = visitor.cookies.get("session");
    const answer = await call(house, visitor, endpoint);
    if (visitor.cookies.get("session") === session) permitted.set(column, visitor);
    else permitted.delete(column);
    if (answer.status >= 300) continue;
    expect(fieldsOf(answer.json).toSorted(), nameOf(endpoint)).toEqual([...rowOf(endpoint).fields].toSorted());
    if (secret.test(answer.text)) secretive.push(endpoint);
  }
  expect(secretive.map(nameOf).toSorted()).toEqual([
    "POST /api/admin/invitations",
    "POST /api/admin/members/:id/reset-link",
    "POST /api/admin/tv",
  ]);
  expect(secretive.filter(mayCompress)).toEqual([]);
  // One of the calls ended Ben's other sessions.
  visitors = await gatherCallers(house);
});

test("every other method is refused, and told which ones there are", async () => {
  for (const { path } of endpoints) {
    const rows = endpoints.filter((endpoint) => endpoint.path === path);
    const known = rows.map(({ method }): string => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
      if (known.includes(method)) continue;
      for (const visitor of [visitors[0]!, visitors[5]!]) {
        const answer = await visitor.send(method, rowOf(rows[0]!).path ?? path);
        expectRefusal(answer, 405, "Diese Methode ist nicht erlaubt.", `${method} ${path}`);
        const allowed = [...known, ...(known.includes("GET") ? ["HEAD"] : [])];
        expect(String(answer.headers["allow"]).split(", ").toSorted(), path).toEqual(allowed.toSorted());
      }
    }
  }
});

test.each<[string, string | undefined]>([
  ["plain text", "text/plain"],
  ["a form with files", "multipart/form-data; boundary=x"],
  ["XML", "application/xml"],
  ["something that only begins like JSON", "application/jsonp"],
  ["JSON in another encoding", "application/json; charset=utf-16"],
  ["JSON and something else", "application/json, text/plain"],
  ["JSON with rubbish behind it", "application/json garbage"],
  ["JSON with a tab where it does not belong", "application/json\t;x"],
  ["JSON in two encodings", "application/json; charset=utf-8; charset=utf-16"],
  ["JSON in no encoding", "application/json; charset="],
  ["JSON of somebody's own", "application/vnd.api+json"],
  ["nothing but a slash", "/"],
  ["nothing", ""],
])("a body that calls itself %s is not read by anybody", async (_, type) => {
  const visitor = visitors[4]!;
  for (const endpoint of withBody()) {
    const answer = await call(house, visitor, endpoint, { body: "{}", headers: { "content-type": type! } });
    expectRefusal(answer, 415, "Dieser Inhaltstyp wird nicht unterstützt.", nameOf(endpoint));
  }
  expect((await visitor.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
});

test.each([
  "APPLICATION/JSON",
  "  application/json",
  "application/json ;charset=UTF-8",
  'application/json; charset="utf-8"',
])("a body that calls itself %j is read as strictly as any other", async (type) => {
  for (const endpoint of withBody()) {
    const answer = await call(house, visitors[4]!, endpoint, { body: "{", headers: { "content-type": type } });
    expectRefusal(answer, 400, "Die Anfrage ist ungültig.", nameOf(endpoint));
  }
});

test("only the endpoints that say so read forms", async () => {
  const visitor = visitors[4]!;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const endpoint of withBody()) {
    const answer = await call(house, visitor, endpoint, { body: "socket_id=1.1&channel_name=x", headers });
    expect(answer.status === 415, nameOf(endpoint)).toBe(endpoint.accepts !== "form");
  }
});

test.each<[string, string | Buffer]>([
  ["cut off", '{"uname":"gre'],
  ["no JSON at all", "uname=greta"],
  ["two documents", "{}{}"],
  ["with a comment", '{"uname":1/*x*/}'],
  ["with NaN", '{"uname":NaN}'],
  ["with single quotes", "{'uname':1}"],
  ["with a byte order mark", "\ufeff{}"],
  ["with a NUL", '{"uname":"\u0000"}'],
  ["with an escaped NUL", '{"uname":"a\\u0000b"}'],
  ["only blanks", "   "],
  ["with bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["with half a surrogate in bytes", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["in UTF-16", Buffer.from('{"uname":"x"}', "utf16le")],
  ["that wants to be everybody's prototype", '{"__proto__":{"isAdmin":true}}'],
  ["that wants to be a constructor", '{"constructor":{"prototype":{"isAdmin":true}}}'],
])("a body %s is refused before anybody asks who sent it", async (_, body) => {
  for (const endpoint of withBody()) {
    for (const visitor of [visitors[0]!, visitors[4]!]) {
      expectRefusal(await call(house, visitor, endpoint, { body }), 400, "Die Anfrage ist ungültig.", nameOf(endpoint));
    }
  }
});

test("a body above the limit is refused, whether it says its length or not", { timeout: 60_000 }, async () => {
  for (const endpoint of endpoints) {
    const body = JSON.stringify({ x: "x".repeat(endpoint.maxBody) });
    for (const visitor of [visitors[0]!, visitors[permittedFor(endpoint)]!]) {
      for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
        // Files without a length are read, and found too large, only for members.
        if (endpoint.accepts === "multipart" && visitor === visitors[0] && "transfer-encoding" in headers) continue;
        const answer = await call(house, visitor, endpoint, { body, headers });
        expectRefusal(answer, 413, "Die Anfrage ist zu groß.", nameOf(endpoint));
      }
    }
  }
});

test("a HEAD is answered like its GET, without the body", async () => {
  const changing = new Set([
    "date",
    "etag",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "set-cookie",
    "content-length",
    "connection",
    "keep-alive",
  ]);
  const headersOf = (answer: Awaited<ReturnType<Visitor["get"]>>) =>
    Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !changing.has(name)));
  for (const endpoint of endpoints) {
    if (endpoint.method !== "GET") continue;
    for (const index of [0, 2]) {
      const get = await call(house, visitors[index]!, endpoint);
      if (nameOf(endpoint) === "GET /api/logout") visitors[index] = await bringCaller(house, index);
      const head = await call(house, visitors[index]!, endpoint, { method: "HEAD" });
      expect(head.status, nameOf(endpoint)).toBe(get.status);
      expect(head.text).toBe("");
      expect(headersOf(head), nameOf(endpoint)).toEqual(headersOf(get));
    }
  }
});

/** The column of somebody who may call it. */
function permittedFor({ who }: Endpoint): number {
  return typeof who === "object" && who.includes("admin") ? 5 : 4;
}

/** Those that read a JSON body. */
function withBody(): Endpoint[] {
  return endpoints.filter(({ maxBody, accepts }) => maxBody > 0 && accepts !== "multipart");
}

/** Every path through an answer, `[]` for any item of a list. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => paths(item).map((path) => `[]${path}`)))];
  if (typeof value !== "object" || value === null) return [];
  return paths(value).map((path) => path.slice(1));
}

function paths(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(paths).map((path) => `[]${path}`))];
  if (typeof value !== "object" || value === null) return [""];
  return Object.entries(value).flatMap(([key, inner]) => paths(inner).map((path) => `.${key}${path}`));
}
