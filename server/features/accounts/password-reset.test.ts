import { beforeEach, describe, expect, test } from "vitest";

import { sha256 } from "#server/platform/http/session-cookies.ts";
import type { Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { readMails } from "#test/mailbox.ts";
import { connectSocket } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { createResetLink } from "./reset-actions.ts";

const newPassword = "Lindenblatt und Hopfen";
const minute = 60_000;
const accepted = { message: "Wenn ein Konto mit dieser E-Mail-Adresse existiert, haben wir dir einen Link geschickt." };
const invalid = { token: ["Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen."] };
let app: TestApp;
let anna: Client;
let client: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  client = app.createClient();
});

const requestLink = (email: unknown) => client.post("/api/forgot-password", { email });
const reset = (token: unknown, chosen = newPassword, confirmation = chosen) =>
  client.post("/api/reset-password", { token, password: chosen, password_confirmation: confirmation });
const login = (chosen: string) => app.createClient().post("/api/login", { uname: "anna", password: chosen });

/** Requests a reset link for Anna and returns the token in the new mail. */
async function orderToken(): Promise<string> {
  const before = new Set((await readMails(app)).map(({ raw }) => raw));
  await requestLink("anna@stammtisch.example");
  const mail = (await readMails(app)).find(({ raw }) => !before.has(raw));
  return mail!.links[0]!.split("#token=")[1]!;
}

/** Lets an administrator create a reset link for Anna and returns its token. */
async function handOver(admin: Client): Promise<string> {
  const { id } = await app.db.selectFrom("users").select("id").where("uname", "=", "anna").executeTakeFirstOrThrow();
  const { json } = await admin.post(`/api/admin/members/${id}/reset-link`);
  return json.url.split("#token=")[1];
}

/** Returns the hashes of all valid reset tokens, oldest first. */
async function liveTokens(): Promise<string[]> {
  const rows = await app.db
    .selectFrom("reset_tokens")
    .select("token_hash")
    .where("expires_at", ">", app.clock.time)
    .orderBy("id")
    .execute();
  return rows.map(({ token_hash }) => token_hash);
}

