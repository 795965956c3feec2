import { randomBytes } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors, expectStandardShape } from "#test/expect-response.ts";
import { afterReading } from "#test/held-query.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const minute = 60_000;
const wrongText = "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1", TRUST_PROXY: "127.0.0.1" });
  await app.createUser("anna");
});

async function guestAt(address: string): Promise<Client> {
  const client = app.createClient({ "x-forwarded-for": address });
  await client.get("/sanctum/csrf-cookie");
  return client;
}

const guess = (client: Client, uname: string, attempt = "falsch") =>
  client.post("/api/login", { uname, password: attempt });

/**
 * Sends the logins in parallel, because a failed login takes at least 200 ms. Returns the sorted
 * statuses.
 */
async function statusesOf(client: Client, unames: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(unames.map((uname) => guess(client, uname)));
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

function expectThrottled(answer: ClientResponse, seconds: number): void {
  const text = `Zu viele Loginversuche. Versuche es bitte in ${seconds} Sekunden nochmal.`;
  expect([answer.status, answer.json]).toEqual([
    429,
    { message: text, code: "tooManyRequests", errors: { uname: [text] } },
  ]);
  expect(answer.headers["retry-after"]).toBe(String(seconds));
  expectStandardShape(answer);
}

describe("throttle of one username and address", () => {
  test(
    "after five failed logins a sixth is refused for a minute, even with the correct password",
    { tags: "postgres" },
    async () => {
      const guest = await guestAt("10.0.0.1");
      for (let attempt = 0; attempt < 5; attempt++) {
        const answer = await guess(guest, "anna");
        expectErrors(answer, { uname: [wrongText] });
      }
      expectThrottled(await guess(guest, "anna"), 60);
      app.clock.time += 45_500;
      expectThrottled(await guess(guest, "anna", password), 15);
      app.clock.time += 14_499;
      expectThrottled(await guess(guest, "anna", password), 1);
      app.clock.time += 1;
      expect((await guess(guest, "anna", password)).status).toBe(200);
    },
  );

  test("a changed clock neither shortens nor extends the wait after failed logins", async () => {
    const guest = await guestAt("10.0.0.1");
    for (let attempt = 0; attempt < 5; attempt++) await guess(guest, "anna");
    for (const hours of [36, -1, -25]) {
      app.clock.offset = hours * 60 * minute;
      expectThrottled(await guess(guest, "anna", password), 60);
    }
    app.clock.time += minute;
    expect((await guess(guest, "anna", password)).status).toBe(200);
  });

  test("failed logins are counted for one username together in all spellings of the username", async () => {
    const guest = await guestAt("10.0.0.1");
    const spellings = ["anna", "ANNA", "  Anna ", "ａｎｎａ", "annA", "AnNa", "ａＮna"];
    expect(await statusesOf(guest, spellings)).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  test("failed logins do not throttle another username or another address", async () => {
    const [near, far] = [await guestAt("10.0.0.1"), await guestAt("10.0.0.2")];
    expect((await statusesOf(near, Array(6).fill("anna"))).at(-1)).toBe(429);
    expect((await guess(near, "ben")).status).toBe(422);
    expect((await guess(far, "anna", password)).status).toBe(200);
  });

  test(
    "simultaneous logins with an unknown username are throttled like logins with a known username",
    { tags: "postgres" },
    async () => {
      const guest = await guestAt("10.0.0.1");
      const statuses = await statusesOf(guest, Array(20).fill("niemand"));
      expect(statuses.slice(0, 6)).toEqual([422, 422, 422, 422, 422, 429]);
    },
  );

  test("a server restart keeps the count of failed logins", async () => {
    await statusesOf(await guestAt("10.0.0.1"), Array(5).fill("anna"));
    const again = await app.reopen();
    const guest = again.createClient({ "x-forwarded-for": "10.0.0.1" });
    expectThrottled(await guess(guest, "anna", password), 60);
  });
});

test("a very long username is throttled and stored only as a hash", async () => {
  const name = randomBytes(2900).toString("base64url");
  expect(await statusesOf(await guestAt("192.0.2.1"), Array(6).fill(name))).toEqual([422, 422, 422, 422, 422, 429]);
  const rows = await app.db.selectFrom("login_attempts").select("key").execute();
  expect(JSON.stringify(rows)).not.toContain(name.toLowerCase().slice(0, 8));
});

test("a successful login resets the count of failed logins", async () => {
  const guest = await guestAt("10.0.0.1");
  expect(await statusesOf(guest, Array(4).fill("anna"))).toEqual([422, 422, 422, 422]);
  expect((await guess(guest, "anna", password)).status).toBe(200);
  const next = await guestAt("10.0.0.1");
  expect(await statusesOf(next, Array(6).fill("anna"))).toEqual([422, 422, 422, 422, 422, 429]);
});

test("an IPv6 /64 network may try thirty logins a minute with any usernames", async () => {
  const unames = Array.from({ length: 30 }, (_, index) => `member-${index}`);
  const household = await Promise.all(["2001:db8::1", "2001:db8::2", "2001:db8::3"].map(guestAt));
  const answers = await Promise.all(unames.map((uname, index) => guess(household[index % 3]!, uname)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
  expectThrottled(await guess(household[0]!, "anna", password), 60);
  expect((await guess(await guestAt("2001:db8:0:1::1"), "anna", password)).status).toBe(200);
  app.clock.time += minute;
  expect((await guess(household[0]!, "anna", password)).status).toBe(200);
});

test("an IPv6 /56 network may try four times as many logins as a /64 network", async () => {
  for (let index = 0; index < 120; index++) {
    const guest = await guestAt(`2001:db8:7:${index.toString(16)}::1`);
    expect((await guess(guest, `member-${index}`)).status).toBe(422);
  }
  expectThrottled(await guess(await guestAt("2001:db8:7:ff::1"), "anna", password), 60);
  expect((await guess(await guestAt("2001:db8:7:100::1"), "anna", password)).status).toBe(200);
});

test("a hundred failed logins in a row lock the account for logins but do not end its sessions", async () => {
  const anna = app.createClient();
  await guess(anna, "anna", password);
  await app.db.updateTable("users").set({ failed_logins: 97 }).execute();
  const last = await Promise.all(["10.1.0.1", "10.2.0.1", "10.3.0.1"].map(guestAt));
  for (const guest of last) expect((await guess(guest, "anna")).status).toBe(422);
  expectThrottled(await guess(await guestAt("10.9.0.1"), "anna", password), 900);
  expect((await anna.get("/api/beercounter/counters")).status).toBe(200);
  expect((await guess(await guestAt("10.9.0.2"), "ben")).status).toBe(422);

  app.clock.time += 15 * minute;
  expect((await guess(await guestAt("10.9.0.3"), "anna")).status).toBe(422);
  expectThrottled(await guess(await guestAt("10.9.0.4"), "anna", password), 1800);
  app.clock.time += 30 * minute;
  expect((await guess(await guestAt("10.9.0.5"), "anna", password)).status).toBe(200);
  expect((await guess(await guestAt("10.9.0.6"), "anna")).status).toBe(422);
  expect((await guess(await guestAt("10.9.0.7"), "anna", password)).status).toBe(200);
});

describe("login in flight when the account is locked", { tags: "postgres" }, () => {
  /**
   * Sends a login, and lets another failed login lock the account once the first has read the
   * account.
   */
  async function guessMeanwhile(attempt: string): Promise<ClientResponse> {
    await app.db.updateTable("users").set({ failed_logins: 99 }).execute();
    const [early, late] = [await guestAt("10.9.0.1"), await guestAt("10.9.0.2")];
    return afterReading(
      app.holdQuery,
      "uname_key",
      () => guess(early, "anna", attempt),
      async () => expect((await guess(late, "anna")).status).toBe(422),
    );
  }

  test("a correct login in flight is refused once the account is locked", async () => {
    expectThrottled(await guessMeanwhile(password), 900);
    expect(await app.db.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  test("a failed login in flight does not extend the lock of the account", async () => {
    expect((await guessMeanwhile("falsch")).status).toBe(422);
    expectThrottled(await guess(await guestAt("10.9.0.3"), "anna", password), 900);
    app.clock.time += 15 * minute;
    expect((await guess(await guestAt("10.9.0.4"), "anna")).status).toBe(422);
    expectThrottled(await guess(await guestAt("10.9.0.5"), "anna", password), 1800);
  });
});

test("a failed login takes at least 200 ms and does not reveal if the username exists", async () => {
  const bodies = new Set<string>();
  for (const [index, uname] of ["anna", "niemand", "a\u0301nna", "x".repeat(500)].entries()) {
    const guest = await guestAt(`10.0.0.${index + 1}`);
    const began = performance.now() + app.clock.elapsed;
    const answer = await guess(guest, uname);
    expect(performance.now() + app.clock.elapsed - began).toBeGreaterThanOrEqual(200);
    expect(answer.status).toBe(422);
    const { date: _, ...headers } = answer.headers;
    bodies.add(JSON.stringify([answer.json, Object.keys(headers)]));
  }
  expect(bodies.size).toBe(1);
});
