import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt, updatePermissions } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let app: TestApp;
let annaId: number;

beforeEach(async () => {
  app = await createTestApp();
  annaId = await app.createUser("anna");
});

async function login(rememberUser = false): Promise<Client> {
  const client = app.createClient();
  expect((await client.post("/api/login", { uname: "anna", password, rememberUser })).status).toBe(200);
  return client;
}

async function isAnna(client: Client): Promise<boolean> {
  const { status, json } = await client.get("/api/checkLoginStatus");
  expect(status).toBe(200);
  expect((await client.get("/api/beercounter/counters")).status).toBe(json.user ? 200 : 401);
  return json.user?.uname === "anna";
}

describe("login", () => {
  test("every login gets a new session id that was never used before", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 10; round++) {
      app.clock.time += 1000;
      const client = app.createClient();
      await client.get("/sanctum/csrf-cookie");
      seen.add(client.cookies.get("session")!);
      const before = client.through(app);
      await client.post("/api/login", { uname: "anna", password, rememberUser: round % 2 === 0 });
      seen.add(client.cookies.get("session")!);
      expect(await isAnna(client)).toBe(true);
      expect(await isAnna(before)).toBe(false);
    }
    expect(seen.size).toBe(20);
    for (const id of seen) expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test.each([
    ["well-formed", "A".repeat(43)],
    ["too short", "1"],
    ["empty", ""],
    ["with a path in it", "../../etc/passwd"],
  ])("a login does not adopt a planted session id (%s)", async (_, planted) => {
    const client = app.createClient();
    client.cookies.set("session", planted);
    await client.get("/sanctum/csrf-cookie");
    expect(client.cookies.get("session")).not.toBe(planted);
    client.cookies.set("session", planted);
    expect((await client.post("/api/login", { uname: "anna", password })).status).toBe(419);
    await client.get("/sanctum/csrf-cookie");
    expect((await client.post("/api/login", { uname: "anna", password })).status).toBe(200);
    expect(client.cookies.get("session")).not.toBe(planted);
    const planter = app.createClient();
    planter.cookies.set("session", planted);
    expect(await isAnna(planter)).toBe(false);
  });

  test("a cookie whose name begins with a no-break space does not hide the session cookie", async () => {
    const anna = await login();
    const own = `session=${anna.cookies.get("session")}`;
    const nameWith = async (cookie: string) => (await anna.get("/api/checkLoginStatus", { cookie })).json.user?.uname;
    expect(await nameWith(`\u00a0session=${"A".repeat(43)}; ${own}`)).toBe("anna");
    expect(await nameWith(`theme=dark;\t${own};other=1`)).toBe("anna");
    expect(await nameWith(`\u00a0${own}`)).toBeUndefined();
  });

  test("a login in a logged-in browser ends the browser's previous session", async () => {
    const anna = await login();
    const before = anna.through(app);
    await anna.post("/api/login", { uname: "anna", password });
    expect([await isAnna(anna), await isAnna(before)]).toEqual([true, false]);
  });

  test("a failed login in a logged-in browser does not end its session", async () => {
    const anna = await login();
    const { session } = Object.fromEntries(anna.cookies);
    expect((await anna.post("/api/login", { uname: "anna", password: "falsch" })).status).toBe(422);
    expect(anna.cookies.get("session")).toBe(session);
    expect(await isAnna(anna)).toBe(true);
  });

  test("a member's 21st session ends only the member's oldest session", { tags: "postgres" }, async () => {
    const clients: Client[] = [];
    for (let index = 0; index < 21; index++) {
      app.clock.time += 1000;
      clients.push(await login());
    }
    const alive = await Promise.all(clients.map(isAnna));
    expect(alive).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
  });

  test("a member's 21st session is valid even if the clock was set back before the login", async () => {
    for (let index = 0; index < 20; index++) await login();
    app.clock.time -= hour;
    expect(await isAnna(await login())).toBe(true);
  });

  test("a member who logs in after another member in the same browser cannot use the other's CSRF token", async () => {
    await app.createUser("ben");
    const browser = await login();
    const { csrfToken } = browser;
    await browser.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    await browser.post("/api/login", { uname: "ben", password });
    expect((await browser.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
    const old = await browser.send("POST", "/api/beercounter/counters", { headers: { "x-xsrf-token": csrfToken } });
    expect(old.status).toBe(419);
    await browser.post("/api/beercounter/counters");
    expect((await (await login()).get("/api/beercounter/counters")).json.userCounterVal).toBe(0);
  });
});

describe("stored secrets", () => {
  test("the database stores session ids and passwords only as hashes", async () => {
    const anna = await login();
    const rows = JSON.stringify([
      await app.db.selectFrom("sessions").selectAll().execute(),
      await app.db.selectFrom("users").selectAll().execute(),
    ]);
    expect(rows).not.toContain(anna.cookies.get("session"));
    expect(rows).not.toContain(password);
    expect(rows).toContain("$argon2id$v=19$");
  });
});

describe("session lifetime", () => {
  test.each<[string, number, boolean]>([
    ["not yet after 119 idle minutes", 119 * minute, true],
    ["after 121 idle minutes", 121 * minute, false],
    ["after a night", 12 * hour, false],
  ])("a session ends after two idle hours (%s)", async (_, idle, isAlive) => {
    const anna = await login();
    app.clock.time += idle;
    expect(await isAnna(anna)).toBe(isAlive);
  });

  test("a session that is used ends at the earliest 110 minutes after its last use", async () => {
    const anna = await login();
    app.clock.time += 9 * minute;
    expect(await isAnna(anna)).toBe(true);
    app.clock.time += 110 * minute;
    expect(await isAnna(anna)).toBe(true);
  });

  test("a session ends a day after the login despite activity", async () => {
    const anna = await login();
    const end = app.clock.time + day;
    while (app.clock.time + hour < end) {
      app.clock.time += hour;
      expect(await isAnna(anna)).toBe(true);
    }
    app.clock.time = end - 1;
    expect(await isAnna(anna)).toBe(true);
    app.clock.time = end;
    expect(await isAnna(anna)).toBe(false);
  });

  test("a remembered session ends exactly 30 days after the login, used or not", async () => {
    const [busy, idle] = [await login(true), await login(true)];
    const begin = app.clock.time;
    for (let days = 1; days < 30; days++) {
      app.clock.time = begin + days * day;
      expect(await isAnna(busy)).toBe(true);
    }
    app.clock.time = begin + 30 * day - minute;
    expect([await isAnna(busy), await isAnna(idle)]).toEqual([true, true]);
    app.clock.time = begin + 30 * day;
    expect([await isAnna(busy), await isAnna(idle)]).toEqual([false, false]);
  });

  test("an expired session remains invalid when the clock is set back", async () => {
    const anna = await login();
    app.clock.time += 36 * hour;
    expect(await isAnna(anna)).toBe(false);
    app.clock.time -= 25 * hour;
    expect(await isAnna(anna)).toBe(false);
  });

  test("a logout ends only the session of its browser", async () => {
    const [phone, laptop] = [await login(), await login(true)];
    const stolen = phone.through(app);
    const answer = await phone.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect([answer.status, answer.json]).toEqual([200, { message: "Abgemeldet." }]);
    expect(await isAnna(stolen)).toBe(false);
    expect((await stolen.post("/api/beercounter/counters")).status).toBe(401);
    expect(await isAnna(laptop)).toBe(true);
    const again = await phone.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect([again.status, again.json]).toEqual([200, { message: "Abgemeldet." }]);
  });

  test("disabling a member ends the member's sessions, and a login gets the same refusal for correct and wrong passwords", async () => {
    const [phone, laptop] = [await login(), await login(true)];
    await updateDisabledAt(app.db, annaId, app.clock.now());
    expect([await isAnna(phone), await isAnna(laptop)]).toEqual([false, false]);
    const guest = app.createClient();
    const refused = await guest.post("/api/login", { uname: "anna", password });
    const wrong = await guest.post("/api/login", { uname: "anna", password: "falsch" });
    expect([refused.status, refused.text]).toEqual([wrong.status, wrong.text]);
    await updateDisabledAt(app.db, annaId, null);
    expect((await guest.post("/api/login", { uname: "anna", password })).status).toBe(200);
  });
});

test("REMEMBER_DAYS is the lifetime of a remembered session and of its cookie", async () => {
  const strict = await createTestApp({ REMEMBER_DAYS: "2" });
  await strict.createUser("ben");
  const ben = strict.createClient();
  const answer = await ben.post("/api/login", { uname: "ben", password, rememberUser: true });
  expect(answer.headers["set-cookie"]![0]).toContain("; Max-Age=172800;");
  strict.clock.time += 2 * day - 1;
  expect((await ben.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
  strict.clock.time += 1;
  expect((await ben.get("/api/checkLoginStatus")).json.user).toBeNull();
});

test("a session has the member's current permissions, not those at the login", async () => {
  const anna = await login();
  const permissions = async () => (await anna.get("/api/checkLoginStatus")).json.user.permissions;
  expect(await permissions()).toEqual(["see-game-servers", "toggle-game-servers", "admin"]);
  await updatePermissions(app.db, annaId, []);
  expect(await permissions()).toEqual([]);
  await updatePermissions(app.db, annaId, ["admin"]);
  expect(await permissions()).toEqual(["admin"]);
});
