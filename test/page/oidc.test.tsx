// test/browsers/oidc.test.ts visits the provider.
import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { createIdentity } from "#server/features/accounts/oidc-store.ts";
import { noPassword } from "#server/features/members/rules.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { answerOnce, messageText, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp({ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "stammtisch" });
  anna = await app.createMember("anna");
  const identity = { issuer: "https://id.example/", subject: "id-of-anna", last_used_at: null };
  await createIdentity(app.db, { ...identity, user_id: 1, created_at: app.clock.time });
});

const answer = (json: object) => ({ status: 200, text: JSON.stringify(json) });

test.each(["/login", "/register#token=AAAA-BBBB"])(
  "a login with OpenID at %s stays logged in by default",
  async (path) => {
    const guest = app.createClient();
    const page = await openPage(guest, path);
    const send = vi.spyOn(guest, "send");
    await page.press("Mit OpenID anmelden");
    const findBody = () => send.mock.calls.find(([, called]) => called.includes("/api/oidc/login"))?.[2]?.body;
    await expect.poll(() => String(findBody())).toContain('"rememberUser":true');
  },
);

test("the login page sends the visitor to the OpenID provider, and shows a message if the provider cannot be reached", async () => {
  const guest = app.createClient();
  const page = await openPage(guest, "/login?redirectedFrom=/profile");
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  answerOnce(guest, "/api/oidc/login", answer({ url: "https://id.example/auth" }));
  await page.press("Mit OpenID anmelden");
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/auth"));
  dispatchEvent(new Event("pageshow"));
  answerOnce(guest, "/api/oidc/login", { ...answer(oidcUnavailable), status: 503 });
  await page.press("Mit OpenID anmelden");
  await expect.poll(messageText).toContain(oidcUnavailable.message);
});

const oidcUnavailable = { message: "Der Anmeldedienst ist gerade nicht erreichbar.", code: "oidcUnavailable" };

test.each([
  ["/profile#sign-on", "/profile"],
  ["//evil.example", "/beercounter"],
  ["https://evil.example", "/beercounter"],
  ["/\\evil.example", "/beercounter"],
])("an OpenID confirmation with the return address %s opens the page %s", async (return_to, path) => {
  const finished = { purpose: "confirm", return_to, user: null, registration: null };
  answerOnce(anna, "/api/oidc/finish", answer(finished));
  await openPage(anna, "/login/oidc?code=x&state=y");
  await expect.poll(() => location.pathname).toBe(path);
  await expect.poll(messageText).toContain("Bestätigt.");
});

test("a failed OpenID login shows the reason, and its code is removed from the address bar", async () => {
  await openPage(app.createClient(), "/login/oidc?code=x&state=y");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser.");
  expect(location.search).toBe("");
  screen.getByRole("link", { name: "Zum Login" });
});

test("a member without a password confirms the deletion of the account at the OpenID provider", async () => {
  await app.db.updateTable("users").set({ password_hash: noPassword }).execute();
  await app.db.updateTable("sessions").set({ confirmed_at: 0 }).execute();
  const page = await openPage(anna, "/profile");
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  await page.press("Account löschen …");
  const deletion = await screen.findByRole("dialog", { name: "Account löschen" });
  expect(within(deletion).queryByLabelText("Dein Passwort")).toBeNull();
  await page.fill("Zur Sicherheit: dein Benutzername", "anna", deletion);
  await page.press("Endgültig löschen", deletion);
  const dialog = await screen.findByRole("dialog", { name: "Kurz bestätigen" });
  expect(within(dialog).queryByLabelText("Aktuelles Passwort")).toBeNull();
  answerOnce(anna, "/api/user/confirmOidc", answer({ url: "https://id.example/auth?prompt=login" }));
  await page.press("Zum Anmeldedienst", dialog);
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://id.example/auth?prompt=login"));
});

test("a member with a password unlinks the OpenID identity after confirming with the password, or else at the provider", async () => {
  await app.db.updateTable("sessions").set({ confirmed_at: 0 }).execute();
  const page = await openPage(anna, "/profile");
  await page.press("Verbindung trennen");
  await page.press("Trennen", await screen.findByRole("dialog", { name: "Verbindung trennen" }));
  const dialog = await screen.findByRole("dialog", { name: "Kurz bestätigen" });
  within(dialog).getByRole("button", { name: "Beim Anmeldedienst bestätigen" });
  await page.fill("Aktuelles Passwort", password, dialog);
  await page.press("Bestätigen", dialog);
  await expect.poll(messageText).toContain("Verbindung getrennt.");
  const region = screen.getByRole("region", { name: "Anmeldedienst" });
  await within(region).findByRole("button", { name: "Account verbinden" });
});

test("the login page asks for no password with PASSWORD_LOGIN=0, and the registration page asks for an opened invitation link", async () => {
  const strict = await app.reopen({ PASSWORD_LOGIN: "0" });
  await openPage(strict.createClient(), "/login");
  await screen.findByRole("button", { name: "Mit OpenID anmelden" });
  expect(screen.queryByLabelText("Passwort")).toBeNull();
  expect(pageText()).not.toContain("Passwort vergessen?");
  await openPage(strict.createClient(), "/register");
  await screen.findByText("Öffne den Link aus deiner Einladung.");
  expect(screen.queryByLabelText("Passwort")).toBeNull();
});

test("with PASSWORD_LOGIN=0, an administrator learns that the password of a reset link does not count yet", async () => {
  const admin = await app.createMember("hannes", ["admin"]);
  const page = await openPage(admin.through(await app.reopen({ PASSWORD_LOGIN: "0" })), "/admin");
  await page.press(/^Anna/, await screen.findByRole("list", { name: "Mitglieder" }));
  await page.press("Link für neues Passwort");
  await screen.findByText(/Das Passwort gilt erst, wenn die Anmeldung mit Passwort auf dem Server wieder/);
});
