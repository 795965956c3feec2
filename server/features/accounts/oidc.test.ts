import type { ServerResponse } from "node:http";

import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createOidcApp, type OidcApp, oidcTexts } from "#test/oidc-app.ts";
import { createOpenIdProvider, finishOidc, startOidcLogin } from "#test/openid-provider.ts";
import { createTestApp, password } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { changeDisabled } from "./management-actions.ts";

const minute = 60_000;
const hour = 60 * 60_000;
const confirmPassword = "Bitte bestätige dein aktuelles Passwort.";
const { expired, rejected, unknown, notInGroup } = oidcTexts;

let app: OidcApp;
beforeEach(async () => {
  app = await createOidcApp();
});

const sendJson = (json: object) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));

const nameOfUser = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user?.uname ?? null;

describe("login with OpenID", () => {
  test("a member with a linked identity logs in at the OpenID provider, and can be remembered as after a password login", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient({ "user-agent": "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0" });
    const answer = await app.logIn(guest, "id-of-anna", { rememberUser: true, return_to: "/profile" });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ purpose: "login", return_to: "/profile", registration: null });
    expect(answer.json.user.uname).toBe("anna");
    expect(await nameOfUser(guest)).toBe("anna");
    expect(guest.cookies.has("device")).toBe(true);
    expect(guest.cookies.has("oidc")).toBe(false);
    const events = (await guest.get("/api/user/events")).json as { kind: string; device: string }[];
    expect(events[0]).toMatchObject({ kind: "oidc-login", device: "Firefox auf Android" });
    const [session] = await app.db.selectFrom("sessions").selectAll().where("is_remembered", "=", 1).execute();
    expect(session).toMatchObject({ user_id: 1, passkey_at: null });
    expect((await app.listIdentities())[0]!.last_used_at).toBe(app.clock.time);
    expect(app.logLines.some(({ event, fields }) => event === "login" && fields["with"] === "oidc")).toBe(true);
  });

  test("a logout also ends the session at the OpenID provider, but only if the member logged in there", async () => {
    const anna = await app.createLinkedMember("anna");
    expect((await anna.get("/api/user/oidc/logout")).json).toEqual({ url: null });
    const guest = app.createClient();
    await app.logIn(guest, "id-of-anna");
    const { url } = (await guest.get("/api/user/oidc/logout")).json;
    const address = new URL(url);
    expect(address.origin).toBe(new URL(app.provider.issuer).origin);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: "stammtisch",
      post_logout_redirect_uri: "http://localhost:3000/",
    });
    const page = await fetch(address, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("/session/end/confirm")]);
  });

  test("a logout does not wait for an OpenID provider that is down", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    await app.logIn(guest, "id-of-anna");
    await app.provider.close();
    app.clock.time += hour;
    expect((await guest.get("/api/user/oidc/logout")).json).toEqual({ url: null });
  });

  test("a request to the OpenID provider has a code challenge, a state and a nonce, and the database does not contain the state", async () => {
    const address = new URL(await startOidcLogin(app.createClient()));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: "http://localhost:3000/login/oidc",
      scope: "openid profile email",
    });
    const rows = JSON.stringify(await app.db.selectFrom("oidc_requests").selectAll().execute());
    expect(rows).not.toContain(address.searchParams.get("state"));
  });

  test("an answer of the OpenID provider is refused with a changed state, from another browser, and the second time", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await app.provider.createBrowser("id-of-anna").logIn(await startOidcLogin(guest));
    const otherState = new URL(returned);
    otherState.searchParams.set("state", "x".repeat(43));
    expectRefusal(await finishOidc(guest, otherState), 422, expired);
    const thief = app.createClient();
    expectRefusal(await finishOidc(thief, returned), 422, expired);
    await startOidcLogin(thief);
    expectRefusal(await finishOidc(thief, returned), 422, expired);
    const copied = guest.through(app);
    expect((await finishOidc(guest, returned)).status).toBe(200);
    expectRefusal(await finishOidc(copied, returned), 422, expired);
    expect(await nameOfUser(thief)).toBeNull();
  });

  test("only one of two simultaneous requests with the same OpenID answer logs in", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await app.provider.createBrowser("id-of-anna").logIn(await startOidcLogin(guest));
    const same = guest.through(app);
    const answers = await Promise.all([finishOidc(guest, returned), finishOidc(same, returned)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("an OpenID authorization code of another browser's login is refused, because its code challenge differs", async () => {
    await app.createLinkedMember("anna");
    const [guest, thief] = [app.createClient(), app.createClient()];
    const stolen = await app.provider.createBrowser("id-of-anna").logIn(await startOidcLogin(guest));
    const returned = await app.provider.createBrowser("id-of-ben").logIn(await startOidcLogin(thief));
    returned.searchParams.set("code", stolen.searchParams.get("code")!);
    expectRefusal(await finishOidc(thief, returned), 422, rejected);
  });

  test("an OpenID login is refused if the ID token has the nonce of another login", async () => {
    await app.createLinkedMember("anna");
    app.provider.rewrite = (parameters) => parameters.set("nonce", "of-another-login");
    const guest = app.createClient();
    expectRefusal(await app.logIn(guest, "id-of-anna"), 422, rejected);
    expect(await nameOfUser(guest)).toBeNull();
  });

  test("an OpenID login that takes ten minutes or longer is refused, and a job deletes its stored request", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await app.provider.createBrowser("id-of-anna").logIn(await startOidcLogin(guest));
    app.clock.time += 10 * minute;
    expectRefusal(await finishOidc(guest, returned), 422, expired);
    for (const { run } of jobs) await run(app.context);
    expect(await app.db.selectFrom("oidc_requests").selectAll().execute()).toEqual([]);
  });

  test("an OpenID login that was cancelled at the provider is refused", async () => {
    const guest = app.createClient();
    const state = new URL(await startOidcLogin(guest)).searchParams.get("state")!;
    const answer = new URLSearchParams({ error: "access_denied", state, iss: app.provider.issuer });
    expectRefusal(await guest.post("/api/oidc/finish", { answer: answer.toString() }), 422, rejected);
    const failed = app.logLines.find(({ event }) => event === "oidc-failed");
    expect(failed?.fields["reason"]).toContain("access_denied");
  });

  test("a disabled member cannot log in with OpenID until enabled again", async () => {
    await app.createLinkedMember("anna");
    await changeDisabled(app.context, 1, null, true);
    expectRefusal(await app.logIn(app.createClient(), "id-of-anna"), 422, "Dein Account ist gesperrt.");
    await changeDisabled(app.context, 1, null, false);
    expect((await app.logIn(app.createClient(), "id-of-anna")).status).toBe(200);
  });

  test("a login with an unlinked OpenID identity is refused, even if it has a member's verified email address", async () => {
    await app.createMember("anna");
    app.provider.accounts.set("stranger", { email: "anna@stammtisch.example", email_verified: true });
    const guest = app.createClient();
    expectRefusal(await app.logIn(guest, "stranger"), 422, unknown);
    expect(await nameOfUser(guest)).toBeNull();
    expect(await app.listIdentities()).toEqual([]);
  });

  test("a pause after wrong passwords does not block a login with OpenID", async () => {
    await app.createLinkedMember("anna");
    await app.db
      .updateTable("users")
      .set({ failed_logins: 200_000, locked_until: app.clock.time + hour })
      .execute();
    expect((await app.logIn(app.createClient(), "id-of-anna")).status).toBe(200);
    expect((await app.createClient().post("/api/login", { uname: "anna", password })).status).toBe(429);
  });

  test("an OpenID login in a logged-in browser ends the browser's previous session", async () => {
    await app.createLinkedMember("anna");
    const ben = await app.createMember("ben");
    const before = ben.through(app);
    expect((await app.logIn(ben, "id-of-anna")).status).toBe(200);
    expect([await nameOfUser(ben), await nameOfUser(before)]).toEqual(["anna", null]);
  });

  test("an OpenID login counts like entering the password only if the login at the provider is under three hours old", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    app.clock.time = Date.now() + 4 * hour;
    expect((await app.logIn(guest, "id-of-anna")).status).toBe(200);
    expectRefusal(await guest.delete("/api/user/oidc"), 423, confirmPassword);
  });

  test("the time of a login at the OpenID provider counts only if the signed ID token contains the time", async () => {
    await app.createLinkedMember("anna");
    app.provider.rewrite = (parameters) => parameters.delete("max_age");
    app.provider.answers.set("/me", sendJson({ sub: "id-of-anna", auth_time: Math.floor(app.clock.time / 1000) }));
    const guest = app.createClient();
    expect((await app.logIn(guest, "id-of-anna")).status).toBe(200);
    expectRefusal(await guest.delete("/api/user/oidc"), 423, confirmPassword);
  });
});

