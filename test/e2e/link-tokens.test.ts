import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp } from "./e2e-app.ts";

const app = await createE2eApp();
await app.registerMembers("Ben", "Carla");
const chosen = "Zapfhahn-im-Keller-3";

test("an invitation's token survives a reload and is removed from the browser history after registering", async () => {
  const { url } = await app.runCommand<{ url: string }>("invite", "create");
  const page = await app.newPage();
  await page.goto(url);
  const invited = "Du bist zu „Stammtisch“ eingeladen.";
  await page.getByText(invited).waitFor();
  await page.reload();
  await page.getByText(invited).waitFor();
  expect(page.url()).toBe(url);

  await page.getByRole("link", { name: "Zum Login" }).click();
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await page.goBack();
  await page.getByText(invited).waitFor();
  expect(page.url()).toBe(url);

  await page.getByLabel("Benutzername").fill("dora");
  await page.getByLabel("Name", { exact: true }).fill("Dora");
  await page.getByLabel("E-Mail-Adresse").fill("dora@stammtisch.example");
  await choosePassword(page, "Passwort", "Account erstellen");
  await page.waitForURL(`${app.url}/login`);
  await page.goBack();
  expect(page.url()).toBe("about:blank");
});

test("a second invitation opened in the same tab replaces the first invitation's token", async () => {
  const page = await app.newPage();
  await page.goto("/register#token=AAAA-BBBB");
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("AAAA-BBBB");
  await page.evaluate(() => (location.hash = "#token=CCCC-DDDD"));
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("CCCC-DDDD");
});

test("a page opened with an old invitation link, whose token is in the query, reloads without sending the token", async () => {
  const page = await app.newPage();
  await page.goto("/register?token=AAAA-BBBB");
  await expect.poll(() => page.url()).toBe(`${app.url}/register#token=AAAA-BBBB`);
  const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.reload();
  expect((await reloaded).url()).toBe(`${app.url}/register`);
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("AAAA-BBBB");
});

test("a reset link's token survives a reload and is removed from the browser history after its use", async () => {
  const { url } = await app.runCommand<{ url: string }>("user", "reset-link", "ben");
  const page = await app.newPage();
  await page.goto(url);
  await page.getByLabel("Neues Passwort").waitFor();
  await page.reload();
  await choosePassword(page, "Neues Passwort", "Passwort speichern");
  await page.waitForURL(`${app.url}/login`);
  await page.goBack();
  expect(page.url()).toBe("about:blank");

  await page.goto(url);
  await choosePassword(page, "Neues Passwort", "Passwort speichern");
  await page.getByText("Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen.").waitFor();
  expect(page.url()).toBe(`${app.url}/password-reset`);
});

test("a reset link redirects a logged-in member to the counter", async () => {
  const { url } = await app.runCommand<{ url: string }>("user", "reset-link", "carla");
  const page = await app.loggedInPage("carla");
  await page.goto(url);
  await page.waitForURL(`${app.url}/beercounter`);
});

async function choosePassword(page: Page, label: string, button: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(chosen);
  await page.getByLabel("Passwort bestätigen").fill(chosen);
  await page.getByRole("button", { name: button }).click();
}
