import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import type { Client, ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { afterReading } from "#test/held-query.ts";
import { readMails } from "#test/mailbox.ts";
import { createTestPasskey, type TestPasskey } from "#test/passkey.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { changeDisabled, createAdminResetLink } from "./management-actions.ts";

const minute = 60_000;
const hour = 60 * minute;
const mismatch = "Dieser Passkey passt hier nicht, oder es hat zu lange gedauert. Versuche es nochmal.";
const newPassword = "Lindenblatt und Hopfen";
let app: TestApp;
let anna: Client;
let phone: TestPasskey;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  phone = createTestPasskey();
});

const challengeOf = async (client: Client, path: string): Promise<string> =>
  (await client.post(path)).json.options.challenge;

async function add(passkey = phone, name = "Handy", client = anna, more = {}): Promise<ClientResponse> {
  const challenge = await challengeOf(client, "/api/user/passkey-options");
  return client.post("/api/user/passkeys", { credential: passkey.create({ challenge, ...more }), name });
}

async function logIn(passkey = phone, more = {}, client = app.createClient()): Promise<ClientResponse> {
  const challenge = await challengeOf(client, "/api/login/passkey/options");
  return client.post("/api/login/passkey", { credential: passkey.sign({ challenge, ...more }) });
}

async function confirm(passkey = phone, more = {}, client = anna): Promise<ClientResponse> {
  const challenge = await challengeOf(client, "/api/user/confirmPasskey/options");
  return client.post("/api/user/confirmPasskey", { credential: passkey.sign({ challenge, ...more }) });
}

const list = async (client = anna) => (await client.get("/api/user/passkeys")).json;
const remove = (id: number, client = anna) => client.delete(`/api/user/passkeys/${id}`);
const countSessions = async () => (await app.db.selectFrom("sessions").select("id").execute()).length;

async function reset(): Promise<ClientResponse> {
  const { url } = await createAdminResetLink(app.context, 1, null);
  const token = url.split("#token=")[1];
  const form = { token, password: newPassword, password_confirmation: newPassword };
  return app.createClient().post("/api/reset-password", form);
}

