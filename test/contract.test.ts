// Also on PostgreSQL: it executes every statement there is.
import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import type { Endpoint } from "#contract/endpoint.ts";
import { canCompress } from "#server/platform/http/compression.ts";
import {
  createActorClient,
  callEndpoint,
  actorNames,
  createActorClients,
  nameOf,
  findRow,
  createActors,
} from "./actors.ts";
import type { Client } from "./client.ts";
import { contractRows } from "./contract-table.ts";
import { expectStandardShape, expectRefusal } from "./expect-response.ts";
import { createTestApp } from "./test-app.ts";

const app = await createTestApp(
  { LEGAL_LINKS: '[{"label":"Impressum","url":"https://stammtisch.example/impressum"}]' },
  // Nobody looks, so that the game server stays as the fixtures have it.
  { gameServers: { drivers: {} } },
);
const endpoints = app.context.http.endpoints;
await createActors(app);
/** Everybody in the order of the table's columns. */
let clients = await createActorClients(app);

test("every endpoint has a row in the table, and every row is an endpoint", () => {
  expect(Object.keys(contractRows).toSorted(), "they are in the contract-rows.ts of the features").toEqual(
    endpoints.map(nameOf).toSorted(),
  );
});

test(
  "every endpoint answers every caller as the table says, and refuses in one shape",
  { timeout: 60_000 },
  async () => {
    const answered: string[] = [];
    for (const endpoint of endpoints) {
      for (const [index, caller] of actorNames.entries()) {
        const client = clients[index]!;
        const session = client.cookies.get("session");
        const answer = await callEndpoint(app, client, endpoint);
        answered.push(`${nameOf(endpoint)} by ${caller}: ${answer.status}`);
        expectStandardShape(answer);
        // Who logged in or out is somebody else now.
        if (client.cookies.get("session") !== session) clients[index] = await createActorClient(app, index);
      }
    }
    expect(answered).toEqual(
      endpoints.flatMap((endpoint) =>
        actorNames.map((caller, index) => `${nameOf(endpoint)} by ${caller}: ${findRow(endpoint).statuses[index]}`),
      ),
    );
  },
);

/** How secrets are made: 256 bits in base64url, and invitations in groups that can be read out. Alone or in a link. */
const secretPattern = /(?<![\w-])([\w-]{43}|\w{5}(-\w{5}){3}-\w{6})(?![\w-])/;

test("answers hold the fields of the table alone, and secrets uncompressed", async () => {
  const secretive: Endpoint[] = [];
  // One session each for as long as it lasts: of too many the oldest would go, with all that belongs to it.
  const permitted = new Map<number, Client>();
  for (const endpoint of endpoints) {
    const column = permittedActor(endpoint);
    const client = permitted.get(column) ?? (await createActorClient(app, column));
    const session = client.cookies.get("session");
    const answer = await callEndpoint(app, client, endpoint);
    if (client.cookies.get("session") === session) permitted.set(column, client);
    else permitted.delete(column);
    if (answer.status >= 300) continue;
    const where = `${nameOf(endpoint)}: its fields are in a contract-rows.ts`;
    expect(fieldsOf(answer.json).toSorted(), where).toEqual([...findRow(endpoint).fields].toSorted());
    if (secretPattern.test(answer.text)) secretive.push(endpoint);
  }
  expect(secretive.map(nameOf).toSorted()).toEqual([
    "POST /api/admin/invitations",
    "POST /api/admin/members/:id/reset-link",
    "POST /api/admin/tv",
    // Challenges, which are signed in the browser.
    "POST /api/login/passkey/options",
    // The secret of a television, which becomes the token of its link.
    "POST /api/tv/code",
    "POST /api/user/confirmPasskey/options",
    "POST /api/user/passkey-options",
  ]);
  expect(secretive.filter(canCompress)).toEqual([]);
  // One of the calls ended Ben's other sessions.
  clients = await createActorClients(app);
});

/** Called by the table they leave everything as it is; their own tests look at the audit log. */
const withoutChange = new Set([
  "POST /api/admin/members/:id/permissions",
  "POST /api/admin/members/:id/disabled",
  "POST /api/admin/calendar/lottery",
  "POST /api/admin/calendar/lottery/preview",
  "POST /api/admin/calendar/pictures/:date/move",
  "POST /api/admin/calendar/pictures/:date/reveal",
  "POST /api/admin/game-servers/:id/test",
  "POST /api/admin/group",
  "POST /api/admin/imports/check",
  "DELETE /api/admin/invitations/:id",
]);

test("what an administrator changes is in the audit log", async () => {
  const lastEntry = () => app.db.selectFrom("audit").select("id").orderBy("id", "desc").executeTakeFirst();
  const silent: string[] = [];
  for (const endpoint of endpoints.filter(({ method, who }) => method !== "GET" && who.includes("admin"))) {
    const before = await lastEntry();
    const { status } = await callEndpoint(app, clients[5]!, endpoint);
    if (status < 300 && (await lastEntry())?.id === before?.id) silent.push(nameOf(endpoint));
  }
  const forgotten = silent.filter((name) => !withoutChange.has(name));
  expect(forgotten, "call createAuditEntry() in the transaction of the change").toEqual([]);
});