describe("OIDC_GROUPS", () => {
  test("OIDC_GROUPS lets only people in a listed group log in or link; the provider's group claim may be a list or one string", async () => {
    const anna = await app.createLinkedMember("anna");
    const strict = await app.reopen({ OIDC_GROUPS: "stammtisch, vorstand" });
    const guest = () => app.createClient().through(strict);
    expectRefusal(await app.logIn(guest(), "id-of-anna"), 422, notInGroup);
    app.provider.accounts.set("id-of-anna", { groups: ["kegeln", "vorstand"] });
    const client = guest();
    expect(new URL(await startOidcLogin(client)).searchParams.get("scope")).toBe(
      "openid profile email groups offline_access",
    );
    expect((await app.logIn(client, "id-of-anna")).status).toBe(200);
    app.provider.accounts.set("id-of-anna", { groups: "stammtisch" as never });
    expect((await app.logIn(guest(), "id-of-anna")).status).toBe(200);
    await anna.delete("/api/user/oidc");
    app.provider.accounts.set("id-of-anna", { groups: ["kegeln"] });
    expectRefusal(await app.link(anna.through(strict), "id-of-anna"), 422, notInGroup);
  });

  test("groups in the unsigned userinfo answer do not count beside those of the ID token", async () => {
    app = await createOidcApp({ hasClaimsInIdToken: true });
    const strict = await app.reopen({ OIDC_GROUPS: "vorstand", OIDC_ACCOUNTS: "automatic" });
    app.provider.accounts.set("stranger", { groups: ["kegeln"] });
    app.provider.answers.set("/me", sendJson({ sub: "stranger", groups: ["vorstand"] }));
    expectRefusal(await app.logIn(app.createClient().through(strict), "stranger"), 422, notInGroup);
    app.provider.accounts.set("stranger", { groups: ["vorstand"] });
    app.provider.answers.set("/me", sendJson({ sub: "stranger", groups: ["kegeln"] }));
    expect((await app.logIn(app.createClient().through(strict), "stranger")).status).toBe(200);
  });
});

