// Also on PostgreSQL: a registration relies on unique constraints and on a transaction of several tables.
import { beforeEach, describe, expect, test } from "vitest";

import { createInvitation } from "#server/features/invitations/actions.ts";
import { changeDisabled } from "#server/features/member-management/actions.ts";
import { createResetLink } from "#server/features/password-reset/actions.ts";
import { trustTestAuthority } from "#test/certificates.ts";
import { endWithTest } from "#test/cleanup.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { readMails } from "#test/mailbox.ts";
import { createOpenIdProvider, type OpenIdProvider } from "#test/openid-provider.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

const minute = 60_000;
const hour = 60 * minute;
const expired = "Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser. Versuche es nochmal.";
const rejected = "Der Anmeldedienst hat dich nicht angemeldet. Versuche es nochmal.";
const unavailable = "Der Anmeldedienst ist gerade nicht erreichbar.";
const unknown =
  "Zu dieser Anmeldung gibt es hier keinen Account. Öffne deine Einladung, oder verbinde sie in deinem Profil.";
const notInGroup = "Du gehörst nicht zu den erlaubten Gruppen.";
const confirmPassword = "Bitte bestätige dein aktuelles Passwort.";

let provider: OpenIdProvider;
let app: TestApp;
beforeEach(async () => {
  provider = await createOpenIdProvider();
  app = await createTestApp(provider.env);
});

async function startLogin(client: Client, body: object = {}): Promise<string> {
  const { status, json } = await client.post("/api/oidc/login", body);
  expect(status).toBe(200);
  return json.url;
}

const finish = (client: Client, returned: URL) => client.post("/api/oidc/finish", { answer: returned.search });

/** Logs in at the provider and finishes the login in the same browser. */
async function logIn(client: Client, account: string, body: object = {}): Promise<ClientResponse> {
  return finish(client, await provider.createBrowser(account).logIn(await startLogin(client, body)));
}

/** Links a member with an account of the provider. */
async function link(client: Client, account: string): Promise<ClientResponse> {
  const { json } = await client.post("/api/user/oidc");
  return finish(client, await provider.createBrowser(account).logIn(json.url));
}

async function createLinkedMember(uname: string, permissions?: []): Promise<Client> {
  const member = await app.createMember(uname, permissions);
  expect((await link(member, `id-of-${uname}`)).status).toBe(200);
  return member;
}

/** Makes the sessions last longer than a recent password. */
const keepSessions = () => app.db.updateTable("sessions").set({ is_remembered: 1 }).execute();

async function createToken(): Promise<string> {
  return (await createInvitation(app.context, { permissions: [], days: 7, uses: 1, createdBy: null })).token;
}

const listIdentities = () => app.db.selectFrom("oidc_identities").selectAll().execute();
const nameOfUser = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user?.uname ?? null;

