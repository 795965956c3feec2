import fc from "fast-check";

import type { Endpoint } from "#contract/endpoint.ts";
import { describeApi } from "#server/platform/http/openapi.ts";
import { createActorClient } from "./actors.ts";
import { createDescriptionCheck } from "./api-description.ts";
import type { Client } from "./client.ts";
import { expectStandardShape } from "./expect-response.ts";
import type { TestApp } from "./test-app.ts";

/** A request that our pages would never send, partly valid and partly invalid. */
interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
  /** `true` if the CSRF token is sent, so that the request passes the CSRF check. */
  readonly isTrusted: boolean;
}

const hostileStrings = [
  ...["", " ", "0", "-1", "1e999", "null", "undefined", "true", "[]", "{}", "__proto__", "constructor", "toString"],
  ...["../../etc/passwd", "..\\..", "%00", "\u0000", "\ud800", "\u202e", "' or '1'='1", '"; drop table users; --'],
  ...["{{7*7}}", "${7*7}", "<script>", "%s%s%n", "\r\nset-cookie: x=1", "１２３", "NaN"],
  ...["a".repeat(300), "🍺".repeat(80)],
];
const text = fc.oneof(fc.constantFrom(...hostileStrings), fc.string(), fc.string({ unit: "binary", maxLength: 40 }));

/** A path segment with its bytes written unchanged, escaped, or escaped wrongly. */
const segment = fc.oneof(
  text.map((one) => [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")),
  text.map((one) => one.replaceAll(/[^!-~]|[?#]/g, "")),
  fc.constantFrom("1", "-1", "1.5", "%zz", "%", "..", ".", "%2e%2e%2f", "AAAAAAAAAAAAAAAAAAAAAA", "2026-12-01"),
);

const headerValue = text.map((one) => one.replaceAll(/[^ -~]/g, "").trim());
const headerNames = `
  accept accept-encoding content-encoding content-type cookie expect forwarded from host idempotency-key if-modified-since
  if-none-match origin prefer range referer sec-fetch-site te user-agent x-csrf-token x-forwarded-for x-http-method-override
  x-requested-with x-socket-id
`.match(/\S+/g)!;
const strangeHeaders = fc.dictionary(
  fc.constantFrom(...headerNames),
  fc.oneof(
    headerValue,
    fc.constantFrom("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
    fc.constantFrom("bytes=0-0,5-,-1", "*", "gzip", "cross-site", "same-origin", "0123456789abcdef"),
  ),
  { maxKeys: 3 },
);

function bodyFor(endpoint: Endpoint): fc.Arbitrary<string | Buffer | undefined> {
  const { shape = {} } = (endpoint.body as unknown as { def: { shape?: object } } | undefined)?.def ?? {};
  const fields = [...Object.keys(shape), "id", "permissions", "x"];
  const value = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() });
  const object = fc.dictionary(fc.constantFrom(...fields), value).map((one) => JSON.stringify(one));
  return fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.tuple(object, fc.nat()).map(([one, cut]) => one.slice(0, cut % (one.length + 1))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...fields), text).map((one) => encodeForm(one)) },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

function encodeForm(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function fuzzRequestFor(endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  const placeholders = endpoint.path.split("/").filter((part) => part.startsWith(":")).length;
  const filled = fc.array(segment, { minLength: placeholders, maxLength: placeholders }).map((parts) => {
    const left = [...parts];
    return endpoint.path.replaceAll(/:[^/]+/g, () => left.shift()!);
  });
  const path = fc.oneof(
    { weight: 8, arbitrary: filled },
    { weight: 1, arbitrary: fc.tuple(filled, segment).map(([start, end]) => `${start}/${end}`) },
    { weight: 1, arbitrary: fc.tuple(filled, segment).map(([start, end]) => `${start}?${end}`) },
    { weight: 1, arbitrary: segment.map((one) => `/${one}`) },
  );
  const anyMethod = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");
  return fc.record({
    method: fc.oneof({ weight: 8, arbitrary: fc.constant(endpoint.method) }, { weight: 1, arbitrary: anyMethod }),
    path,
    headers: fc.tuple(fc.boolean(), strangeHeaders).map(([isPlain, strange]) => ({
      "content-type": "application/json",
      ...(endpoint.csrf === "requested-with" && { "x-requested-with": "XMLHttpRequest" }),
      ...(!isPlain && strange),
    })),
    body: bodyFor(endpoint),
    isTrusted: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  });
}

/**
 * Sends `cases` random requests as the actor at index `column`. Fails with the smallest request
 * whose answer was a 5xx status or violated the OpenAPI document.
 */
export async function fuzz(app: TestApp, column: number, cases: number): Promise<void> {
  let client = await createActorClient(app, column);
  const members = await app.db.selectFrom("users").select(["id", "uname", "uname_key", "password_hash"]).execute();
  const expectDescribed = createDescriptionCheck(await describeApi(app.config.appUrl));
  const attack = fc.oneof(...app.context.http.endpoints.map(fuzzRequestFor));
  const property = fc.asyncProperty(attack, async (one) => {
    const session = client.cookies.get("session");
    await send(client, one, expectDescribed);
    if (client.cookies.get("session") === session) return;
    // The request logged the client out, and perhaps changed the member's password: restore all
    // members.
    for (const { id, ...member } of members) {
      await app.db.updateTable("users").set(member).where("id", "=", id).execute();
    }
    client = await createActorClient(app, column);
  });
  await fc.assert(property, { numRuns: cases });
}

async function send(
  client: Client,
  { method, path, headers, body, isTrusted }: FuzzRequest,
  expectDescribed: ReturnType<typeof createDescriptionCheck>,
): Promise<void> {
  const answer = await client.send(method, path, {
    headers: { ...(isTrusted && client.csrfToken !== "" && { "x-xsrf-token": client.csrfToken }), ...headers },
    ...(body !== undefined && { body }),
  });
  // Without built pages the server answers 503, which is not a fault.
  const isUnbuilt = answer.status === 503 && answer.headers["retry-after"] === undefined;
  if (answer.status >= 500 && !isUnbuilt) throw new Error(`${answer.status}: ${answer.text}`);
  if (method === "HEAD") return;
  expectStandardShape(answer);
  expectDescribed(method, path, answer);
}
