import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createTestApp, password } from "#test/test-app.ts";

const app = await createTestApp({ EXTRA_ORIGINS: "https://tresen.example" });
const greta = await app.createMember("greta");

test("a request with several problems is refused because of the problem that is first in the order of the checks", async () => {
  const guest = app.createClient();
  await guest.get("/sanctum/csrf-cookie");
  const path = "/broadcasting/auth";
  const long = `${path}?${"x".repeat(3000)}`;
  const large = `{"x":"${"x".repeat(3000)}"`;
  const bad = { host: "elsewhere.example", "content-type": "text/plain", origin: "https://elsewhere.example" };
  const our = { ...bad, host: "localhost:3000" };
  const json = { ...our, "content-type": "application/json" };
  const own = { ...json, origin: "http://localhost:3000" };
  const ladder: [status: number, who: Client, method: string, path: string, headers: object, body: string][] = [
    [414, guest, "PUT", long, bad, large],
    [421, guest, "PUT", path, bad, large],
    [405, guest, "PUT", path, our, large],
    [404, guest, "POST", `${path}/x`, our, large],
    [413, guest, "POST", path, our, large],
    [415, guest, "POST", path, our, "{"],
    [400, guest, "POST", path, json, "{"],
    [403, guest, "POST", path, json, "{}"],
    [419, guest, "POST", path, own, "{}"],
    [401, guest, "POST", path, { ...own, "x-xsrf-token": guest.csrfToken }, "{}"],
    [422, greta, "POST", path, { ...own, "x-xsrf-token": greta.csrfToken }, "{}"],
  ];
  const answered = [];
  for (const [, who, method, url, headers, body] of ladder) {
    answered.push((await who.send(method, url, { headers: { ...headers }, body })).status);
  }
  expect(answered).toEqual(ladder.map(([status]) => status));
});

test("the rate limit per member is checked before the body, and does not apply to guests", async () => {
  const strict = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const anna = await strict.createMember("anna");
  const guest = anna.through(strict);
  await anna.send("GET", "/api/logout", { headers: { "x-requested-with": "XMLHttpRequest" } });
  for (let call = 0; call < 3; call++) expect((await guest.post("/broadcasting/auth", {})).status).toBe(401);

  const second = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const ben = await second.createMember("ben");
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push((await ben.post("/broadcasting/auth", {})).status);
  expect(statuses).toEqual([422, 422, 429, 429]);
});

test("the rate limit per address is checked before everything else, such as the CSRF token", async () => {
  const strict = await createTestApp({ RATE_LIMIT_FACTOR: "0.1" });
  const guest = strict.createClient();
  for (let call = 0; call < 3; call++) expect((await guest.send("POST", "/api/register")).status).toBe(419);
  const large = await guest.send("POST", "/api/register", { body: "x".repeat(10_000) });
  expect(large.status).toBe(429);
});

test("a 422 response lists the problems of all fields, and its message says how many there are", async () => {
  const answer = await app.createClient().post("/api/register", {});
  expect(answer.status).toBe(422);
  expect(answer.json).toMatchObject({
    message: "Anmelde-Token muss ausgefüllt werden. (und 4 weitere Fehler)",
    errors: {
      token: ["Anmelde-Token muss ausgefüllt werden."],
      uname: ["Benutzername muss ausgefüllt werden."],
      name: ["Name muss ausgefüllt werden."],
      email: ["E-Mail-Adresse muss ausgefüllt werden."],
      password: ["Passwort muss ausgefüllt werden."],
    },
  });
  const login = await app.createClient().post("/api/login", {});
  expect(login.json.message).toBe("Benutzername muss ausgefüllt werden. (und 1 weiterer Fehler)");
});

test.each([
  ["another host", { host: "elsewhere.example" }],
  ["our host on another port", { host: "localhost:3001" }],
  ["our host with a tail", { host: "localhost:3000.elsewhere.example" }],
  ["our host in front of an @", { host: "localhost:3000@elsewhere.example" }],
  ["no host", { host: "" }],
])("the server refuses a request to %s, even if forwarded headers name the server's host", async (_, headers) => {
  const forwarded = { "x-forwarded-host": "localhost:3000", forwarded: "host=localhost:3000" };
  for (const path of ["/", "/api/checkLoginStatus", "/sanctum/csrf-cookie", "/api/nothing"]) {
    const answer = await app.createClient().send("GET", path, { headers: { ...forwarded, ...headers } });
    expectRefusal(answer, 421, "Die Anfrage ist ungültig.", path);
    expect(JSON.stringify(answer)).not.toContain("elsewhere");
  }
});

test("the health probes answer requests with any Host header", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await app.createClient({ host: "10.0.0.7" }).get(path);
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  }
});

test("only the origins in EXTRA_ORIGINS get CORS headers, which allow credentials", async () => {
  const extra = app.createClient({ origin: "https://tresen.example", "sec-fetch-site": "cross-site" });
  await extra.get("/sanctum/csrf-cookie");
  await app.createUser("ben");
  const login = await extra.post("/api/login", { uname: "ben", password });
  expect(login.status).toBe(200);
  expect(login.headers["access-control-allow-origin"]).toBe("https://tresen.example");
  expect(login.headers["access-control-allow-credentials"]).toBe("true");
  const asked = { "access-control-request-method": "DELETE" };
  const preflight = await extra.send("OPTIONS", "/api/user/sessions/1", { headers: asked });
  expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([
    204,
    "GET, HEAD, POST, DELETE",
  ]);
  for (const origin of ["https://elsewhere.example", "null", "https://tresen.example.elsewhere.example"]) {
    const answer = await app.createClient({ origin }).get("/api/checkLoginStatus");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
});