test("every other method is refused with a list of those that there are", async () => {
  for (const { path } of endpoints) {
    const rows = endpoints.filter((endpoint) => endpoint.path === path);
    const known = rows.map(({ method }): string => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
      if (known.includes(method)) continue;
      for (const client of [clients[0]!, clients[5]!]) {
        const answer = await client.send(method, findRow(rows[0]!).path ?? path);
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
  const client = clients[4]!;
  for (const endpoint of endpointsWithBody()) {
    const answer = await callEndpoint(app, client, endpoint, { body: "{}", headers: { "content-type": type! } });
    expectRefusal(answer, 415, "Dieser Inhaltstyp wird nicht unterstützt.", nameOf(endpoint));
  }
  expect((await client.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
});

test.each([
  "APPLICATION/JSON",
  "  application/json",
  "application/json ;charset=UTF-8",
  'application/json; charset="utf-8"',
])("a body that calls itself %j is read as strictly as any other", async (type) => {
  for (const endpoint of endpointsWithBody()) {
    const answer = await callEndpoint(app, clients[4]!, endpoint, { body: "{", headers: { "content-type": type } });
    expectRefusal(answer, 400, "Die Anfrage ist ungültig.", nameOf(endpoint));
  }
});

test("only the endpoints that say so read forms", async () => {
  const client = clients[4]!;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const endpoint of endpointsWithBody()) {
    const answer = await callEndpoint(app, client, endpoint, { body: "socket_id=1.1&channel_name=x", headers });
    expect(answer.status === 415, nameOf(endpoint)).toBe(endpoint.acceptsForm !== true);
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
  ["with an escaped half of a surrogate pair", '{"uname":"a\\ud800b"}'],
  ["only blanks", "   "],
  ["with bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["with half a surrogate in bytes", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["in UTF-16", Buffer.from('{"uname":"x"}', "utf16le")],
  ["that wants to be everybody's prototype", '{"__proto__":{"isAdmin":true}}'],
  ["that wants to be a constructor", '{"constructor":{"prototype":{"isAdmin":true}}}'],
])("a body %s is refused before anybody asks who sent it", async (_, body) => {
  for (const endpoint of endpointsWithBody()) {
    for (const client of [clients[0]!, clients[4]!]) {
      expectRefusal(
        await callEndpoint(app, client, endpoint, { body }),
        400,
        "Die Anfrage ist ungültig.",
        nameOf(endpoint),
      );
    }
  }
});

test("a body above the limit is refused, whether it says its length or not", async () => {
  for (const endpoint of endpoints) {
    const body = JSON.stringify({ x: "x".repeat(endpoint.maxBody) });
    for (const client of [clients[0]!, clients[permittedActor(endpoint)]!]) {
      for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
        // Files without a length are read, and found too large, only for members.
        if (endpoint.file && client === clients[0] && "transfer-encoding" in headers) continue;
        const answer = await callEndpoint(app, client, endpoint, { body, headers });
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
    // A HEAD may leave it out (RFC 9110).
    "transfer-encoding",
  ]);
  const headersOf = (answer: Awaited<ReturnType<Client["get"]>>) =>
    Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !changing.has(name)));
  for (const endpoint of endpoints) {
    if (endpoint.method !== "GET") continue;
    for (const index of [0, 2]) {
      const get = await callEndpoint(app, clients[index]!, endpoint);
      if (nameOf(endpoint) === "GET /api/logout") clients[index] = await createActorClient(app, index);
      const head = await callEndpoint(app, clients[index]!, endpoint, { method: "HEAD" });
      expect(head.status, nameOf(endpoint)).toBe(get.status);
      expect(head.text).toBe("");
      expect(headersOf(head), nameOf(endpoint)).toEqual(headersOf(get));
    }
  }
});

/** Among them a text that is longer than an index of PostgreSQL takes, and random, so that it cannot be compressed. */
const hostileValues = [
  randomBytes(2250).toString("base64url"),
  "\ud800",
  "🍺".repeat(80),
  1e308,
  2 ** 53,
  -1,
  null,
  true,
  [[1]],
  {},
  { $ne: 1 },
  "",
  "\u0000",
];

test("whatever stands in a field, nothing breaks", { timeout: 60_000 }, async () => {
  const own = await createTestApp({}, { gameServers: { drivers: {} } });
  await createActors(own);
  for (const endpoint of own.context.http.endpoints) {
    const meant = await findRow(endpoint).body?.(own);
    if (meant === undefined || meant instanceof Buffer) continue;
    const client = await createActorClient(own, endpoint.who === "everyone" ? 1 : permittedActor(endpoint));
    for (const body of replaceParts(meant)) {
      const answer = await callEndpoint(own, client, endpoint, { body: JSON.stringify(body) });
      expect(answer.status, `${nameOf(endpoint)} ${JSON.stringify(body)}`).toBeLessThan(500);
      expectStandardShape(answer);
    }
  }
});

/** Copies of a value, each with another part replaced by something hostile. */
function replaceParts(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return hostileValues;
  const parts = Object.entries(value).flatMap(([name, part]) =>
    replaceParts(part).map((other) => Object.assign(structuredClone(value), { [name]: other })),
  );
  return [...hostileValues, ...parts];
}

/** The column of somebody who may call it. */
function permittedActor({ who }: Endpoint): number {
  return typeof who === "object" && who.includes("admin") ? 5 : 4;
}

/** Those that read a JSON body. */
function endpointsWithBody(): Endpoint[] {
  return endpoints.filter(({ maxBody, file }) => maxBody > 0 && !file);
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