describe("POST /api/forgot-password", () => {
  test("a reset request has the same answer and minimum duration for every email address", async () => {
    const gone = await app.createUser("ben");
    await app.db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", gone).execute();
    await client.get("/sanctum/csrf-cookie");
    for (const email of ["anna@stammtisch.example", "ben@stammtisch.example", "nobody@stammtisch.example"]) {
      const began = performance.now() + app.clock.elapsed;
      const answer = await requestLink(email);
      expect(performance.now() + app.clock.elapsed - began).toBeGreaterThanOrEqual(200);
      expect([answer.status, answer.json]).toEqual([200, accepted]);
    }
    expect((await readMails(app)).map(({ to }) => to)).toEqual(["anna@stammtisch.example"]);
  });

  test("a reset mail has text and HTML with only the reset link and its expiry, and no remote content", async () => {
    await app.createUser("ben");
    await requestLink("ANNA@stammtisch.example");
    const [mail] = await readMails(app);
    expect(mail).toMatchObject({ to: "anna@stammtisch.example", subject: "Passwort zurücksetzen – Stammtisch" });
    expect(mail!.links).toEqual([expect.stringMatching(/^http:\/\/localhost:3000\/password-reset#token=[\w-]{43}$/)]);
    expect(mail!.raw).toContain("Hallo,");
    expect(mail!.raw).not.toMatch(/Anna(?!@)|anna(?!@)/);
    expect(mail!.raw).toContain("Der Link gilt bis 20. November 2026, 21:30 Uhr und nur ein einziges Mal.");
    expect(mail!.raw).toContain("text/html; charset=utf-8");
    expect(mail!.raw).not.toMatch(/Ben|<img|src=|url\(|@import|<link|<script/);
    expect(new Set(mail!.raw.match(/https?:\/\/[^\s"<]+/g))).toEqual(new Set(mail!.links));
    const { token_hash } = await app.db.selectFrom("reset_tokens").selectAll().executeTakeFirstOrThrow();
    expect(mail!.raw).not.toContain(token_hash);
  });

  test("an account receives at most one reset mail a minute and five an hour, with equal answers", async () => {
    app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
    client = app.createClient();
    await app.createUser("anna");
    const mails = async () => (await readMails(app)).length;
    for (let sent = 1; sent <= 5; sent++) {
      expect((await requestLink("anna@stammtisch.example")).json).toEqual(accepted);
      expect((await requestLink("Anna@Stammtisch.example")).json).toEqual(accepted);
      expect(await mails()).toBe(sent);
      app.clock.time += minute;
    }
    expect((await requestLink("anna@stammtisch.example")).json).toEqual(accepted);
    expect(await mails()).toBe(5);
    app.clock.time += 60 * minute;
    await requestLink("anna@stammtisch.example");
    expect(await mails()).toBe(6);
  });

  test("reset requests are counted per account under a hash of the email address", async () => {
    for (const email of ["anna@stammtisch.example", "stranger@pub.example"]) await requestLink(email);
    const keys = await app.db
      .selectFrom("login_attempts")
      .select("key")
      .where("key", "like", "reset-account:%")
      .execute();
    expect(keys).toHaveLength(4);
    expect(JSON.stringify(keys)).not.toMatch(/anna|stranger/);
  });

  test("reset requests are limited to twenty an hour per IP address, counted in the database", async () => {
    app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
    client = app.createClient();
    await app.db
      .insertInto("login_attempts")
      .values({ key: "reset-address:127.0.0.1", attempts: 20, resets_at: app.clock.time + 90_000 })
      .execute();
    const answer = await requestLink("anna@stammtisch.example");
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "90"]);
  });

  test.each([
    undefined,
    "anna@stammtisch.example\r\nBcc: ben@stammtisch.example",
    ["anna@stammtisch.example", "evil@evil.example"],
  ])("a reset request for the email address %j is refused and sends no mail", async (email) => {
    const answer = await requestLink(email);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["email"]]);
    expect(await readMails(app)).toEqual([]);
  });

  test.each([
    { "x-forwarded-host": "evil.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-port": "8443" },
    { forwarded: "host=evil.example;proto=https" },
    { "x-host": "evil.example", "x-original-url": "https://evil.example/", "x-rewrite-url": "https://evil.example/" },
    { host: "evil.example" },
    { host: "localhost:3000:evil@evil.example" },
    { host: "localhost:3000@evil.example" },
    { host: "evil.example:3000" },
    { host: "localhost:3000.evil.example" },
    { host: "LOCALHOST:3000" },
    { origin: "https://evil.example" },
    { referer: "https://evil.example/" },
  ])("the headers %j do not change the host of a reset link", async (headers) => {
    await client.get("/sanctum/csrf-cookie");
    const answer = await client.post("/api/forgot-password", { email: "anna@stammtisch.example" }, headers);
    expect([200, 400, 403, 421]).toContain(answer.status);
    expect(JSON.stringify([answer.text, answer.headers])).not.toContain("evil");
    for (const mail of await readMails(app)) {
      expect(mail.raw).not.toContain("evil");
      expect(mail.links[0]).toMatch(/^http:\/\/localhost:3000\/password-reset#token=/);
    }
  });
});

describe("reset links", () => {
  test("a reset link sets a password once, ends all sessions and sockets, and does not log in", async () => {
    const socket = await connectSocket(app, anna.cookieHeader);
    const token = await orderToken();

    const answer = await reset(token);
    expect([answer.status, answer.json]).toEqual([200, { message: "Das Passwort wurde zurückgesetzt!" }]);
    expect(await socket.closed).toBe(4009);
    expect((await anna.get("/api/beercounter/counters")).status).toBe(401);
    expect((await client.get("/api/checkLoginStatus")).json).toEqual({ user: null });
    expect((await login(password)).status).toBe(422);
    expect((await login(newPassword)).status).toBe(200);
    const again = await reset(token);
    expectErrors(again, invalid);
    const notice = (await readMails(app)).find(({ subject }) => subject.startsWith("Dein Passwort wurde geändert"));
    expect(notice).toMatchObject({ to: "anna@stammtisch.example", links: [] });
  });

  test("a mailed reset link is valid for 60 minutes", async () => {
    const early = await orderToken();
    app.clock.time += 59.5 * minute;
    expect((await reset(early)).status).toBe(200);
    const late = await orderToken();
    app.clock.time += 60.5 * minute;
    expect((await reset(late)).json.errors).toEqual(invalid);
  });

  test("using one of two reset links ends the other link", async () => {
    const first = await orderToken();
    const second = await orderToken();
    expect((await reset(first)).status).toBe(200);
    expect((await reset(second)).json.errors).toEqual(invalid);
  });

  test("a fourth mailed reset link replaces the oldest one", async () => {
    const [oldest, ...newer] = [await orderToken(), await orderToken(), await orderToken(), await orderToken()];
    expect((await reset(oldest)).json.errors).toEqual(invalid);
    expect(await liveTokens()).toEqual(newer.map((token) => sha256(token)));
  });

  test("mailed reset links do not replace an administrator's reset link", async () => {
    const admin = await app.createMember("hannes", ["admin"]);
    const token = await handOver(admin);
    for (let asked = 0; asked < 10; asked++) await orderToken();
    expect(await liveTokens()).toHaveLength(3);
    expect((await reset(token)).status).toBe(200);
  });

  test("an administrator's reset link for a member with three links replaces the oldest mailed one, or else the oldest", async () => {
    const admin = await app.createMember("hannes", ["admin"]);
    const handed = [await handOver(admin)];
    await orderToken();
    const mailed = await orderToken();
    handed.push(await handOver(admin));
    expect(await liveTokens()).toEqual([handed[0]!, mailed, handed[1]!].map((token) => sha256(token)));
    handed.push(await handOver(admin), await handOver(admin));
    expect(await liveTokens()).toEqual(handed.slice(1).map((token) => sha256(token)));
  });

  test("no reset link is mailed while a member has three valid links from administrators", async () => {
    const admin = await app.createMember("hannes", ["admin"]);
    for (let made = 0; made < 3; made++) await handOver(admin);
    const before = await liveTokens();
    const answer = await requestLink("anna@stammtisch.example");
    expect([answer.status, answer.json]).toEqual([200, accepted]);
    expect([await readMails(app), await liveTokens()]).toEqual([[], before]);
    app.clock.time += 4 * 60 * minute;
    expect((await reset(await orderToken())).status).toBe(200);
  });

  test("twenty concurrent reset requests leave at most three valid reset links", { tags: "postgres" }, async () => {
    const admin = await app.createMember("hannes", ["admin"]);
    const token = await handOver(admin);
    await client.get("/sanctum/csrf-cookie");
    await Promise.all(Array.from({ length: 20 }, () => requestLink("anna@stammtisch.example")));
    expect(await liveTokens()).toHaveLength(3);
    expect((await reset(token)).status).toBe(200);
  });

  test("only one of two concurrently used reset links sets a password", { tags: "postgres" }, async () => {
    const tokens = [await orderToken(), await orderToken()];
    const answers = await Promise.all(tokens.map((token) => reset(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("a reset link remains valid after it was used with a password that was refused", async () => {
    const token = await orderToken();
    for (const [chosen, confirmation] of [
      ["kurz", "kurz"],
      ["password", "password"],
      [newPassword, "anders"],
      ["annaanna", "annaanna"],
    ] as const) {
      const answer = await reset(token, chosen, confirmation);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["password"]]);
    }
    expect((await reset(token)).status).toBe(200);
  });

  test("only one of fifty concurrent uses of a reset link succeeds", { tags: "postgres" }, async () => {
    const token = await orderToken();
    await client.get("/sanctum/csrf-cookie");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reset(token, `${newPassword} ${index}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(49);
    expect((await login(`${newPassword} ${statuses.indexOf(200)}`)).status).toBe(200);
  });

  test("a changed or malformed reset token is refused", async () => {
    const token = await orderToken();
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < 256; bit += 23) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect((await reset(flipped.toString("base64url"))).json.errors).toEqual(invalid);
    }
    for (const wrong of ["", token.slice(1), token.toUpperCase(), `${token}x`, "x".repeat(3000)]) {
      expect((await reset(wrong)).status).toBe(422);
    }
    expect((await reset([token])).status).toBe(422);
    expect((await reset(token)).status).toBe(200);
  });

  test("a disabled member cannot use or get a reset link", async () => {
    const token = await orderToken();
    await app.db.updateTable("users").set({ disabled_at: 1 }).execute();
    expect((await reset(token)).json.errors).toEqual(invalid);
    expect(await createResetLink(app.db, app.context, 1, "by mail")).toBeUndefined();
  });

  test("changing the password ends the member's reset links", async () => {
    const token = await orderToken();
    await anna.post("/api/user/changePassword", { password: newPassword, password_confirmation: newPassword });
    expect((await reset(token)).json.errors).toEqual(invalid);
  });

  test("using a reset link ends the login pause after too many wrong passwords", async () => {
    await app.db
      .updateTable("users")
      .set({ failed_logins: 120, locked_until: app.clock.time + 12 * 60 * 60_000 })
      .execute();
    expect((await login(password)).status).toBe(429);
    expect((await reset(await orderToken())).status).toBe(200);
    expect((await login(newPassword)).status).toBe(200);
  });
});
