import { beforeEach, describe, expect, test } from "vitest";

import { noPassword } from "#server/features/members/rules.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { readMails } from "#test/mailbox.ts";
import { createOidcApp, type OidcApp, oidcTexts } from "#test/oidc-app.ts";
import { finishOidc, startOidcLogin } from "#test/openid-provider.ts";
import { password } from "#test/test-app.ts";
import { createPasskey } from "./passkey-store.ts";
import { createResetLink } from "./reset-actions.ts";

const hour = 60 * 60_000;
const confirmPassword = "Bitte bestätige dein aktuelles Passwort.";
const { expired, rejected, unknown } = oidcTexts;

let app: OidcApp;
beforeEach(async () => {
  app = await createOidcApp();
});

describe("linked identity", () => {
  test("linking an OpenID identity sends a mail; it is exported and can be unlinked; both changes are account events", async () => {
    const anna = await app.createLinkedMember("anna");
    const created_at = new Date(app.clock.time).toISOString();
    expect((await anna.get("/api/user/oidc")).json).toEqual({
      has_password: true,
      identity: { created_at, last_used_at: null },
    });
    expect((await readMails(app)).map(({ subject }) => subject)).toEqual([
      "Dein Account ist mit dem Anmeldedienst verbunden – Stammtisch",
    ]);
    expect((await anna.get("/api/user/export")).json.oidc_identities).toEqual([
      { issuer: `${app.provider.issuer}/`, subject: "id-of-anna", created_at, last_used_at: null },
    ]);
    expectRefusal(await anna.post("/api/user/oidc"), 422, "Dein Account ist schon verbunden.");
    expect((await anna.delete("/api/user/oidc")).json).toEqual({ message: "Verbindung getrennt." });
    expect((await anna.delete("/api/user/oidc")).status).toBe(404);
    expectRefusal(await app.logIn(app.createClient(), "id-of-anna"), 422, unknown);
    const kinds = (await anna.get("/api/user/events")).json.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["oidc-unlinked", "oidc-linked"]);
  });

  test("an OpenID identity of another account cannot be linked", async () => {
    await app.createLinkedMember("anna");
    const ben = await app.createMember("ben");
    expectRefusal(await app.link(ben, "id-of-anna"), 422, "Diese Anmeldung gehört schon zu einem anderen Account.");
    expect((await app.listIdentities()).map(({ user_id }) => user_id)).toEqual([1]);
  });

  test("only the session that began to link an OpenID identity can finish it", async () => {
    const ben = await app.createMember("ben");
    const returned = await app.provider.createBrowser("id-of-ben").logIn((await ben.post("/api/user/oidc")).json.url);
    const carla = await app.createMember("carla");
    carla.cookies.set("oidc", ben.cookies.get("oidc")!);
    expectRefusal(await finishOidc(carla, returned), 422, expired);
    expect(await app.listIdentities()).toEqual([]);
  });

  test("linking an OpenID identity requires that the password was entered in the last three hours", async () => {
    const ben = await app.createMember("ben");
    await app.rememberSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await ben.post("/api/user/oidc"), 423, confirmPassword);
  });

  test("a member who can log in only with OpenID must set a password before unlinking the identity", async () => {
    const guest = app.createClient();
    await app.logIn(guest, "id-of-ida", { invitation: await app.createInvitationToken() });
    await guest.post("/api/oidc/register", { uname: "ida", name: "Ida", email: "ida@stammtisch.example" });
    expect((await guest.get("/api/user/oidc")).json.has_password).toBe(false);
    const text = "Anders kämst du nicht mehr rein. Lege zuerst ein Passwort oder einen Passkey an.";
    expectRefusal(await guest.delete("/api/user/oidc"), 422, text);
    const chosen = { password, password_confirmation: password };
    expect((await guest.post("/api/user/changePassword", chosen)).status).toBe(200);
    expect((await guest.get("/api/user/oidc")).json.has_password).toBe(true);
    expect((await guest.delete("/api/user/oidc")).status).toBe(200);
  });

  test("a member without a password cannot remove both the OpenID identity and the last passkey", async () => {
    const anna = await app.createLinkedMember("anna");
    await app.db.updateTable("users").set({ password_hash: noPassword }).execute();
    const passkey = { credential_id: "x", public_key: Buffer.from("x"), counter: 0, transports: "[]", name: "Handy" };
    await createPasskey(app.db, { ...passkey, user_id: 1, created_at: app.clock.time, last_used_at: null });
    expect((await anna.delete("/api/user/oidc")).status).toBe(200);
    const text = "Anders kämst du nicht mehr rein. Lege zuerst ein Passwort oder einen Passkey an.";
    expectRefusal(await anna.delete("/api/user/passkeys/1"), 422, text);
    await app.link(anna, "id-of-anna");
    expect((await anna.delete("/api/user/passkeys/1")).status).toBe(200);
  });

  test("using an administrator's reset link and deleting the account each remove the OpenID identity", async () => {
    const anna = await app.createLinkedMember("anna", []);
    await app.createUser("hannes", ["admin"]);
    const reset = await createResetLink(app.db, app.context, 1, { by: null });
    const form = { token: reset!.url.split("#token=")[1], password, password_confirmation: password };
    await app.createClient().post("/api/reset-password", form);
    expect(await app.listIdentities()).toEqual([]);
    await anna.post("/api/login", { uname: "anna", password });
    await app.link(anna, "id-of-anna");
    await anna.post("/api/user/oidc");
    expect((await anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" })).status).toBe(200);
    expect(await app.listIdentities()).toEqual([]);
  });
});