describe("passkeys", () => {
  test("adding a passkey sends a mail and records an account event, and the passkey can log in", async () => {
    expect((await add()).json).toEqual({ message: "Passkey gespeichert." });
    expect((await add(createTestPasskey(), "Laptop")).status).toBe(201);
    app.clock.time += minute;
    const client = app.createClient({ "user-agent": "Firefox/146.0 (Android)" });
    const answer = await logIn(phone, {}, client);
    expect([answer.status, answer.json.user.uname]).toEqual([200, "anna"]);
    expect((await client.get("/api/checkLoginStatus")).json.user.id).toBe(1);
    expect(await list()).toMatchObject([
      { name: "Handy", last_used_at: new Date(app.clock.time).toISOString() },
      { name: "Laptop", last_used_at: null },
    ]);
    const kinds = (await client.get("/api/user/events")).json.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["passkey-login", "passkey-added", "passkey-added"]);
    const mails = await readMails(app);
    expect(mails[0]).toMatchObject({
      to: "anna@stammtisch.example",
      subject: "Du hast einen neuen Passkey – Stammtisch",
    });
    expect(client.cookies.get("device")).toBeDefined();
  });

  test("a member can rename and remove only the member's own passkeys", async () => {
    await add();
    const ben = await app.createMember("ben");
    const [{ id }] = await list();
    expect((await ben.post(`/api/user/passkeys/${id}/name`, { name: "Bens" })).status).toBe(404);
    expect((await remove(id, ben)).status).toBe(404);
    expect((await anna.post(`/api/user/passkeys/${id}/name`, { name: "Telefon" })).status).toBe(200);
    expect(await list()).toMatchObject([{ name: "Telefon" }]);
    expect((await remove(id)).json).toEqual({ message: "Passkey entfernt." });
    expectRefusal(await logIn(), 422, mismatch);
  });

  test("a member cannot add another member's passkey or an eleventh passkey", async () => {
    await add();
    const ben = await app.createMember("ben");
    expectRefusal(await add(phone, "Handy", ben), 422, mismatch);
    for (let count = 1; count < 10; count += 1) expect((await add(createTestPasskey())).status).toBe(201);
    const eleventh = await anna.post("/api/user/passkey-options");
    expectRefusal(eleventh, 422, "Mehr als zehn Passkeys gehen nicht. Entferne zuerst einen anderen.");
  });

  test("adding a passkey ignores its attestation, which states the device's manufacturer", async () => {
    for (const attestation of ["android-key", "packed"])
      expect((await add(createTestPasskey(), "Handy", anna, { attestation })).status).toBe(201);
  });

  test("a passkey is refused if its credential id has more than 1023 bytes", async () => {
    expect((await add(createTestPasskey(Buffer.alloc(1023, "a")))).status).toBe(201);
    expectRefusal(await add(createTestPasskey(randomBytes(3000))), 422, mismatch);
  });

  test("adding or removing a passkey requires a password or passkey entered within three hours", async () => {
    await add();
    await anna.post("/api/login", { uname: "anna", password, rememberUser: true });
    app.clock.time += 3 * hour;
    expect((await anna.post("/api/user/passkey-options")).status).toBe(423);
    expect((await remove((await list())[0].id)).status).toBe(423);
    expect((await confirm()).status).toBe(200);
    expect((await remove((await list())[0].id)).status).toBe(200);
  });

  test("confirming with a passkey renews the session id and allows a password change", async () => {
    await add();
    await anna.post("/api/login", { uname: "anna", password, rememberUser: true });
    app.clock.time += 3 * hour;
    const chosen = { password: newPassword, password_confirmation: newPassword };
    expect((await anna.post("/api/user/changePassword", chosen)).status).toBe(423);
    const before = anna.cookies.get("session");
    expect((await confirm()).json).toEqual({ message: "Bestätigt." });
    expect(anna.cookies.get("session")).not.toBe(before);
    expect((await anna.post("/api/user/changePassword", chosen)).status).toBe(200);
    expect((await logIn()).status, "a new password keeps it").toBe(200);
  });

  test("a member can delete the account within a minute after confirming with a passkey", async () => {
    await app.createUser("ben", ["admin"]);
    await add();
    const deletion = { uname: "anna", beers: "keep" };
    app.clock.time += minute;
    expect((await anna.post("/api/user/delete", deletion)).status).toBe(423);
    await confirm();
    app.clock.time += minute - 1;
    expect((await anna.post("/api/user/delete", deletion)).status).toBe(200);
    expect((await logIn()).status).toBe(422);
  });

  test("rejects another member's passkey as a confirmation", async () => {
    await add();
    const ben = await app.createMember("ben");
    expectRefusal(await confirm(phone, {}, ben), 422, mismatch);
  });

  test.each([
    ["from another origin", { origin: "http://localhost:3001" }],
    ["for another domain", { rpId: "stammtisch.example" }],
    ["without user verification", { isVerified: false }],
  ])(
    "a passkey's response %s is refused when the passkey is added, at a login and as a confirmation",
    async (_, more) => {
      expectRefusal(await add(phone, "Handy", anna, more), 422, mismatch);
      await add();
      expectRefusal(await logIn(phone, more), 422, mismatch);
      expectRefusal(await confirm(phone, more), 422, mismatch);
    },
  );

  test("a passkey's response that names another member as its user is refused", async () => {
    await add();
    const { user } = (await anna.post("/api/user/passkey-options")).json.options;
    expect((await logIn(phone, { userHandle: user.id })).status).toBe(200);
    expect((await confirm(phone, { userHandle: user.id })).status).toBe(200);
    const userHandle = Buffer.from("2").toString("base64url");
    expectRefusal(await logIn(phone, { userHandle }), 422, mismatch);
    expectRefusal(await confirm(phone, { userHandle }), 422, mismatch);
  });

  test("a forged passkey with the id of a registered passkey is refused", async () => {
    await add();
    const forged = createTestPasskey(Buffer.from(phone.id, "base64url"));
    expectRefusal(await logIn(forged), 422, mismatch);
  });
});

