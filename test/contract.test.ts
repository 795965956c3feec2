import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import { createToken } from "#contract/api-tokens.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { canCompress } from "#server/platform/http/compression.ts";
import {
  createActorClient,
  callEndpoint,
  actors,
  expectedStatuses,
  createActorClients,
  nameOf,
  findExample,
  createActors,
} from "./actors.ts";
import type { Client } from "./client.ts";
import { exampleCalls, exportedFields } from "./example-calls.ts";
import { expectStandardShape, expectRefusal } from "./expect-response.ts";
import { createOpenIdProvider } from "./openid-provider.ts";
import { fieldsOf, fieldsOfSchema } from "./reply-fields.ts";
import { createTestApp } from "./test-app.ts";

const oidc = (await createOpenIdProvider()).env;
const app = await createTestApp(
  { LEGAL_LINKS: '[{"label":"Impressum","url":"https://stammtisch.example/impressum"}]', ...oidc },
  // Without drivers the app never polls the game server, which keeps its state from the fixtures.
  { gameServers: { drivers: {} } },
);
const endpoints = app.context.http.endpoints;
await createActors(app);
/** One HTTP client for each actor, in the order of `actors`. */
let clients = await createActorClients(app);

test("every example call of the contract tests belongs to an existing endpoint", () => {
  const names = new Set(endpoints.map(nameOf));
  expect(Object.keys(exampleCalls).filter((name) => !names.has(name))).toEqual([]);
});

test(
  "every endpoint refuses all callers that it does not permit, and every answer has the standard shape",
  { tags: "postgres", timeout: 60_000 },
  async () => {
    const answered: string[] = [];
    for (const endpoint of endpoints) {
      for (const [index, { name }] of actors.entries()) {
        const client = clients[index]!;
        const session = client.cookies.get("session");
        const answer = await callEndpoint(app, client, endpoint);
        answered.push(`${nameOf(endpoint)} by ${name}: ${answer.status}`);
        expectStandardShape(answer);
        // A call that logged the client in or out changed its session: restore the actor.
        if (client.cookies.get("session") !== session) clients[index] = await createActorClient(app, index);
      }
    }
    expect(answered).toEqual(
      endpoints.flatMap((endpoint) =>
        expectedStatuses(endpoint).map((status, index) => `${nameOf(endpoint)} by ${actors[index]!.name}: ${status}`),
      ),
    );
  },
);

test("a member's data export contains exactly the fields that the features declare", { tags: "postgres" }, async () => {
  const ben = await createActorClient(app, 4);
  // An example call of the previous test changed Ben's password and so revoked his API tokens; the
  // export must list a token.
  await callEndpoint(app, ben, createToken);
  expect(fieldsOf((await ben.get("/api/user/export")).json).toSorted()).toEqual(exportedFields.toSorted());
});

/**
 * Matches secrets, alone or in a link: 256 bits in base64url, with a prefix in API tokens, the keys
 * of webhooks, and invitations, whose characters are in groups that can be read out.
 */
const secretPattern = /(?<![\w-])((?:st_)?[\w-]{43}(?![\w-])|whsec_|\w{5}(-\w{5}){3}-\w{6}(?![\w-]))/;

test(
  "no endpoint sends an undeclared field or compresses an answer that contains a secret",
  { tags: "postgres" },
  async () => {
    const secretive: Endpoint[] = [];
    // Reuses an actor's session while it is valid: above the limit, the server ends a member's oldest
    // session and deletes its data.
    const permitted = new Map<number, Client>();
    for (const endpoint of endpoints) {
      const column = permittedActor(endpoint);
      const client = permitted.get(column) ?? (await createActorClient(app, column));
      const session = client.cookies.get("session");
      const answer = await callEndpoint(app, client, endpoint);
      if (client.cookies.get("session") === session) permitted.set(column, client);
      else permitted.delete(column);
      if (answer.status >= 300) continue;
      if (endpoint.reply) {
        const allowed = fieldsOfSchema(endpoint.reply);
        const additional = fieldsOf(answer.json).filter((field) => !allowed(field));
        expect(additional, nameOf(endpoint)).toEqual([]);
      }
      if (secretPattern.test(answer.text)) secretive.push(endpoint);
    }
    // An example call above ended Ben's other sessions, so all clients log in again.
    clients = await createActorClients(app);
    expect(secretive.map(nameOf).toSorted()).toEqual([
      "POST /api/admin/invitations",
      "POST /api/admin/members/:id/reset-link",
      "POST /api/admin/tv",
      "POST /api/admin/webhooks",
      // A passkey challenge looks like a secret; the browser signs it.
      "POST /api/login/passkey/options",
      // The state, nonce and code challenge in the address of a login with OpenID look like secrets.
      "POST /api/oidc/login",
      // The secret in the party's QR code for guests.
      "POST /api/parties/:id/guest-link",
      // The answer contains the TV's secret, which becomes the token of its TV link.
      "POST /api/tv/code",
      "POST /api/user/confirmPasskey/options",
      "POST /api/user/oidc",
      "POST /api/user/passkey-options",
      "POST /api/user/tokens",
    ]);
    expect(secretive.filter(canCompress)).toEqual([]);
  },
);

/**
 * Endpoints whose example call changes nothing; the tests of their features check the audit log.
 */
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

