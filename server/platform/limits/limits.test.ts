import { expect, test } from "vitest";

import { drinkBeer } from "#contract/beercounter.ts";
import { type Endpoint, permissions } from "#contract/endpoint.ts";
import { systemClock } from "#server/platform/clock.ts";
import { callEndpoint, nameOf, findExample } from "#test/actors.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectStandardShape } from "#test/expect-response.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { createRateLimiter } from "./limits.ts";

let app: TestApp;

const proxied = { TRUST_PROXY: "127.0.0.1" };

/** Creates a client that a trusted proxy reports to have this address. */
const at = (address: string): Client => app.createClient({ "x-forwarded-for": address });

async function memberAt(address: string): Promise<Client> {
  const client = at(address);
  await client.post("/api/login", { uname: "ben", password });
  return client;
}

function expectTooMany(answer: ClientResponse, limit: number, seconds: number, what: string): void {
  expect(answer.status, what).toBe(429);
  expectStandardShape(answer);
  const retryAfter = Number(answer.headers["retry-after"]);
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(seconds);
  expect(answer.json.message).toBe(`Zu viele Anfragen. Versuche es bitte in ${retryAfter} Sekunden nochmal.`);
  expect(answer.headers["x-ratelimit-limit"], what).toBe(String(limit));
  expect(answer.headers["x-ratelimit-remaining"]).toBe("0");
}

test(
  "every endpoint accepts exactly as many calls as its rate limit in the contract allows",
  { timeout: 60_000 },
  async () => {
    const factor = 0.1;
    app = await createTestApp({ ...proxied, RATE_LIMIT_FACTOR: String(factor) });
    await app.createUser("ben", permissions);
    const answered: string[] = [];
    const expected: string[] = [];
    for (const [index, endpoint] of app.context.http.endpoints.entries()) {
      // Skips the login: another counter refuses login attempts before this rate limit does.
      if (endpoint.path === "/api/login") continue;
      const { limit, seconds, per } = endpoint.rate;
      const address = `10.1.${index}.1`;
      const client = per === "ip" ? await guestAt(address) : await memberAt(address);
      const most = Math.max(1, Math.floor(limit * factor));
      let allowed = 0;
      let answer = await callOnce(endpoint, client);
      while (answer.status !== 429 && allowed < most + 3) {
        allowed += 1;
        answer = await callOnce(endpoint, client);
      }
      answered.push(`${nameOf(endpoint)}: ${allowed}`);
      expected.push(`${nameOf(endpoint)}: ${most}`);
      if (answer.status === 429) expectTooMany(answer, most, seconds, nameOf(endpoint));
    }
    expect(answered).toEqual(expected);
  },
);

/** Creates a guest whose CSRF token was fetched from another address, so that fetching it does not count. */
async function guestAt(address: string): Promise<Client> {
  const elsewhere = at(`10.2.${address.split(".")[2]}.1`);
  await elsewhere.get("/sanctum/csrf-cookie");
  return elsewhere.through(app, { "x-forwarded-for": address });
}

/** Calls an endpoint and then restores the client's cookies, which the answer may change. */
async function callOnce(endpoint: Endpoint, client: Client): Promise<ClientResponse> {
  const cookies = new Map(client.cookies);
  const answer = await callEndpoint(app, client, endpoint, findExample(endpoint).body ? { body: "{}" } : {});
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return answer;
}

test("the X-RateLimit-Remaining header counts down to 0, and calls are accepted again after a minute", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
  const guest = app.createClient();
  const left: string[] = [];
  for (let index = 0; index < 60; index++) {
    const { status, headers } = await guest.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect(status).toBe(200);
    left.push(String(headers["x-ratelimit-remaining"]));
  }
  expect(left).toEqual(Array.from({ length: 60 }, (_, index) => String(59 - index)));
  const again = () => guest.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
  expectTooMany(await again(), 60, 60, "the 61st");
  app.clock.time += 59_999;
  expect((await again()).status).toBe(429);
  app.clock.time += 1;
  expect((await again()).status).toBe(200);
});

test("a guest's rate limit affects neither other addresses nor members at the same address", async () => {
  app = await createTestApp({ ...proxied, RATE_LIMIT_FACTOR: "0.1" });
  await app.createUser("ben");
  const ben = await memberAt("10.0.0.1");
  const rude = at("10.0.0.1");
  for (let index = 0; index < 70; index++) await rude.get("/api/beercounter/counters");
  expect((await rude.get("/api/beercounter/counters")).status).toBe(429);
  expect((await rude.get("/api/config")).status).toBe(429);
  expect((await at("10.0.0.2").get("/api/beercounter/counters")).status).toBe(401);
  expect((await ben.get("/api/beercounter/counters")).status).toBe(200);
});

test("requests with invented session cookies share the rate limit of their address", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const statuses = [];
  for (let index = 0; index < 8; index++) {
    const guest = app.createClient();
    guest.cookies.set("session", String(index).padStart(43, "A"));
    statuses.push((await guest.get("/api/beercounter/counters")).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
});

test("after many invented session ids, requests with further ones are refused without a query, and members are served", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const ben = await app.createMember("ben");
  await ben.get("/api/beercounter/counters");
  const invented = app.createClient();
  invented.cookies.set("session", "A".repeat(43));
  for (let index = 0; index < 6; index++) expect((await invented.get("/api/beercounter/counters")).status).toBe(401);
  const held = app.holdQuery("SelectQueryNode", "sessions");
  expect((await invented.get("/api/beercounter/counters")).status).toBe(429);
  held.release();
  expect((await ben.get("/api/beercounter/stats/user")).status).toBe(200);
  expect((await app.createClient().get("/api/config")).status).toBe(200);
});