describe("confirmation with OpenID", () => {
  async function confirm(client: Client, account = "id-of-anna"): Promise<ClientResponse> {
    const { json } = await client.post("/api/user/confirmOidc", { return_to: "/profile" });
    return finishOidc(client, await app.provider.createBrowser(account).logIn(json.url));
  }

  test("a new login at the OpenID provider confirms a session like entering the password, and the session gets a new id", async () => {
    const anna = await app.createLinkedMember("anna");
    await app.rememberSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await anna.delete("/api/user/oidc"), 423, confirmPassword);
    const before = anna.cookies.get("session");
    const answer = await confirm(anna);
    expect(answer.json).toEqual({ purpose: "confirm", return_to: "/profile", user: null, registration: null });
    expect(anna.cookies.get("session")).not.toBe(before);
    expect((await anna.delete("/api/user/oidc")).status).toBe(200);
  });

  test("to confirm with OpenID, a member who is still logged in at the provider has to log in there again", async () => {
    const anna = await app.createLinkedMember("anna");
    const browser = app.provider.createBrowser("id-of-anna");
    await browser.logIn(await startOidcLogin(app.createClient()));
    await browser.logIn(await startOidcLogin(app.createClient()));
    const logins = app.provider.logins();
    await browser.logIn((await anna.post("/api/user/confirmOidc", {})).json.url);
    expect(app.provider.logins()).toBe(logins + 1);
  });

  test("a confirmation is refused if the OpenID provider did not ask the member to log in again", async () => {
    const anna = await app.createLinkedMember("anna");
    app.provider.rewrite = (parameters) => {
      parameters.delete("prompt");
      parameters.delete("max_age");
    };
    await app.rememberSessions();
    app.clock.time += 3 * hour;
    expectRefusal(await confirm(anna), 422, rejected);
    expect((await anna.delete("/api/user/oidc")).status).toBe(423);
  });

  test("a confirmation with OpenID is refused with another member's identity, and for a member without a linked identity", async () => {
    const text = "Das war nicht die Anmeldung, die mit deinem Account verbunden ist.";
    const anna = await app.createLinkedMember("anna");
    expectRefusal(await confirm(anna, "id-of-ben"), 422, text);
    const ben = await app.createMember("ben");
    expectRefusal(await ben.post("/api/user/confirmOidc", {}), 422, text);
  });
});