describe("login with OpenID", () => {
  test("a linked member logs in at the provider, and the session is like that of a password", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient({ "user-agent": "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0" });
    const answer = await logIn(guest, "id-of-anna", { rememberUser: true, return_to: "/profile" });
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
    expect((await listIdentities())[0]!.last_used_at).toBe(app.clock.time);
    expect(app.logLines.some(({ event, fields }) => event === "login" && fields["with"] === "oidc")).toBe(true);
  });

  test("a request contains a code challenge, a state and a nonce, and the database only the hash of the state", async () => {
    const address = new URL(await startLogin(app.createClient()));
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

  test("an answer with another state, in another browser or for the second time is refused", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await provider.createBrowser("id-of-anna").logIn(await startLogin(guest));
    const otherState = new URL(returned);
    otherState.searchParams.set("state", "x".repeat(43));
    expectRefusal(await finish(guest, otherState), 422, expired);
    const thief = app.createClient();
    expectRefusal(await finish(thief, returned), 422, expired);
    await startLogin(thief);
    expectRefusal(await finish(thief, returned), 422, expired);
    const copied = guest.through(app);
    expect((await finish(guest, returned)).status).toBe(200);
    expectRefusal(await finish(copied, returned), 422, expired);
    expect(await nameOfUser(thief)).toBeNull();
  });

  test("only one of two simultaneous requests finishes a login", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await provider.createBrowser("id-of-anna").logIn(await startLogin(guest));
    const same = guest.through(app);
    const answers = await Promise.all([finish(guest, returned), finish(same, returned)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("a code of another login is refused, because its code challenge differs", async () => {
    await createLinkedMember("anna");
    const [guest, thief] = [app.createClient(), app.createClient()];
    const stolen = await provider.createBrowser("id-of-anna").logIn(await startLogin(guest));
    const returned = await provider.createBrowser("id-of-ben").logIn(await startLogin(thief));
    returned.searchParams.set("code", stolen.searchParams.get("code")!);
    expectRefusal(await finish(thief, returned), 422, rejected);
  });

  test("an ID token with another nonce is refused", async () => {
    await createLinkedMember("anna");
    provider.rewrite = (parameters) => parameters.set("nonce", "of-another-login");
    const guest = app.createClient();
    expectRefusal(await logIn(guest, "id-of-anna"), 422, rejected);
    expect(await nameOfUser(guest)).toBeNull();
  });

  test("a login that takes longer than ten minutes is refused, and a job deletes it", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await provider.createBrowser("id-of-anna").logIn(await startLogin(guest));
    app.clock.time += 10 * minute;
    expectRefusal(await finish(guest, returned), 422, expired);
    await jobs[0]!.run(app.context);
    expect(await app.db.selectFrom("oidc_requests").selectAll().execute()).toEqual([]);
  });

  test("a login that is cancelled at the provider is refused", async () => {
    const guest = app.createClient();
    const state = new URL(await startLogin(guest)).searchParams.get("state")!;
    const answer = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
    expectRefusal(await guest.post("/api/oidc/finish", { answer: `?${answer}` }), 422, rejected);
  });

  test("a disabled member cannot log in with OpenID until enabled again", async () => {
    await createLinkedMember("anna");
    await changeDisabled(app.context, 1, null, true);
    expectRefusal(await logIn(app.createClient(), "id-of-anna"), 422, "Dein Account ist gesperrt.");
    await changeDisabled(app.context, 1, null, false);
    expect((await logIn(app.createClient(), "id-of-anna")).status).toBe(200);
  });

  test("an unknown identity is refused, even with the email address of a member", async () => {
    await app.createMember("anna");
    provider.accounts.set("stranger", { email: "anna@stammtisch.example", email_verified: true });
    const guest = app.createClient();
    expectRefusal(await logIn(guest, "stranger"), 422, unknown);
    expect(await nameOfUser(guest)).toBeNull();
    expect(await listIdentities()).toEqual([]);
  });

  test("a pause after wrong passwords does not block a login with OpenID", async () => {
    await createLinkedMember("anna");
    await app.db
      .updateTable("users")
      .set({ failed_logins: 200_000, locked_until: app.clock.time + hour })
      .execute();
    expect((await logIn(app.createClient(), "id-of-anna")).status).toBe(200);
    expect((await app.createClient().post("/api/login", { uname: "anna", password })).status).toBe(429);
  });

  test("a login in a browser with a session ends that session", async () => {
    await createLinkedMember("anna");
    const ben = await app.createMember("ben");
    const before = ben.through(app);
    expect((await logIn(ben, "id-of-anna")).status).toBe(200);
    expect([await nameOfUser(ben), await nameOfUser(before)]).toEqual(["anna", null]);
  });

  test("a login counts as a recent password only since the member last logged in at the provider", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient();
    app.clock.time = Date.now() + 4 * hour;
    expect((await logIn(guest, "id-of-anna")).status).toBe(200);
    expectRefusal(await guest.delete("/api/user/oidc"), 423, confirmPassword);
  });
});

describe("OIDC_GROUPS", () => {
  test("only members of an allowed group log in or link, and the claim may be a list or one text", async () => {
    const anna = await createLinkedMember("anna");
    const strict = await app.reopen({ OIDC_GROUPS: "stammtisch, vorstand" });
    const guest = () => app.createClient().through(strict);
    expectRefusal(await logIn(guest(), "id-of-anna"), 422, notInGroup);
    provider.accounts.set("id-of-anna", { groups: ["kegeln", "vorstand"] });
    const client = guest();
    expect(new URL(await startLogin(client)).searchParams.get("scope")).toBe("openid profile email groups");
    expect((await logIn(client, "id-of-anna")).status).toBe(200);
    provider.accounts.set("id-of-anna", { groups: "stammtisch" as never });
    expect((await logIn(guest(), "id-of-anna")).status).toBe(200);
    await anna.delete("/api/user/oidc");
    provider.accounts.set("id-of-anna", { groups: ["kegeln"] });
    expectRefusal(await link(anna.through(strict), "id-of-anna"), 422, notInGroup);
  });
});

describe("registration with OpenID", () => {
  const form = { uname: "ida", name: "Ida", email: "ida@stammtisch.example" };
  const register = (client: Client, body: object = form) => client.post("/api/oidc/register", body);

  test("an invitation creates the account of a new identity, with suggestions from the provider", async () => {
    provider.accounts.set("id-of-ida", {
      name: "Ida Hopf",
      preferred_username: "ida hopf",
      email: form.email,
      email_verified: true,
    });
    const guest = app.createClient();
    const answer = await logIn(guest, "id-of-ida", { invitation: await createToken() });
    expect(answer.json).toMatchObject({
      user: null,
      registration: { uname: "ida.hopf", name: "Ida Hopf", email: form.email },
    });
    expect(await nameOfUser(guest)).toBeNull();
    const registered = await register(guest);
    expect(registered.status).toBe(201);
    expect(registered.json.user).toMatchObject({ ...form, permissions: [] });
    expect(await nameOfUser(guest)).toBe("ida");
    expect((await app.createClient().post("/api/login", { uname: "ida", password: "none" })).status).toBe(422);
    expect((await logIn(app.createClient(), "id-of-ida")).json.user.uname).toBe("ida");
    expectRefusal(await register(guest), 422, expired);
    const audit = await app.db.selectFrom("audit").select(["action", "member_id"]).execute();
    expect(audit.map(({ action }) => action)).toEqual(["invitation-made", "invitation-used"]);
  });

  test("suggestions avoid taken user names, and contain no unverified or taken email address", async () => {
    await app.createUser("anna");
    const invitation = await createToken();
    const suggest = async () => (await logIn(app.createClient(), "new", { invitation })).json.registration;
    provider.accounts.set("new", { preferred_username: "Anna", email: form.email, email_verified: false });
    expect(await suggest()).toEqual({ uname: "Anna2", name: "Anna", email: "" });
    provider.accounts.set("new", { email: "anna@stammtisch.example", email_verified: true });
    expect(await suggest()).toEqual({ uname: "anna2", name: "", email: "" });
    provider.accounts.set("new", { name: "\u202e", preferred_username: "аdmin" });
    expect(await suggest()).toEqual({ uname: "", name: "аdmin", email: "" });
  });

  test("a refused form leaves the registration and the invitation usable", async () => {
    await app.createUser("anna");
    const guest = app.createClient();
    await logIn(guest, "id-of-ida", { invitation: await createToken() });
    const taken = "Benutzername ist bereits vergeben.";
    expectErrors(await register(guest, { ...form, uname: "anna" }), { uname: [taken] });
    expect((await register(guest)).status).toBe(201);
  });

  test("an invitation that is invalid, or used meanwhile by another person, creates no account", async () => {
    const text = "Anmelde-Token ist ungültig oder abgelaufen.";
    const guest = app.createClient();
    expectErrors(await guest.post("/api/oidc/login", { invitation: "nonsense" }), { invitation: [text] });
    const invitation = await createToken();
    await logIn(guest, "id-of-ida", { invitation });
    const faster = app.createClient();
    const fields = { uname: "ben", name: "Ben", email: "ben@stammtisch.example", password };
    await faster.post("/api/register", { ...fields, token: invitation, password_confirmation: password });
    expectErrors(await register(guest), { token: [text] });
    expectRefusal(await register(app.createClient()), 422, expired);
    expect(await listIdentities()).toEqual([]);
  });

  test("two browsers cannot register the same identity", async () => {
    const [one, two] = [app.createClient(), app.createClient()];
    await logIn(one, "id-of-ida", { invitation: await createToken() });
    await logIn(two, "id-of-ida", { invitation: await createToken() });
    expect((await register(one)).status).toBe(201);
    const other = { uname: "ida2", name: "Ida", email: "ida2@stammtisch.example" };
    expectRefusal(await register(two, other), 422, "Diese Anmeldung gehört schon zu einem anderen Account.");
    expect(await app.db.selectFrom("users").select("uname").execute()).toEqual([{ uname: "ida" }]);
  });

  test("with OIDC_ACCOUNTS=automatic, members of an allowed group need no invitation, and others are refused", async () => {
    const open = await app.reopen({ OIDC_ACCOUNTS: "automatic", OIDC_GROUPS: "stammtisch" });
    const guest = app.createClient().through(open);
    expectRefusal(await logIn(guest, "id-of-ida"), 422, notInGroup);
    provider.accounts.set("id-of-ida", { groups: ["stammtisch"], preferred_username: "ida" });
    expect((await logIn(guest, "id-of-ida")).json.registration.uname).toBe("ida");
    const { status, json } = await register(guest);
    expect([status, json.user.permissions]).toEqual([201, []]);
    const audit = await app.db.selectFrom("audit").select(["action", "actor_id"]).execute();
    expect(audit).toEqual([{ action: "registered-with-oidc", actor_id: json.user.id }]);
  });
});

describe("linked identity", () => {
  test("a member links and unlinks an identity, which is mailed, recorded and exported", async () => {
    const anna = await createLinkedMember("anna");
    const created_at = new Date(app.clock.time).toISOString();
    expect((await anna.get("/api/user/oidc")).json).toEqual({
      has_password: true,
      identity: { created_at, last_used_at: null },
    });
    expect((await readMails(app)).map(({ subject }) => subject)).toEqual([
      "Dein Account ist mit dem Anmeldedienst verbunden – Stammtisch",
    ]);
    expect((await anna.get("/api/user/export")).json.oidc_identities).toEqual([
      { issuer: `${provider.issuer}/`, subject: "id-of-anna", created_at, last_used_at: null },
    ]);
    expectRefusal(await anna.post("/api/user/oidc"), 422, "Dein Account ist schon verbunden.");
    expect((await anna.delete("/api/user/oidc")).json).toEqual({ message: "Verbindung getrennt." });
    expect((await anna.delete("/api/user/oidc")).status).toBe(404);
    expectRefusal(await logIn(app.createClient(), "id-of-anna"), 422, unknown);
    const kinds = (await anna.get("/api/user/events")).json.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["oidc-unlinked", "oidc-linked"]);
  });

  test("linking needs a recent password, the member's own session, and an identity without an account", async () => {
    await createLinkedMember("anna");
    const ben = await app.createMember("ben");
    expectRefusal(await link(ben, "id-of-anna"), 422, "Diese Anmeldung gehört schon zu einem anderen Account.");
    const returned = await provider.createBrowser("id-of-ben").logIn((await ben.post("/api/user/oidc")).json.url);
    const carla = await app.createMember("carla");
    carla.cookies.set("oidc", ben.cookies.get("oidc")!);
    expectRefusal(await finish(carla, returned), 422, expired);
    await keepSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await ben.post("/api/user/oidc"), 423, confirmPassword);
    expect((await listIdentities()).map(({ user_id }) => user_id)).toEqual([1]);
  });

  test("a member whose only login is the identity cannot unlink it before setting a password", async () => {
    const guest = app.createClient();
    await logIn(guest, "id-of-ida", { invitation: await createToken() });
    await guest.post("/api/oidc/register", { uname: "ida", name: "Ida", email: "ida@stammtisch.example" });
    expect((await guest.get("/api/user/oidc")).json.has_password).toBe(false);
    const text = "Anders kämst du nicht mehr rein. Lege zuerst ein Passwort oder einen Passkey an.";
    expectRefusal(await guest.delete("/api/user/oidc"), 422, text);
    const chosen = { password, password_confirmation: password };
    expect((await guest.post("/api/user/changePassword", chosen)).status).toBe(200);
    expect((await guest.get("/api/user/oidc")).json.has_password).toBe(true);
    expect((await guest.delete("/api/user/oidc")).status).toBe(200);
  });

  test("an administrator's reset link and the deletion of the account remove the identity", async () => {
    const anna = await createLinkedMember("anna", []);
    await app.createUser("hannes", ["admin"]);
    const reset = await createResetLink(app.db, app.context, 1, { by: null });
    const form = { token: reset!.url.split("#token=")[1], password, password_confirmation: password };
    await app.createClient().post("/api/reset-password", form);
    expect(await listIdentities()).toEqual([]);
    await anna.post("/api/login", { uname: "anna", password });
    await link(anna, "id-of-anna");
    await anna.post("/api/user/oidc");
    expect((await anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" })).status).toBe(200);
    expect(await listIdentities()).toEqual([]);
  });
});

describe("confirmation with OpenID", () => {
  async function confirm(client: Client, account = "id-of-anna"): Promise<ClientResponse> {
    const { json } = await client.post("/api/user/confirmOidc", { return_to: "/profile" });
    return finish(client, await provider.createBrowser(account).logIn(json.url));
  }

  test("a fresh login at the provider confirms like the password, and the session gets a new id", async () => {
    const anna = await createLinkedMember("anna");
    await keepSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await anna.delete("/api/user/oidc"), 423, confirmPassword);
    const before = anna.cookies.get("session");
    const answer = await confirm(anna);
    expect(answer.json).toEqual({ purpose: "confirm", return_to: "/profile", user: null, registration: null });
    expect(anna.cookies.get("session")).not.toBe(before);
    expect((await anna.delete("/api/user/oidc")).status).toBe(200);
  });

  test("a member who is still logged in at the provider has to log in there again", async () => {
    const anna = await createLinkedMember("anna");
    const browser = provider.createBrowser("id-of-anna");
    await browser.logIn(await startLogin(app.createClient()));
    await browser.logIn(await startLogin(app.createClient()));
    const logins = provider.logins();
    await browser.logIn((await anna.post("/api/user/confirmOidc", {})).json.url);
    expect(provider.logins()).toBe(logins + 1);
  });

  test("a provider that does not ask again confirms nothing", async () => {
    const anna = await createLinkedMember("anna");
    provider.rewrite = (parameters) => {
      parameters.delete("prompt");
      parameters.delete("max_age");
    };
    await keepSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await confirm(anna), 422, rejected);
    expect((await anna.delete("/api/user/oidc")).status).toBe(423);
  });

  test("another identity than the linked one confirms nothing, and without one nothing starts", async () => {
    const text = "Das war nicht die Anmeldung, die mit deinem Account verbunden ist.";
    const anna = await createLinkedMember("anna");
    expectRefusal(await confirm(anna, "id-of-ben"), 422, text);
    const ben = await app.createMember("ben");
    expectRefusal(await ben.post("/api/user/confirmOidc", {}), 422, text);
  });
});