test("the OpenID provider redirects the browser back to the origin at which the login started", async () => {
  const extra = "http://stammtisch.local:3000";
  const both = await createOpenIdProvider({ origins: ["http://localhost:3000", extra] });
  const other = await createTestApp({ ...both.env, EXTRA_ORIGINS: extra });
  const addressOf = async (client: Client, headers = {}) => {
    const { json } = await client.post("/api/oidc/login", {}, headers);
    return new URL(json.url).searchParams.get("redirect_uri");
  };
  expect(await addressOf(other.createClient())).toBe("http://localhost:3000/login/oidc");
  expect(await addressOf(other.createClient({ host: "stammtisch.local:3000" }))).toBe(`${extra}/login/oidc`);
  expect(await addressOf(other.createClient(), { origin: extra })).toBe(`${extra}/login/oidc`);
  const evil = await other.createClient().post("/api/oidc/login", {}, { origin: "https://evil.example" });
  expect(evil.status).toBe(403);

  const guest = other.createClient({ host: "stammtisch.local:3000" });
  const { json } = await guest.post("/api/oidc/login", {});
  const returned = await both.createBrowser("id-of-anna").logIn(json.url);
  expect(returned.origin).toBe(extra);
  expectRefusal(await finishOidc(guest, returned), 422, unknown);
});

test("PASSWORD_LOGIN=0 refuses logins and registrations with a password or passkey, and members still log in with OpenID", async () => {
  await app.createLinkedMember("anna");
  const strict = await app.reopen({ PASSWORD_LOGIN: "0" });
  const client = app.createClient().through(strict);
  const text = "Hier meldest du dich nur über den Anmeldedienst an.";
  expectRefusal(await client.post("/api/login", { uname: "anna", password }), 403, text);
  expectRefusal(await client.post("/api/login/passkey/options"), 403, text);
  const form = {
    uname: "ida",
    name: "Ida",
    email: "ida@stammtisch.example",
    password,
    password_confirmation: password,
  };
  expectRefusal(await client.post("/api/register", { ...form, token: await app.createInvitationToken() }), 403, text);
  expect((await client.get("/api/config")).json).toMatchObject({
    oidc_label: "Mit OpenID anmelden",
    password_login: "off",
  });
  expect((await app.logIn(client, "id-of-anna")).status).toBe(200);
  expect((await client.delete("/api/user/oidc")).status).toBe(422);
});

test("the OpenID endpoints answer 404 if OIDC_ISSUER is not set, and the public settings do not mention OpenID", async () => {
  const plain = await createTestApp();
  const anna = await plain.createMember("anna");
  for (const path of ["/api/oidc/login", "/api/oidc/finish", "/api/oidc/register", "/api/user/oidc"])
    expect((await anna.post(path, {})).status).toBe(404);
  expect((await anna.get("/api/user/oidc")).status).toBe(404);
  const settings = (await anna.get("/api/config")).json;
  expect([settings.oidc_label, settings.password_login]).toEqual([undefined, undefined]);
});
