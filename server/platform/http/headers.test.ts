import { beforeAll, describe, expect, test } from "vitest";

import { createActorClient, callEndpoint, createActorClients, nameOf, createActors } from "#test/actors.ts";
import type { ClientResponse } from "#test/client.ts";
import { expectStandardShape } from "#test/expect-response.ts";
import { sendRawRequest } from "#test/raw-request.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { pageHeaders, securityHeaders } from "./headers.ts";

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

describe.each([
  ["http", "http://localhost:3000", undefined],
  ["https", "https://stammtisch.example", "max-age=31536000"],
])("headers over %s", (scheme, appUrl, transportSecurity) => {
  let app: TestApp;
  const isSecure = scheme === "https";
  const sessionCookie = isSecure ? "__Host-session" : "session";
  const deviceCookie = isSecure ? "__Host-device" : "device";

  beforeAll(async () => {
    app = await createTestApp({ APP_URL: appUrl });
    await createActors(app);
  });

  function expectHeaders({ headers }: ClientResponse, what: string): void {
    expect(headers, what).toMatchObject(always);
    expect(headers["strict-transport-security"], what).toBe(transportSecurity);
    for (const name of ["server", "x-powered-by", "access-control-allow-origin"]) {
      expect(headers[name], `${what}: ${name}`).toBeUndefined();
    }
  }

  const when = isSecure ? {} : { tags: "nightly" as const };
  test("every reply of every endpoint has the security headers, including refusals", when, async () => {
    const clients = await createActorClients(app);
    for (const endpoint of app.context.http.endpoints) {
      for (const column of [0, 3, 5]) {
        const session = clients[column]!.cookies.get(sessionCookie);
        for (const method of [endpoint.method, "HEAD", "PATCH"]) {
          const answer = await callEndpoint(app, clients[column]!, endpoint, { method });
          const what = `${method} ${nameOf(endpoint)} → ${answer.status}`;
          expectHeaders(answer, what);
          expect(answer.headers["cache-control"], what).toMatch(
            /^(no-store|no-cache|private, no-cache|private, max-age=\d+(, immutable)?)$/,
          );
          if (!endpoint.path.startsWith("/api") && answer.status < 400) continue;
          expect(answer.headers["vary"], what).toMatch(/^Cookie(, Accept-Encoding)?$/);
          const isJson = endpoint.media === undefined || answer.status >= 400;
          if (isJson) expect(answer.headers["cache-control"], what).toMatch(/^(no-store|private, no-cache)$/);
        }
        if (clients[column]!.cookies.get(sessionCookie) !== session)
          clients[column] = await createActorClient(app, column);
      }
    }
  });

  test("a reply to an unknown path has the security headers", async () => {
    const guest = app.createClient();
    for (const path of ["/api/nothing", "/api", "/%zz", "/assets/none.js", `/api/config?${"x".repeat(3000)}`]) {
      expectHeaders(await guest.get(path), path);
    }
    expectHeaders(await guest.get("/api/config", { host: "elsewhere.example" }), "another host");
  });

  test("a reply to malformed HTTP has the security headers", async () => {
    const garbage = [
      "GARBAGE\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/0.9\r\nHost: x\r\n\r\n",
      "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ];
    for (const text of garbage) {
      const answer = await sendRawRequest(app.url, text);
      expect(answer.json, text).toMatchObject({ message: "Die Anfrage ist ungültig." });
      expect([400, 431]).toContain(answer.status);
      expectHeaders(answer, text);
      expect(answer.headers["vary"], text).toBe("Cookie");
    }
  });

  test("the reply to a refused WebSocket upgrade has the security headers", async () => {
    const foreign = "Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: https://evil.example\r\n";
    const { host } = new URL(appUrl);
    for (const [path, to, status] of [
      ["/elsewhere", host, 404],
      ["/app/stammtisch?protocol=7", host, 403],
      ["/app/stammtisch?protocol=7", "evil.example", 421],
    ] as const) {
      const answer = await sendRawRequest(app.url, `GET ${path} HTTP/1.1\r\nHost: ${to}\r\n${foreign}\r\n`);
      expect(answer.status).toBe(status);
      expectStandardShape(answer);
      expectHeaders(answer, path);
    }
  });

  test("the server ignores offers to upgrade a connection to HTTP/2", async () => {
    const offer =
      "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";
    const answer = await sendRawRequest(app.url, `GET /healthz HTTP/1.1\r\nHost: x\r\n${offer}\r\n`);
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ status: "ok" })]);
  });

  test("login, password confirmation and logout set only the expected cookies and attributes", async () => {
    const ben = app.createClient();
    const cookies = async (answer: Promise<ClientResponse>) => [(await answer).headers["set-cookie"] ?? []].flat();
    const session = `^${sessionCookie}=[A-Za-z0-9_-]{43}`;
    const token = "^XSRF-TOKEN=[A-Za-z0-9_-]{43}";
    const secure = isSecure ? "; Secure" : "";
    const patterns = (sessionStart: string, tokenStart: string, age = "", end = "") => [
      expect.stringMatching(new RegExp(`${sessionStart}${age}; Path=/${end}; HttpOnly${secure}; SameSite=Lax$`)),
      expect.stringMatching(new RegExp(`${tokenStart}${age}; Path=/${end}${secure}; SameSite=Lax$`)),
    ];
    const begun = patterns(session, token);
    const remembered = patterns(session, token, "; Max-Age=2592000");
    const halfAYear = "; Max-Age=15552000; Path=/";
    const device = expect.stringMatching(
      new RegExp(`^${deviceCookie}=[A-Za-z0-9_-]{43}${halfAYear}; HttpOnly${secure}; SameSite=Lax$`),
    ) as string;

    expect(await cookies(ben.get("/sanctum/csrf-cookie"))).toEqual(begun);
    expect(await cookies(ben.post("/api/login", { uname: "ben", password: "falsch" }))).toEqual([]);
    const login = { uname: "ben", password };
    expect(await cookies(ben.post("/api/login", login))).toEqual([...begun, device]);
    expect(await cookies(ben.post("/api/login", { ...login, rememberUser: true }))).toEqual([...remembered, device]);
    expect(await cookies(ben.post("/api/user/confirmPassword", { password }))).toEqual(remembered);
    expect(await cookies(ben.get("/api/checkLoginStatus"))).toEqual([]);
    expect(await cookies(ben.post("/api/beercounter/counters"))).toEqual([]);

    const left = await ben.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect(left.headers["clear-site-data"]).toBe('"cache"');
    const past = "; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    expect(left.headers["set-cookie"]).toEqual(patterns(`^${sessionCookie}=`, "^XSRF-TOKEN=", "; Max-Age=0", past));
    expect([...ben.cookies.keys()], "for the next login; it says nothing about anybody").toEqual([deviceCookie]);
  });

  test("a member who fetches a new CSRF token keeps the session", async () => {
    const ben = app.createClient();
    await ben.post("/api/login", { uname: "ben", password, rememberUser: true });
    const { headers } = await ben.get("/sanctum/csrf-cookie");
    expect(headers["set-cookie"]).toEqual([expect.stringMatching(/^XSRF-TOKEN=/)]);
    expect((await ben.post("/api/beercounter/counters")).status).toBe(200);
  });
});

