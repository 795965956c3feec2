import { beforeEach, describe, expect, test } from "vitest";

import type { ClientResponse, Client } from "#test/client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { changeDisabled } from "./management-actions.ts";
import { createResetLink } from "./reset-actions.ts";
import { deleteExpiredKnownDevices } from "./throttle-store.ts";

const minute = 60_000;
const wrong = "nicht dieses";
const newPassword = "Lindenblatt und Hopfen";
const chosen = { password: newPassword, password_confirmation: newPassword };
const pub = "10.0.0.1";

let app: TestApp;
let guests = 0;

beforeEach(async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1", TRUST_PROXY: "127.0.0.1" });
  await app.createUser("anna");
});

const browserAt = (address: string) => app.createClient({ "x-forwarded-for": address });
const login = (client: Client, typed = password, uname = "anna"): Promise<ClientResponse> =>
  client.post("/api/login", { uname, password: typed });
const logout = (client: Client) => client.post("/api/logout");
const confirm = (client: Client, typed = password) => client.post("/api/user/confirmPassword", { password: typed });
const loginByGuest = (typed = password) => login(browserAt(`10.1.0.${++guests}`), typed);

/** Returns a browser in which the member Anna has logged in. */
async function annasBrowser(address = pub): Promise<Client> {
  const client = browserAt(address);
  expect((await login(client)).status).toBe(200);
  return client;
}

/**
 * Pauses guests' logins to Anna's account: sets 99 failures in the database and makes the 100th
 * failure.
 */
async function pauseAnna(): Promise<void> {
  await app.db.updateTable("users").set({ failed_logins: 99 }).where("uname", "=", "anna").execute();
  expect((await loginByGuest(wrong)).status).toBe(422);
  expect((await loginByGuest()).status).toBe(429);
}

/** Returns `true` if the browser can log in although guests have to wait. */
async function isKnown(client: Client, typed = password): Promise<boolean> {
  const { status } = await login(client, typed);
  expect([200, 429]).toContain(status);
  return status === 200;
}

function expectWait({ status, headers }: ClientResponse, seconds: number): void {
  expect([status, headers["retry-after"]]).toEqual([429, String(seconds)]);
}

async function resetByLink(): Promise<void> {
  const link = await createResetLink(app.db, app.context, 1, { by: null });
  const form = { token: link!.url.split("#token=")[1], ...chosen };
  expect((await app.createClient().post("/api/reset-password", form)).status).toBe(200);
}

describe("account paused by guests", () => {
  test("while guests' wrong passwords pause logins to an account, its logged-in member can change the password and delete the account", async () => {
    const anna = await annasBrowser();
    await app.createUser("ben", ["admin"]);
    await pauseAnna();
    expect((await confirm(anna)).status).toBe(200);
    expect((await anna.post("/api/user/changePassword", chosen)).status).toBe(200);
    await pauseAgain();
    const form = { uname: "anna", password: newPassword, beers: "keep" };
    expect((await anna.post("/api/user/delete", form)).status).toBe(200);
  });

  test(
    "while guests' wrong passwords pause logins to an account, a known browser can log in and guests have to wait",
    { tags: "postgres" },
    async () => {
      const browser = await annasBrowser();
      await logout(browser);
      await pauseAnna();
      expect((await login(browser)).status).toBe(200);
      expectWait(await loginByGuest(), 900);
    },
  );

  test("while guests' wrong passwords pause logins to an account, its logged-in member can log in without a device cookie", async () => {
    const anna = await annasBrowser();
    anna.cookies.delete("device");
    await pauseAnna();
    expect((await login(anna)).status).toBe(200);
  });

  test("a login without device cookie, or with an unknown or another member's device cookie, is throttled like a guest's", async () => {
    await app.createUser("ben");
    const bens = browserAt("10.2.0.1");
    await login(bens, password, "ben");
    const planted = browserAt("10.2.0.2");
    planted.cookies.set("device", "A".repeat(43));
    await pauseAnna();
    for (const client of [bens, planted, browserAt("10.2.0.3")]) expectWait(await login(client), 900);
  });

  test("after a reset link is used, a new browser can log in although guests' wrong passwords had paused logins", async () => {
    await pauseAnna();
    await resetByLink();
    expect((await login(browserAt("10.2.0.1"), newPassword)).status).toBe(200);
  });

  async function pauseAgain(): Promise<void> {
    await app.db.updateTable("users").set({ failed_logins: 99 }).where("uname", "=", "anna").execute();
    expect((await loginByGuest(wrong)).status).toBe(422);
    expect((await loginByGuest(newPassword)).status).toBe(429);
  }
});

