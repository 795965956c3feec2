import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { createAdminResetLink } from "./management-actions.ts";

const firefox = { "user-agent": "Mozilla/5.0 (Android 16; Mobile; rv:146.0) Gecko/146.0 Firefox/146.0" };
const newPassword = "Lindenblatt und Hopfen";
const chosen = { password: newPassword, password_confirmation: newPassword };
const day = 24 * 60 * 60_000;
let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  await app.createUser("anna");
  anna = app.createClient(firefox);
  await logIn(anna);
});

const logIn = (client: Client, typed = password) => client.post("/api/login", { uname: "anna", password: typed });
const kindsOf = async (client: Client) =>
  (await client.get("/api/user/events")).json.map(({ kind }: { kind: string }) => kind);

test("GET /api/user/events lists a member's logins and changes of the password and email address, newest first", async () => {
  const email = "neu@pub.example";
  await anna.post("/api/user/update", { uname: "anna", name: "Anna B", email: "anna@stammtisch.example" });
  await anna.post("/api/user/update", { uname: "anna", name: "Anna B", email });
  await anna.post("/api/user/changePassword", chosen);
  const { url } = await createAdminResetLink(app.context, 1, null);
  app.clock.time += 60_000;
  await app.createClient().post("/api/reset-password", { token: url.split("#token=")[1], ...chosen });
  await logIn(anna, "wrong");
  await logIn(anna, newPassword);
  const events = (await anna.get("/api/user/events")).json;
  expect(events[0]).toEqual({
    id: expect.any(Number),
    at: new Date(app.clock.time).toISOString(),
    kind: "login",
    device: "Firefox auf Android",
  });
  expect(events[1]).toMatchObject({ kind: "password-reset", device: "Unbekanntes Gerät" });
  expect(await kindsOf(anna)).toEqual(["login", "password-reset", "password-changed", "email-changed", "login"]);
  expect(await kindsOf(await app.createMember("ben"))).toEqual([]);
});

test("account events are deleted after 90 days", async () => {
  app.clock.time += 90 * day;
  await logIn(anna);
  for (const { run } of jobs) await run(app.context);
  expect(await kindsOf(anna)).toEqual(["login", "login"]);
  app.clock.time += 1;
  for (const { run } of jobs) await run(app.context);
  expect(await kindsOf(anna)).toEqual(["login"]);
});

describe("audit log", () => {
  const lines = async (admin: Client) => (await admin.get("/api/admin/audit")).json.entries;

  test("the audit log does not name a deleted account", async () => {
    const ben = await app.createMember("ben", ["admin"]);
    await anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" });
    const left = { id: 1, name: "Ehemaliges Mitglied" };
    expect((await lines(ben))[0]).toMatchObject({ text: "Account gelöscht.", actor: left, member: left });
  });

  test("the audit log records a new password that was set with an administrator's reset link", async () => {
    const { url } = await createAdminResetLink(app.context, 1, null);
    await app.createClient().post("/api/reset-password", { token: url.split("#token=")[1], ...chosen });
    await logIn(anna, newPassword);
    const text = "Mit einem Link der Verwaltung ein neues Passwort gesetzt.";
    expect((await lines(anna))[0]).toMatchObject({ text, actor: { id: 1 }, via: "page" });
  });
});

describe("server log", () => {
  const eventsNamed = (name: string) => app.logLines.filter(({ event }) => event === name);
  const source = { reqId: expect.any(String), network: "127.0.0.0/24" };

  test("logs failed logins and wrong password confirmations with request id and network", async () => {
    const failed = await logIn(app.createClient(), "wrong");
    await anna.post("/api/user/confirmPassword", { password: "wrong" });
    expect(failed.status).toBe(422);
    expect(eventsNamed("login-failed").map(({ fields }) => fields)).toEqual([{ ...source, user: 1 }]);
    expect(eventsNamed("confirmation-failed").map(({ fields }) => fields)).toEqual([{ ...source, user: 1 }]);
  });

  test("logs a warning when failed logins lock an account", async () => {
    await app.db.updateTable("users").set({ failed_logins: 99_999 }).execute();
    await logIn(app.createClient(), "wrong");
    expect(eventsNamed("login-paused")).toEqual([
      { level: "warn", event: "login-paused", fields: { ...source, user: 1, counter: "users", seconds: 900 } },
    ]);
  });
});