test.each([
  ["http://localhost:3000", true, undefined],
  ["https://stammtisch.example", false, "max-age=31536000"],
  ["https://stammtisch.example", true, "max-age=31536000; includeSubDomains"],
])("at %s with HSTS_SUBDOMAINS %s, browsers are told to use https: %s", (appUrl, hstsSubdomains, header) => {
  const headers = securityHeaders({ appUrl: new URL(appUrl), hstsSubdomains });
  expect(headers["strict-transport-security"]).toBe(header);
});

test.each([
  ["https://stammtisch.example", "same-origin"],
  ["http://localhost:3000", "same-origin"],
  ["http://stammtisch.home", undefined],
])("pages at %s have the Cross-Origin-Opener-Policy %s", (appUrl, policy) => {
  expect(pageHeaders(new URL(appUrl), null)["cross-origin-opener-policy"]).toBe(policy);
});

test("a browser at an address that the server does not know gets a page that says what to set", async () => {
  const app = await createTestApp();
  const accept = { accept: "text/html,application/xhtml+xml;q=0.9" };
  const answer = await app.createClient({ host: "kneipe.example:8443", ...accept }).get("/");
  expect([answer.status, answer.headers["content-type"]]).toEqual([421, "text/html; charset=utf-8"]);
  expect(answer.text).toContain("<code>APP_URL=http://kneipe.example:8443</code>");
  expect(answer.text).toContain("<code>EXTRA_ORIGINS=http://kneipe.example:8443</code>");
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
  const forged = await app.createClient({ host: "<script>alert(1)</script>", ...accept }).get("/");
  expect([forged.status, forged.text.includes("<script")]).toEqual([421, false]);
  const program = await app.createClient({ host: "kneipe.example" }).get("/api/config");
  expect(program.json).toMatchObject({ code: "misdirectedRequest" });
});
