import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { createOidcApp, type OidcApp, oidcTexts } from "#test/oidc-app.ts";
import { password } from "#test/test-app.ts";

const { expired, notInGroup } = oidcTexts;

let app: OidcApp;
beforeEach(async () => {
  app = await createOidcApp();
});

const nameOfUser = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user?.uname ?? null;

describe("registration with OpenID", () => {
  const form = { uname: "ida", name: "Ida", email: "ida@stammtisch.example" };
  const register = (client: Client, body: object = form) => client.post("/api/oidc/register", body);

  test("a guest with an invitation and an unknown OpenID identity creates an account, with names suggested by the provider", async () => {
    app.provider.accounts.set("id-of-ida", {
      name: "Ida Hopf",
      preferred_username: "ida hopf",
      email: form.email,
      email_verified: true,
    });
    const guest = app.createClient();
    const answer = await app.logIn(guest, "id-of-ida", { invitation: await app.createInvitationToken() });
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
    expect((await app.logIn(app.createClient(), "id-of-ida")).json.user.uname).toBe("ida");
    expectRefusal(await register(guest), 422, expired);
    const audit = await app.db.selectFrom("audit").select(["action", "member_id"]).execute();
    expect(audit.map(({ action }) => action)).toEqual(["invitation-made", "invitation-used"]);
  });

  test("the names suggested for an OpenID registration avoid taken user names, and unverified or taken email addresses", async () => {
    await app.createUser("anna");
    const invitation = await app.createInvitationToken();
    const suggest = async () => (await app.logIn(app.createClient(), "new", { invitation })).json.registration;
    app.provider.accounts.set("new", { preferred_username: "Anna", email: form.email, email_verified: false });
    expect(await suggest()).toEqual({ uname: "Anna2", name: "Anna", email: "" });
    app.provider.accounts.set("new", { email: "anna@stammtisch.example", email_verified: true });
    expect(await suggest()).toEqual({ uname: "anna2", name: "", email: "" });
    app.provider.accounts.set("new", { name: "\u202e", preferred_username: "аdmin" });
    expect(await suggest()).toEqual({ uname: "", name: "аdmin", email: "" });
  });

  test("an OpenID registration whose form was refused can be completed with a corrected form", async () => {
    await app.createUser("anna");
    const guest = app.createClient();
    await app.logIn(guest, "id-of-ida", { invitation: await app.createInvitationToken() });
    const taken = "Benutzername ist bereits vergeben.";
    expectErrors(await register(guest, { ...form, uname: "anna" }), { uname: [taken] });
    expect((await register(guest)).status).toBe(201);
  });

  test("an OpenID registration fails if the invitation is invalid, or if another person uses the invitation up first", async () => {
    const text = "Anmelde-Token ist ungültig oder abgelaufen.";
    const guest = app.createClient();
    expectErrors(await guest.post("/api/oidc/login", { invitation: "nonsense" }), { invitation: [text] });
    const invitation = await app.createInvitationToken();
    await app.logIn(guest, "id-of-ida", { invitation });
    const faster = app.createClient();
    const fields = { uname: "ben", name: "Ben", email: "ben@stammtisch.example", password };
    await faster.post("/api/register", { ...fields, token: invitation, password_confirmation: password });
    expectErrors(await register(guest), { token: [text] });
    expectRefusal(await register(app.createClient()), 422, expired);
    expect(await app.listIdentities()).toEqual([]);
  });

  test("two browsers cannot register the same OpenID identity", { tags: "postgres" }, async () => {
    const [one, two] = [app.createClient(), app.createClient()];
    await app.logIn(one, "id-of-ida", { invitation: await app.createInvitationToken() });
    await app.logIn(two, "id-of-ida", { invitation: await app.createInvitationToken() });
    expect((await register(one)).status).toBe(201);
    const other = { uname: "ida2", name: "Ida", email: "ida2@stammtisch.example" };
    expectRefusal(await register(two, other), 422, "Diese Anmeldung gehört schon zu einem anderen Account.");
    expect(await app.db.selectFrom("users").select("uname").execute()).toEqual([{ uname: "ida" }]);
  });

  test("members of an allowed group need no invitation with OIDC_ACCOUNTS=automatic, and others are refused", async () => {
    const open = await app.reopen({ OIDC_ACCOUNTS: "automatic", OIDC_GROUPS: "stammtisch" });
    const guest = app.createClient().through(open);
    expectRefusal(await app.logIn(guest, "id-of-ida"), 422, notInGroup);
    app.provider.accounts.set("id-of-ida", { groups: ["stammtisch"], preferred_username: "ida" });
    expect((await app.logIn(guest, "id-of-ida")).json.registration.uname).toBe("ida");
    const { status, json } = await register(guest);
    expect([status, json.user.permissions]).toEqual([201, []]);
    const audit = await app.db.selectFrom("audit").select(["action", "actor_id"]).execute();
    expect(audit).toEqual([{ action: "registered-with-oidc", actor_id: json.user.id }]);
  });
});