test("simultaneous requests of members do not count as requests with unknown sessions", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const [ben, anna] = [await app.createMember("ben"), await app.createMember("anna")];
  for (const client of [ben, anna]) await Promise.all([1, 2, 3, 4].map(() => client.get("/api/beercounter/counters")));
  const carla = await app.createMember("carla");
  expect((await carla.get("/api/beercounter/counters")).status).toBe(200);
});

test("an IPv6 client cannot avoid the rate limit by changing its /64, because its /56 and /48 are counted too", async () => {
  app = await createTestApp({ ...proxied, RATE_LIMIT_FACTOR: "0.01" });
  const callsFrom = async (addressOf: (index: number) => string): Promise<number> => {
    for (let calls = 0; calls < 200; calls++)
      if ((await at(addressOf(calls)).get("/healthz")).status === 429) return calls;
    return Infinity;
  };
  expect(await callsFrom((index) => `2001:db8:1:${index.toString(16)}::1`)).toBe(4);
  expect(await callsFrom((index) => `2001:db8:2:${(index << 8).toString(16)}::1`)).toBe(16);
  expect(await callsFrom(() => "2001:db8:3::1")).toBe(1);
  for (let call = 0; call < 50; call++) await at("2001:db8:3::1").get("/healthz");
  expect((await at("2001:db8:3:1::1").get("/healthz")).status, "a neighbour of one who is refused").toBe(200);
  expect((await at("2001:db8:4::1").get("/healthz")).status).toBe(200);
});

test("each member has a daily limit for booking beers and for undoing them", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  /** Makes five calls per minute, and returns the number of calls before the first 429. */
  const countCalls = async (call: (index: number) => Promise<ClientResponse>): Promise<number> => {
    for (let index = 0; index < 100; index++) {
      if (index % 5 === 0) app.clock.time += 60_000;
      const { status, headers } = await call(index);
      if (status === 429) {
        expect(Number(headers["retry-after"])).toBeGreaterThan(3600);
        return index;
      }
    }
    return Infinity;
  };
  const undo = (index: number) => anna.delete(`/api/beercounter/taps/invented-${index}`);
  expect(await countCalls(() => anna.post("/api/beercounter/counters"))).toBe(20);
  expect(await countCalls(undo)).toBe(10);
  expect((await ben.post("/api/beercounter/counters")).status).toBe(200);
  const { count } = await app.db
    .selectFrom("undone_beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(10);
});

test("a member can tap 60 beers a minute on one of ten instances", () => {
  const { rate } = drinkBeer;
  const clock = { ...systemClock, monotonic: () => 0 };
  const limiter = createRateLimiter(rate, { factor: 1, clock, countInstances: () => 10 });
  const admitted = Array.from({ length: 61 }, () => limiter.admits(["anna"]));
  expect(admitted.filter(Boolean)).toHaveLength(60);
});

test("calls to different endpoints in one session share a rate limit", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.01" });
  const ben = await app.createMember("ben");
  const paths = ["counters", "stats/user", "stats/timely"].map((path) => `/api/beercounter/${path}`);
  const statuses = [];
  for (let index = 0; index < 15; index++) statuses.push((await ben.get(paths[index % 3]!)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(12);
  expect(statuses.slice(-3)).toEqual([429, 429, 429]);
});

test("forwarding headers do not change the address that is rate-limited if no proxy is trusted", async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "0.1" });
  const spellings = ["x-forwarded-for", "forwarded", "x-real-ip", "client-ip", "true-client-ip", "cf-connecting-ip"];
  const statuses = [];
  for (let index = 0; index < 8; index++) {
    const claims = Object.fromEntries(spellings.map((name) => [name, `10.3.${index}.1`]));
    statuses.push((await app.createClient(claims).send("POST", "/api/logout")).status);
  }
  expect(statuses).toEqual([419, 419, 419, 419, 419, 419, 429, 429]);
});

test("behind a trusted proxy, the rate limit applies to the last forwarded address", async () => {
  app = await createTestApp({ ...proxied, RATE_LIMIT_FACTOR: "0.1" });
  const statuses = [];
  for (let index = 0; index < 8; index++) {
    statuses.push((await at(`10.3.${index}.1, 10.9.9.9`).send("POST", "/api/logout")).status);
  }
  expect(statuses).toEqual([419, 419, 419, 419, 419, 419, 429, 429]);
  expect((await at("10.9.9.9, 10.3.0.1").send("POST", "/api/logout")).status).toBe(419);
});

test("a warning is logged once if a request comes through a proxy that TRUST_PROXY does not name", async () => {
  const warnings = () => app.logLines.filter(({ event }) => event === "proxy-not-trusted");
  app = await createTestApp(proxied);
  await at("198.51.100.7").get("/healthz");
  await at("127.0.0.1").get("/healthz");
  expect(warnings()).toEqual([]);
  app = await createTestApp();
  await at("198.51.100.7").get("/healthz");
  expect(warnings()).toEqual([]);
  app = await createTestApp({ TRUST_PROXY: "10.0.0.1" });
  await app.createClient().get("/healthz");
  expect(warnings()).toEqual([]);
  await at("198.51.100.7").get("/healthz");
  await at("198.51.100.8").get("/healthz");
  const reason = expect.stringContaining("TRUST_PROXY does not name this proxy");
  const fields = { network: "127.0.0.0/24", reason };
  expect(warnings()).toEqual([{ level: "warn", event: "proxy-not-trusted", fields }]);
});
