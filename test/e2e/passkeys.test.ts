import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createE2eApp, logIn, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
beforeAll(async () => {
  app = await createE2eApp({ env: { ADMIN_PASSKEY: "1" } });
  await app.registerMembers("Anna", "Ben");
  await app.runCommand("user", "grant", "anna", "admin");
});
afterAll(() => app.close());

interface Device {
  readonly browser: CDPSession;
  readonly authenticatorId: string;
}

/** A phone that recognizes its owner at once. */
async function addDevice(page: Page): Promise<Device> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const { authenticatorId } = await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return { browser, authenticatorId };
}

async function createPasskey(page: Page, name: string): Promise<void> {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Passkey anlegen" }).click();
  const dialog = page.getByRole("dialog", { name: "Passkey anlegen" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("region", { name: "Passkeys" }).getByText(name, { exact: true }).waitFor();
}

async function logOut(page: Page, { isForgotten = true } = {}): Promise<void> {
  // So that the next login is asked for by a tap.
  if (isForgotten) await page.evaluate(() => localStorage.removeItem("stammtisch.passkey"));
  // The page is left first, so that it does not try to connect again.
  await page.goto("about:blank");
  await page.context().request.get(`${app.url}/api/logout`, { headers: { "x-requested-with": "XMLHttpRequest" } });
  await page.goto("/login");
}

/** As if everybody had logged in long ago. */
function forgetConfirmations(): void {
  const database = new DatabaseSync(join(app.dataDir, "stammtisch.db"), { timeout: 5000 });
  database.exec("update sessions set confirmed_at = 0");
  database.close();
}

const logInWithPasskey = (page: Page) => page.getByRole("button", { name: "Mit Passkey anmelden" }).click();
const misfit = "Dieser Passkey passt hier nicht";

test("a passkey logs in on each of two devices, a copy of one is refused, and after a reset link there is a new one", async () => {
  const ben = await app.loggedInPage("ben");
  const phone = await addDevice(ben);
  await createPasskey(ben, "Handy");
  await logOut(ben);
  await logInWithPasskey(ben);
  await ben.waitForURL("**/beercounter");
  // Where one was used before, the browser offers it by itself; this one takes it at once.
  await logOut(ben, { isForgotten: false });
  await ben.waitForURL("**/beercounter");

  const laptop = await app.loggedInPage("ben");
  await addDevice(laptop);
  await createPasskey(laptop, "Laptop");
  await laptop.getByText("Passkey angelegt").first().waitFor();
  await logOut(laptop);
  await logInWithPasskey(laptop);
  await laptop.waitForURL("**/beercounter");

  // A copy of the phone's key, from before its last use.
  const { credentials } = await phone.browser.send("WebAuthn.getCredentials", {
    authenticatorId: phone.authenticatorId,
  });
  const thief = await app.newPage();
  const copy = await addDevice(thief);
  const credential = { ...credentials[0]!, signCount: 0 };
  await copy.browser.send("WebAuthn.addCredential", { authenticatorId: copy.authenticatorId, credential });
  await thief.goto("/login");
  await logInWithPasskey(thief);
  await thief.getByText(misfit).waitFor();

  await laptop.goto("/profile");
  await laptop.getByRole("button", { name: "Handy entfernen" }).click();
  await laptop.getByRole("dialog").getByRole("button", { name: "Entfernen" }).click();
  await laptop.getByText("Passkey entfernt.").waitFor();
  await logOut(ben);
  await logInWithPasskey(ben);
  await ben.getByText(misfit).waitFor();

  // Both devices are lost.
  const { url } = await app.runCommand<{ url: string }>("user", "reset-link", "ben");
  const another = await app.newPage();
  await addDevice(another);
  await another.goto(url);
  await another.getByLabel("Neues Passwort").fill("Abendrot und Hopfen");
  await another.getByLabel("Passwort bestätigen").fill("Abendrot und Hopfen");
  await another.getByRole("button", { name: "Passwort speichern" }).click();
  await logIn(another, "ben", "Abendrot und Hopfen");
  await another.waitForURL("**/beercounter");
  await createPasskey(another, "Neues Handy");
  expect(await another.getByRole("button", { name: "Laptop entfernen" }).count()).toBe(0);

  forgetConfirmations();
  await another.getByRole("button", { name: "Account löschen …" }).click();
  const deletion = another.getByRole("dialog", { name: "Account löschen" });
  expect(await deletion.getByLabel("Dein Passwort").count()).toBe(0);
  await deletion.getByLabel("Zur Sicherheit: dein Benutzername").fill("ben");
  await deletion.getByRole("button", { name: "Endgültig löschen" }).click();
  await another.getByRole("button", { name: "Mit Passkey bestätigen" }).click();
  await another.getByText("Dein Account ist gelöscht.").waitFor();
});

test("the admin area that demands a passkey leads to the profile first, and opens with one", async () => {
  const anna = await app.loggedInPage("anna");
  await addDevice(anna);
  await anna.goto("/admin");
  await anna
    .getByRole("dialog", { name: "Du brauchst einen Passkey" })
    .getByRole("button", { name: "Zum Profil" })
    .click();
  await anna.waitForURL("**/profile");
  await createPasskey(anna, "Handy");
  await anna.goto("/admin");
  await anna.getByRole("button", { name: "Mit Passkey bestätigen" }).click();
  await anna.getByRole("list", { name: "Mitglieder" }).waitFor();
});
