import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { setDisabled, setPermissions } from "#server/features/members/store.ts";
import { type House, openHouse, password } from "#test/open-house.ts";
import type { Visitor } from "#test/visitor.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let house: House;
let annaId: number;

beforeEach(async () => {
  house = await openHouse();
  annaId = await house.seat("anna");
});

afterEach(() => house.close());

async function login(rememberUser = false): Promise<Visitor> {
  const visitor = house.visitor();
  expect((await visitor.post("/api/login", { uname: "anna", password, rememberUser })).status).toBe(200);
  return visitor;
}

async function isAnna(visitor: Visitor): Promise<boolean> {
  const { status, json } = await visitor.get("/api/checkLoginStatus");
  expect(status).toBe(200);
  expect((await visitor.get("/api/beercounter/counters")).status).toBe(json.user ? 200 : 401);
  return json.user?.uname === "anna";
}

function copyOf(visitor: Visitor): Visitor {
  const copy = house.visitor();
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);
  return copy;
}

describe("a login", () => {
  test("gives an id of its own every time, and never one that was there before", { timeout: 60_000 }, async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 10; round++) {
      house.clock.time += 1000;
      const visitor = house.visitor();
      await visitor.get("/sanctum/csrf-cookie");
      seen.add(visitor.cookies.get("session")!);
      const before = copyOf(visitor);
      await visitor.post("/api/login", { uname: "anna", password, rememberUser: round % 2 === 0 });
      seen.add(visitor.cookies.get("session")!);
      expect(await isAnna(visitor)).toBe(true);
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
    const visitor = house.visitor();
    visitor.cookies.set("session", planted);
    await visitor.get("/sanctum/csrf-cookie");
    expect(visitor.cookies.get("session")).not.toBe(planted);
    visitor.cookies.set("session", planted);
    expect((await visitor.post("/api/login", { uname: "anna", password })).status).toBe(419);
    await visitor.get("/sanctum/csrf-cookie");
    expect((await visitor.post("/api/login", { uname: "anna", password })).status).toBe(200);
    expect(visitor.cookies.get("session")).not.toBe(planted);
    const planter = house.visitor();
    planter.cookies.set("session", planted);
    expect(await isAnna(planter)).toBe(false);
  });

  test("on top of a login ends the session before", async () => {
    const anna = await login();
    const before = copyOf(anna);
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

  test("as the 21st of a member ends the oldest one and no other", { timeout: 60_000 }, async () => {
    const visitors: Visitor[] = [];
    for (let index = 0; index < 21; index++) {
      house.clock.time += 1000;
      visitors.push(await login());
    }
    const alive = await Promise.all(visitors.map(isAnna));
    expect(alive).toEqual([false, ...Array.from({ length: 20 }, () => true)]);
  });

  test("as the 21st counts also when the clock was set back in between", { timeout: 60_000 }, async () => {
    for (let index = 0; index < 20; index++) await login();
    house.clock.time -= hour;
    expect(await isAnna(await login())).toBe(true);
  });

  test("in the name of the next member hands over nothing of the first", async () => {
    await house.seat("ben");
    const browser = await login();
    const { token } = browser;
    await browser.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    await browser.post("/api/login", { uname: "ben", password });
    expect((await browser.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
    const old = await browser.send("POST", "/api/beercounter/counters", { headers: { "x-xsrf-token": token } });
    expect(old.status).toBe(419);
    await browser.post("/api/beercounter/counters");
    expect((await (await login()).get("/api/beercounter/counters")).json.userCounterVal).toBe(0);
  });
});

describe("the database", () => {
  test("knows sessions and passwords only as hashes", async () => {
    const anna = await login();
    const rows = JSON.stringify([
      await house.db.selectFrom("sessions").selectAll().execute(),
      await house.db.selectFrom("users").selectAll().execute(),
    ]);
    expect(rows).not.toContain(anna.cookies.get("session"));
    expect(rows).not.toContain(password);
    expect(rows).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  });
});

describe("a session ends", () => {
  test.each<[string, number, boolean]>([
    ["119 idle minutes not yet", 119 * minute, true],
    ["121 idle minutes", 121 * minute, false],
    ["a night", 12 * hour, false],
  ])("after %s", async (_, idle, isAlive) => {
    const anna = await login();
    house.clock.time += idle;
    expect(await isAnna(anna)).toBe(isAlive);
  });

  test("a day after the login, however busy it was", async () => {
    const anna = await login();
    const end = house.clock.time + day;
    while (house.clock.time + hour < end) {
      house.clock.time += hour;
      expect(await isAnna(anna)).toBe(true);
    }
    house.clock.time = end - 1;
    expect(await isAnna(anna)).toBe(true);
    house.clock.time = end;
    expect(await isAnna(anna)).toBe(false);
  });

  test("when remembered, 30 days after the login and not before, used or not", async () => {
    const [busy, idle] = [await login(true), await login(true)];
    const begin = house.clock.time;
    for (let days = 1; days < 30; days++) {
      house.clock.time = begin + days * day;
      expect(await isAnna(busy)).toBe(true);
    }
    house.clock.time = begin + 30 * day - minute;
    expect([await isAnna(busy), await isAnna(idle)]).toEqual([true, true]);
    house.clock.time = begin + 30 * day;
    expect([await isAnna(busy), await isAnna(idle)]).toEqual([false, false]);
  });

  test("and does not come back when the clock goes back", async () => {
    const anna = await login();
    house.clock.time += 36 * hour;
    expect(await isAnna(anna)).toBe(false);
    house.clock.time -= 25 * hour;
    expect(await isAnna(anna)).toBe(false);
  });

  test("at a logout: that one, at once, and no other", async () => {
    const [phone, laptop] = [await login(), await login(true)];
    const stolen = copyOf(phone);
    const answer = await phone.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect([answer.status, answer.json]).toEqual([200, { message: "Abgemeldet." }]);
    expect(await isAnna(stolen)).toBe(false);
    expect((await stolen.post("/api/beercounter/counters")).status).toBe(401);
    expect(await isAnna(laptop)).toBe(true);
    const again = await phone.get("/api/logout", { "x-requested-with": "XMLHttpRequest" });
    expect([again.status, again.json]).toEqual([200, { message: "Abgemeldet." }]);
  });

  test("for a member who is disabled, everywhere and at the next request, and nobody gets in with the right password", async () => {
    const [phone, laptop] = [await login(), await login(true)];
    await setDisabled(house.db, annaId, house.clock.now());
    expect([await isAnna(phone), await isAnna(laptop)]).toEqual([false, false]);
    const stranger = house.visitor();
    const refused = await stranger.post("/api/login", { uname: "anna", password });
    const wrong = await stranger.post("/api/login", { uname: "anna", password: "falsch" });
    expect([refused.status, refused.text]).toEqual([wrong.status, wrong.text]);
    await setDisabled(house.db, annaId, null);
    expect((await stranger.post("/api/login", { uname: "anna", password })).status).toBe(200);
  });
});

test("REMEMBER_DAYS is how long a remembered session lasts, in the browser too", async () => {
  const strict = await openHouse({ REMEMBER_DAYS: "2" });
  await strict.seat("ben");
  const ben = strict.visitor();
  const answer = await ben.post("/api/login", { uname: "ben", password, rememberUser: true });
  expect(answer.headers["set-cookie"]![0]).toContain("; Max-Age=172800;");
  strict.clock.time += 2 * day - 1;
  expect((await ben.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
  strict.clock.time += 1;
  expect((await ben.get("/api/checkLoginStatus")).json.user).toBeNull();
  await strict.close();
});

test("permissions count as they are now, not as they were at the login", async () => {
  const anna = await login();
  const permissions = async () => (await anna.get("/api/checkLoginStatus")).json.user.permissions;
  expect(await permissions()).toEqual(["see-game-servers", "toggle-game-servers", "admin"]);
  await setPermissions(house.db, annaId, []);
  expect(await permissions()).toEqual([]);
  await setPermissions(house.db, annaId, ["admin"]);
  expect(await permissions()).toEqual(["admin"]);
});