describe("failing provider", () => {
  test("a provider that is down blocks neither the start of the server nor other logins, and works once it is back", async () => {
    await createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await provider.createBrowser("id-of-anna").logIn(await startLogin(guest));
    await provider.close();
    const again = await app.reopen();
    const client = app.createClient().through(again);
    expectRefusal(await client.post("/api/oidc/login", {}), 503, unavailable);
    expectRefusal(await finish(guest, returned), 503, unavailable);
    expect((await client.post("/api/login", { uname: "anna", password })).status).toBe(200);
    const [line] = again.logLines.filter(({ event }) => event === "oidc-failed");
    expect(line).toMatchObject({
      level: "warn",
      fields: { code: "oidcUnavailable", reason: expect.stringMatching(/ECONNREFUSED/) },
    });
  });

  test("a provider that does not answer within seconds counts as unreachable", { timeout: 15_000 }, async () => {
    provider.isAnswering = false;
    expectRefusal(await app.createClient().post("/api/oidc/login", {}), 503, unavailable);
    provider.isAnswering = true;
    await startLogin(app.createClient());
  });

  test.each([
    ["expired", "CERT_HAS_EXPIRED"],
    ["good", null],
  ] as const)("a provider with a certificate that is %s", async (certificate, reason) => {
    const trust = trustTestAuthority();
    endWithTest(async () => trust.end());
    const secure = await createOpenIdProvider({ certificate });
    const other = await app.reopen(secure.env);
    const answer = await app.createClient().through(other).post("/api/oidc/login", {});
    if (reason === null) expect(answer.json.url).toMatch(/^https:/);
    else {
      expectRefusal(answer, 503, unavailable);
      expect(other.logLines.find(({ event }) => event === "oidc-failed")?.fields["reason"]).toContain(reason);
    }
  });

  test("a wrong client secret is logged without the secret, and pages say that the provider is unreachable", async () => {
    const wrong = await app.reopen({ OIDC_CLIENT_SECRET: "a-wrong-secret" });
    const answer = await logIn(app.createClient().through(wrong), "id-of-anna");
    expectRefusal(answer, 503, unavailable);
    const lines = wrong.logLines.filter(({ event }) => event === "oidc-failed");
    expect(lines[0]!.fields["reason"]).toContain("OAUTH_WWW_AUTHENTICATE_CHALLENGE");
    expect(JSON.stringify(lines)).not.toContain("a-wrong-secret");
  });
});

test("the provider returns the browser to the origin from which the login started", async () => {
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
  expectRefusal(await finish(guest, returned), 422, unknown);
});

test("PASSWORD_LOGIN=0 refuses logins and registrations with a password or passkey, and members still log in with OpenID", async () => {
  await createLinkedMember("anna");
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
  expectRefusal(await client.post("/api/register", { ...form, token: await createToken() }), 403, text);
  expect((await client.get("/api/config")).json).toMatchObject({
    oidc_label: "Mit OpenID anmelden",
    password_login: "off",
  });
  expect((await logIn(client, "id-of-anna")).status).toBe(200);
  expect((await client.delete("/api/user/oidc")).status).toBe(422);
});

test("without OIDC_ISSUER no endpoint answers, and the public settings do not mention OpenID", async () => {
  const plain = await createTestApp();
  const anna = await plain.createMember("anna");
  for (const path of ["/api/oidc/login", "/api/oidc/finish", "/api/oidc/register", "/api/user/oidc"])
    expect((await anna.post(path, {})).status).toBe(404);
  expect((await anna.get("/api/user/oidc")).status).toBe(404);
  const settings = (await anna.get("/api/config")).json;
  expect([settings.oidc_label, settings.password_login]).toEqual([undefined, undefined]);
});
