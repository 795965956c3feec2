// Also on PostgreSQL: logins lock the member and end the oldest session.
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

describe("a login", () => {
  test("gives an id of its own every time, and never one that was there before", async () => {
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
  ])("does not take over an id that was planted, %s", async (_, planted) => {
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

  test("is not hidden by a cookie whose name has a no-break space before it, which a sub-domain can set", async () => {
    const anna = await login();
    const own = `session=${anna.cookies.get("session")}`;
    const nameWith = async (cookie: string) => (await anna.get("/api/checkLoginStatus", { cookie })).json.user?.uname;
    expect(await nameWith(`\u00a0session=${"A".repeat(43)}; ${own}`)).toBe("anna");
    expect(await nameWith(`theme=dark;\t${own};other=1`)).toBe("anna");
    expect(await nameWith(`\u00a0${own}`)).toBeUndefined();
  });

  test("on top of a login ends the session before", async () => {
    const anna = await login();
    const before = anna.through(app);
    await anna.post("/api/login", { uname: "anna", password });
    expect([await isAnna(anna), await isAnna(before)]).toEqual([true, false]);
  });

  test("that fails leaves everybody who is in where they are", async () => {
    const anna = await login();
    const { session } = Object.fromEntries(anna.cookies);
    expect((await anna.post("/api/login", { uname: "anna", password: "falsch" })).status).toBe(422);
    expect(anna.cookies.get("session")).toBe(session);
    expect(await isAnna(anna)).toBe(true);
  });

  test("as the 21st of a member ends the oldest one and no other", async () => {
    const clients: Client[] = [];
    for (let index = 0; index < 21; index++) {
      app.clock.time += 1000;
      clients.push(await login());
    }
    const alive = await Promise.all(clients.map(isAnna));
    expect(alive).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
  });

  test("as the 21st counts also when the clock was set back in between", async () => {
    for (let index = 0; index < 20; index++) await login();
    app.clock.time -= hour;
    expect(await isAnna(await login())).toBe(true);
  });

  test("in the name of the next member hands over nothing of the first", async () => {
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

describe("the database", () => {
  test("knows sessions and passwords only as hashes", async () => {
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

describe("a session ends", () => {
  test.each<[string, number, boolean]>([
    ["119 idle minutes not yet", 119 * minute, true],
    ["121 idle minutes", 121 * minute, false],
    ["a night", 12 * hour, false],
  ])("after %s", async (_, idle, isAlive) => {
    const anna = await login();
    app.clock.time += idle;
    expect(await isAnna(anna)).toBe(isAlive);
  });

  test("a day after the login, however busy it was", async () => {
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

  test("when remembered, 30 days after the login and not before, used or not", async () => {
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

  test("and does not come back when the clock goes back", async () => {
    const anna = await login();
    app.clock.time += 36 * hour;
    expect(await isAnna(anna)).toBe(false);
    app.clock.time -= 25 * hour;
    expect(await isAnna(anna)).toBe(false);
  });

  test("at a logout: that one, at once, and no other", async () => {
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

  test("for a member who is disabled, everywhere and at the next request, and the right password does not help", async () => {
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

test("REMEMBER_DAYS is how long a remembered session lasts, in the browser too", async () => {
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

test("permissions count as they are now, not as they were at the login", async () => {
  const anna = await login();
  const permissions = async () => (await anna.get("/api/checkLoginStatus")).json.user.permissions;
  expect(await permissions()).toEqual(["see-game-servers", "toggle-game-servers", "admin"]);
  await updatePermissions(app.db, annaId, []);
  expect(await permissions()).toEqual([]);
  await updatePermissions(app.db, annaId, ["admin"]);
  expect(await permissions()).toEqual(["admin"]);
});