test("a known browser can log in while guests at the same IP address have to wait", async () => {
  const browser = await annasBrowser();
  await logout(browser);
  const guesses = [...Array<string>(6).fill("anna"), ...Array<string>(24).fill("nobody")];
  await Promise.all(guesses.map(async (uname) => login(browserAt(pub), wrong, uname)));
  expect((await login(browserAt(pub))).status).toBe(429);
  expect((await login(browserAt(pub), password, "somebody")).status).toBe(429);
  expect((await login(browser)).status).toBe(200);
});

describe("wrong passwords in a known browser", () => {
  test("five wrong passwords within a minute in a known browser throttle only this browser", async () => {
    const [phone, laptop] = [await annasBrowser("10.3.0.1"), await annasBrowser("10.3.0.2")];
    for (let attempt = 0; attempt < 5; attempt++) expect((await login(phone, wrong)).status).toBe(422);
    expectWait(await login(phone), 60);
    expect((await login(laptop)).status).toBe(200);
    expect((await loginByGuest()).status).toBe(200);
    app.clock.time += minute;
    expect((await login(phone)).status).toBe(200);
  });

  test("a hundred wrong passwords in a known browser pause only its logins, and each further one doubles the pause", async () => {
    const [phone, laptop] = [await annasBrowser("10.3.0.1"), await annasBrowser("10.3.0.2")];
    await app.db.updateTable("known_devices").set({ failed_logins: 99 }).execute();
    expect((await login(phone, wrong)).status).toBe(422);
    expectWait(await login(phone), 900);
    expect((await login(laptop)).status).toBe(200);
    expect((await loginByGuest()).status).toBe(200);
    app.clock.time += 15 * minute;
    expect((await login(phone, wrong)).status).toBe(422);
    expectWait(await login(phone), 1800);
    app.clock.time += 30 * minute;
    expect((await login(phone)).status).toBe(200);
    expect((await login(phone, wrong)).status).toBe(422);
    expect((await login(phone)).status).toBe(200);
  });

  test("wrong passwords in a known browser are counted separately from wrong passwords of guests", async () => {
    const phone = await annasBrowser();
    expect((await loginByGuest(wrong)).status).toBe(422);
    expect((await login(phone, wrong)).status).toBe(422);
    expect((await confirm(phone, wrong)).status).toBe(422);
    expect((await confirm(phone)).status).toBe(200);
    expect((await login(phone)).status).toBe(200);
    const { failed_logins } = await app.db.selectFrom("users").select("failed_logins").executeTakeFirstOrThrow();
    expect(failed_logins).toBe(1);
  });
});

test("after a hundred wrong password confirmations in a row in a session, only this session's confirmations pause", async () => {
  const [phone, laptop] = [await annasBrowser("10.3.0.1"), await annasBrowser("10.3.0.2")];
  await app.db.updateTable("sessions").set({ failed_logins: 99 }).execute();
  expect((await confirm(phone, wrong)).status).toBe(422);
  const paused = await confirm(phone);
  expectWait(paused, 900);
  const text = "Zu viele Loginversuche. Versuche es bitte in 900 Sekunden nochmal.";
  expect(paused.json).toEqual({ message: text, code: "tooManyRequests", errors: { password: [text] } });
  expect((await confirm(laptop)).status).toBe(200);
  app.clock.time += 15 * minute;
  expect((await confirm(phone)).status).toBe(200);
});