test("every change by an administrator is recorded in the audit log", async () => {
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

test("an unsupported method is refused with 405 and a list of the supported methods", async () => {
  for (const { path } of endpoints) {
    const rows = endpoints.filter((endpoint) => endpoint.path === path);
    const known = rows.map(({ method }): string => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
      if (known.includes(method)) continue;
      for (const client of [clients[0]!, clients[5]!]) {
        const answer = await client.send(method, findExample(rows[0]!).path ?? path);
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
  ["a type that begins like JSON", "application/jsonp"],
  ["JSON in another encoding", "application/json; charset=utf-16"],
  ["JSON and something else", "application/json, text/plain"],
  ["JSON followed by garbage", "application/json garbage"],
  ["JSON with a tab where it does not belong", "application/json\t;x"],
  ["JSON in two encodings", "application/json; charset=utf-8; charset=utf-16"],
  ["JSON in no encoding", "application/json; charset="],
  ["JSON of a vendor's own type", "application/vnd.api+json"],
  ["a single slash", "/"],
  ["an empty type", ""],
])("no endpoint reads a body whose content type is %s", async (_, type) => {
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
])("an invalid JSON body with content type %j is refused", async (type) => {
  for (const endpoint of endpointsWithBody()) {
    const answer = await callEndpoint(app, clients[4]!, endpoint, { body: "{", headers: { "content-type": type } });
    expectRefusal(answer, 400, "Die Anfrage ist ungültig.", nameOf(endpoint));
  }
});

test("only endpoints that accept forms read form-encoded bodies", async () => {
  const client = clients[4]!;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const endpoint of endpointsWithBody()) {
    const answer = await callEndpoint(app, client, endpoint, { body: "socket_id=1.1&channel_name=x", headers });
    expect(answer.status === 415, nameOf(endpoint)).toBe(endpoint.acceptsForm !== true);
  }
});

test.each<[string, string | Buffer]>([
  ["that is cut off", '{"uname":"gre'],
  ["that is not JSON", "uname=greta"],
  ["with two documents", "{}{}"],
  ["with a comment", '{"uname":1/*x*/}'],
  ["with NaN", '{"uname":NaN}'],
  ["with single quotes", "{'uname':1}"],
  ["with a byte order mark", "\ufeff{}"],
  ["with a NUL", '{"uname":"\u0000"}'],
  ["with an escaped NUL", '{"uname":"a\\u0000b"}'],
  ["with an escaped half of a surrogate pair", '{"uname":"a\\ud800b"}'],
  ["of blanks", "   "],
  ["with bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["with half a surrogate in bytes", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["in UTF-16", Buffer.from('{"uname":"x"}', "utf16le")],
  ["that sets the prototype of objects", '{"__proto__":{"isAdmin":true}}'],
  ["that sets the prototype of a constructor", '{"constructor":{"prototype":{"isAdmin":true}}}'],
])("a request body %s is refused before the session is checked", async (_, body) => {
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

test("a body above the limit is refused, with or without a Content-Length", async () => {
  for (const endpoint of endpoints) {
    const body = JSON.stringify({ x: "x".repeat(endpoint.maxBody) });
    for (const client of [clients[0]!, clients[permittedActor(endpoint)]!]) {
      for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
        // The server reads an upload without a Content-Length, and so finds it too large, only for
        // members.
        if (endpoint.file && client === clients[0] && "transfer-encoding" in headers) continue;
        const answer = await callEndpoint(app, client, endpoint, { body, headers });
        expectRefusal(answer, 413, "Die Anfrage ist zu groß.", nameOf(endpoint));
      }
    }
  }
});

test("a HEAD request is answered like its GET, without the body", async () => {
  const changing = new Set([
    "date",
    "etag",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "set-cookie",
    "content-length",
    "connection",
    "keep-alive",
    // Transfer-Encoding is optional in an answer to HEAD (RFC 9110).
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

/**
 * Values that break careless code. The first is longer than a PostgreSQL index accepts, and random,
 * so that PostgreSQL cannot compress it.
 */
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

test("hostile values in body fields never cause an internal error", { tags: "postgres", timeout: 60_000 }, async () => {
  const own = await createTestApp(oidc, { gameServers: { drivers: {} } });
  await createActors(own);
  for (const endpoint of own.context.http.endpoints) {
    const example = findExample(endpoint);
    const meant = await example.body?.(own);
    if (meant === undefined || meant instanceof Buffer) continue;
    const client = await createActorClient(own, endpoint.who === "everyone" ? 1 : permittedActor(endpoint));
    for (const body of replaceParts(meant)) {
      const answer = await callEndpoint(own, client, endpoint, { body: JSON.stringify(body) });
      const isExpected = answer.status < 500 || answer.status === example.status;
      expect(isExpected, `${nameOf(endpoint)} ${JSON.stringify(body)}: ${answer.status}`).toBe(true);
      expectStandardShape(answer);
    }
  }
});

/** Returns copies of a value; in each copy, one part is replaced by a hostile value. */
function replaceParts(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return hostileValues;
  const parts = Object.entries(value).flatMap(([name, part]) =>
    replaceParts(part).map((other) => Object.assign(structuredClone(value), { [name]: other })),
  );
  return [...hostileValues, ...parts];
}

/** Returns the index in `actors` of an actor who may call the endpoint. */
function permittedActor({ who }: Endpoint): number {
  return typeof who === "object" && who.includes("admin") ? 5 : 4;
}

function endpointsWithBody(): Endpoint[] {
  return endpoints.filter(({ maxBody, file }) => maxBody > 0 && !file);
}