describe("challenges", () => {
  beforeEach(() => add());

  test("a passkey challenge is accepted only once in twenty concurrent requests", { tags: "postgres" }, async () => {
    const client = app.createClient();
    const challenge = await challengeOf(client, "/api/login/passkey/options");
    const attempt = client.through(app);
    const body = { credential: phone.sign({ challenge }) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt.post("/api/login/passkey", body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 422, mismatch);
  });

  test("a passkey challenge expires after five minutes, and a job deletes it", async () => {
    const client = app.createClient();
    const challenge = await challengeOf(client, "/api/login/passkey/options");
    app.clock.time += 5 * minute;
    const credential = phone.sign({ challenge });
    expectRefusal(await client.post("/api/login/passkey", { credential }), 422, mismatch);
    for (const { run } of jobs) await run(app.context);
    expect(await app.db.selectFrom("passkey_challenges").selectAll().execute()).toEqual([]);
  });

  test(
    "a passkey challenge is accepted on any instance, but only for its purpose and from the browser that requested it",
    { tags: "postgres" },
    async () => {
      const [client, thief] = [app.createClient(), app.createClient()];
      const challenge = await challengeOf(client, "/api/login/passkey/options");
      const credential = phone.sign({ challenge });
      expectRefusal(await thief.post("/api/login/passkey", { credential }), 422, mismatch);
      const asMember = phone.sign({ challenge: await challengeOf(anna, "/api/user/confirmPasskey/options") });
      expectRefusal(await anna.post("/api/login/passkey", { credential: asMember }), 422, mismatch);
      const other = await app.reopen();
      const there = client.through(other);
      expect((await there.post("/api/login/passkey", { credential })).status).toBe(200);
    },
  );

  test(
    "a passkey login while the database is read-only is answered with 503 and does not use up its challenge",
    { tags: "sqlite-only" },
    async () => {
      const client = app.createClient();
      const challenge = await challengeOf(client, "/api/login/passkey/options");
      const body = { credential: phone.sign({ challenge }) };
      await sql`pragma query_only = 1`.execute(app.db);
      const answer = await client.post("/api/login/passkey", body);
      await sql`pragma query_only = 0`.execute(app.db);
      expectRefusal(answer, 503, "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal.");
      expect((await client.post("/api/login/passkey", body)).status).toBe(200);
    },
  );

  test("passkey login options reveal no accounts, and a failed passkey login is logged", async () => {
    const { options } = (await app.createClient().post("/api/login/passkey/options")).json;
    expect(options).toEqual({
      challenge: expect.any(String),
      timeout: 5 * minute,
      rpId: "localhost",
      userVerification: "required",
      ...(options.allowCredentials && { allowCredentials: [] }),
    });
    const before = app.logLines.length;
    expectRefusal(await logIn(createTestPasskey()), 422, mismatch);
    const failed = app.logLines.slice(before).find(({ event }) => event === "login-failed");
    expect(failed?.fields).toEqual({ reqId: expect.any(String), network: "127.0.0.0/24", with: "passkey" });
  });
});

describe("counter of a passkey", () => {
  beforeEach(() => add(phone, "Handy", anna, { counter: 1 }));

  test("a passkey whose counter does not increase is refused and logged as a possible copy", async () => {
    expect((await logIn(phone, { counter: 5 })).status).toBe(200);
    for (const counter of [5, 4, 0]) expectRefusal(await logIn(phone, { counter }), 422, mismatch);
    expectRefusal(await confirm(phone, { counter: 5 }), 422, mismatch);
    expect(app.logLines.filter(({ event }) => event === "passkey-refused")).toHaveLength(4);
    expect((await logIn(phone, { counter: 6 })).status).toBe(200);
  });

  test("only one of two concurrent logins with the same passkey counter succeeds", { tags: "postgres" }, async () => {
    const answers = await Promise.all([logIn(phone, { counter: 2 }), logIn(phone, { counter: 2 })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

describe("login with a passkey", () => {
  beforeEach(() => add());

  test.each<[string, () => Promise<unknown>]>([
    ["the member is disabled", () => changeDisabled(app.context, 1, null, true)],
    ["the password is reset", reset],
    ["the passkey is removed", async () => remove((await list())[0].id)],
    ["the account is deleted", () => anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" })],
  ])("a passkey login creates no session if %s at the same time", async (_, happen) => {
    await app.createUser("ben", ["admin"]);
    const client = app.createClient();
    const challenge = await challengeOf(client, "/api/login/passkey/options");
    const body = { credential: phone.sign({ challenge }) };
    const sessions = await countSessions();
    const send = () => client.post("/api/login/passkey", body);
    expectRefusal(await afterReading(app.holdQuery, "passkeys", send, happen), 422, mismatch);
    expect(await countSessions()).toBeLessThanOrEqual(sessions);
    expect((await client.get("/api/checkLoginStatus")).json.user).toBeNull();
  });

  test("a disabled member cannot log in with a passkey until enabled again", async () => {
    await changeDisabled(app.context, 1, null, true);
    expectRefusal(await logIn(), 422, mismatch);
    await changeDisabled(app.context, 1, null, false);
    expect((await logIn()).status).toBe(200);
  });

  test("a login pause after wrong passwords does not block a passkey login", async () => {
    await app.db
      .updateTable("users")
      .set({ failed_logins: 200_000, locked_until: app.clock.time + hour })
      .execute();
    expect((await logIn()).status).toBe(200);
  });

  test("using an administrator's reset link deletes the member's passkeys, and the member can add a new one", async () => {
    expect((await reset()).status).toBe(200);
    expectRefusal(await logIn(), 422, mismatch);
    await anna.post("/api/login", { uname: "anna", password: newPassword });
    expect(await list()).toEqual([]);
    expect((await add(createTestPasskey())).status).toBe(201);
  });
});

describe("ADMIN_PASSKEY", () => {
  const demanded = "Bitte bestätige mit deinem Passkey.";
  let strict: TestApp;
  beforeEach(async () => {
    strict = await app.reopen({ ADMIN_PASSKEY: "1" });
    anna = anna.through(strict);
  });

  const opens = () => anna.get("/api/admin/members");

  test("ADMIN_PASSKEY requires a passkey used within three hours for the admin area, and for nothing else", async () => {
    expectRefusal(await opens(), 423, demanded);
    expect((await opens()).json.code, "by which pages ask for the passkey").toBe("passkeyRequired");
    await anna.post("/api/user/confirmPassword", { password });
    expectRefusal(await opens(), 423, demanded);
    expect((await anna.get("/api/beercounter/counters")).status).toBe(200);
    await add(phone, "Handy", anna);
    expectRefusal(await opens(), 423, demanded);
    await confirm(phone, {}, anna);
    expect((await opens()).status).toBe(200);
    await anna.post("/api/user/changePassword", { password: newPassword, password_confirmation: newPassword });
    expect((await opens()).status, "also in the session's next id").toBe(200);
    app.clock.time += 3 * hour;
    await anna.post("/api/login", { uname: "anna", password: newPassword });
    expectRefusal(await opens(), 423, demanded);
    await logIn(phone, {}, anna);
    expect((await opens()).status).toBe(200);
  });

  test("an administrator needs the first passkey to add a second, and cannot remove the last one, if ADMIN_PASSKEY is set", async () => {
    await add(phone, "Handy", anna);
    expectRefusal(await anna.post("/api/user/passkey-options"), 423, demanded);
    await confirm(phone, {}, anna);
    expect((await add(createTestPasskey(), "Laptop", anna)).status).toBe(201);
    const [{ id: first }, { id: second }] = await list(anna);
    expect((await remove(first, anna)).status).toBe(200);
    const text = "Das ist dein letzter Passkey, und die Verwaltung verlangt einen. Leg zuerst einen anderen an.";
    expectRefusal(await remove(second, anna), 422, text);
    const ben = (await app.createMember("ben")).through(strict);
    await add(createTestPasskey(), "Handy", ben);
    expect((await remove((await list(ben))[0].id, ben)).status).toBe(200);
  });

  test("a mailed reset link keeps an administrator's passkeys if ADMIN_PASSKEY is set, but another administrator's link deletes them", async () => {
    await add(phone, "Handy", anna);
    await anna.post("/api/forgot-password", { email: "anna@stammtisch.example" });
    const mail = (await readMails(strict)).find(({ subject }) => subject.startsWith("Passwort zurücksetzen"));
    const form = { password: newPassword, password_confirmation: newPassword };
    const token = mail!.links[0]!.split("#token=")[1];
    expect((await anna.post("/api/reset-password", { ...form, token })).status).toBe(200);
    expect((await logIn(phone, {}, anna)).status).toBe(200);
    await reset();
    expectRefusal(await logIn(phone, {}, anna), 422, mismatch);
  });
});