describe("forgotten browsers", () => {
  test.each<[string, (elsewhere: Client) => Promise<unknown>, string]>([
    [
      "after all other devices were logged out elsewhere",
      (elsewhere) => elsewhere.delete("/api/user/sessions"),
      password,
    ],
    [
      "after the password was changed elsewhere",
      (elsewhere) => elsewhere.post("/api/user/changePassword", chosen),
      newPassword,
    ],
    ["after the password was reset", () => resetByLink(), newPassword],
    [
      "after the member was disabled and enabled again",
      async () => {
        await changeDisabled(app.context, 1, null, true);
        await changeDisabled(app.context, 1, null, false);
      },
      password,
    ],
  ])("a known browser is forgotten %s", async (_, end, typed) => {
    const browser = await annasBrowser();
    const elsewhere = await annasBrowser("10.3.0.2");
    await logout(browser);
    await end(elsewhere);
    await pauseAnna();
    expect(await isKnown(browser, typed)).toBe(false);
  });

  test("a known browser is forgotten 180 days after its last login", async () => {
    const lifetime = 180 * 24 * 60 * minute;
    const browser = await annasBrowser();
    for (let round = 0; round < 2; round++) {
      app.clock.time += lifetime - 1;
      await pauseAnna();
      expect(await isKnown(browser)).toBe(true);
    }
    app.clock.time += lifetime;
    await pauseAnna();
    expect(await isKnown(browser)).toBe(false);
    await deleteExpiredKnownDevices(app.db, app.clock.time);
    expect(await app.db.selectFrom("known_devices").selectAll().execute()).toEqual([]);
  });

  test(
    "a known browser is forgotten after its member logs in with 20 other browsers",
    { tags: "postgres" },
    async () => {
      const browsers: Client[] = [];
      for (let index = 0; index < 21; index++) {
        browsers.push(await annasBrowser(`10.4.0.${index}`));
        app.clock.time += 1;
      }
      await pauseAnna();
      expect(await isKnown(browsers[0]!)).toBe(false);
      expect(await isKnown(browsers[1]!)).toBe(true);
    },
  );
});

describe("known browsers", () => {
  test("a browser remains known after its member changes the password in it and logs out all other devices", async () => {
    const browser = await annasBrowser();
    expect((await browser.post("/api/user/changePassword", chosen)).status).toBe(200);
    expect((await browser.delete("/api/user/sessions")).status).toBe(200);
    await logout(browser);
    await pauseAnna();
    expect(await isKnown(browser, newPassword)).toBe(true);
  });

  test("a browser shared by two members is known for both with one device cookie", async () => {
    await app.createUser("ben");
    const browser = await annasBrowser();
    const value = browser.cookies.get("device");
    await logout(browser);
    expect((await login(browser, password, "ben")).status).toBe(200);
    expect(browser.cookies.get("device")).toBe(value);
    expect((await browser.post("/api/user/changePassword", chosen)).status).toBe(200);
    await pauseAnna();
    expect(await isKnown(browser)).toBe(true);
  });
});

test("a login replaces a device cookie that the server did not issue", async () => {
  const client = browserAt(pub);
  for (const planted of ["A".repeat(43), "1"]) {
    client.cookies.set("device", planted);
    expect((await login(client)).status).toBe(200);
    expect(client.cookies.get("device")).toMatch(/^[\w-]{43}$/);
    expect(client.cookies.get("device")).not.toBe(planted);
  }
});

test("the database stores device cookies only as hashes", async () => {
  const browser = await annasBrowser();
  const rows = await app.db.selectFrom("known_devices").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(browser.cookies.get("device"));
});
