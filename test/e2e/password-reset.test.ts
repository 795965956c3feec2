import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createFakeSmtpServer, type FakeSmtpServer } from "#test/fake-smtp-server.ts";
import { logIn, createE2eApp, type E2eApp } from "./e2e-app.ts";

const chosen = "Abendrot und Hopfen";
let smtp: FakeSmtpServer;
let withMail: E2eApp;
let withoutMail: E2eApp;

beforeAll(async () => {
  smtp = await createFakeSmtpServer({ hasTls: false });
  withMail = await createE2eApp({ env: { SMTP_URL: smtp.url } });
  await withMail.registerMembers("Carla");
  withoutMail = await createE2eApp();
});

afterAll(async () => {
  await withMail.close();
  await withoutMail.close();
  await smtp.close();
});

async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel("Neues Passwort").fill(chosen);
  await page.getByLabel("Passwort bestätigen").fill(chosen);
  await page.getByRole("button", { name: "Passwort speichern" }).click();
}

/** The first link of a mail, whose long lines are broken and whose equals signs are escaped. */
function linkIn(raw: string): string {
  return /https?:\/\/\S+/.exec(raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))![0];
}

test("A forgotten password is set anew by the link of a mail, once", async () => {
  const page = await withMail.newPage();
  await page.goto("/login");
  await page.getByRole("link", { name: "Passwort vergessen?" }).click();
  await page.getByLabel("E-Mail-Adresse").fill("carla@stammtisch.example");
  await page.getByRole("button", { name: "Link anfordern" }).click();
  await page.locator("[data-flash]").getByText("Wenn ein Konto mit dieser E-Mail-Adresse existiert").waitFor();
  await page.getByText("Schau in dein Postfach").waitFor();
  await expect.poll(() => smtp.mails.map(({ to }) => to)).toEqual([["carla@stammtisch.example"]]);
  const link = linkIn(smtp.mails[0]!.raw);

  await page.goto(link);
  await page.getByLabel("Neues Passwort").waitFor();
  expect(page.url()).toBe(`${withMail.url}/password-reset`);
  await choosePassword(page);
  await page.locator("[data-flash]").getByText("Das Passwort wurde zurückgesetzt!").waitFor();
  await logIn(page, "carla", chosen);
  await page.waitForURL("**/beercounter");

  const again = await withMail.newPage();
  await again.goto(link);
  await choosePassword(again);
  const problem = "Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen. Fordere einfach einen neuen";
  await again.getByRole("alert").getByText(problem).waitFor();
  await again.getByLabel("E-Mail-Adresse").waitFor();
});

test("Without a mail server the page has no form and names the people to ask", async () => {
  const page = await withoutMail.newPage();
  await page.goto("/login");
  await page.getByRole("link", { name: "Passwort vergessen?" }).click();
  await page.getByText("Dieser Server verschickt keine Mails.").waitFor();
  await page.getByText("Frag jemanden, der eure Gruppe verwaltet.").waitFor();
  const main = page.getByRole("main");
  expect([await main.getByRole("textbox").count(), await main.getByRole("button").count()]).toEqual([0, 0]);

  // A link that works no more leads to the same words.
  await page.goto(`/password-reset#token=${"x".repeat(43)}`);
  await choosePassword(page);
  await page.getByRole("alert").getByText("Lass dir einfach einen neuen geben.").waitFor();
  await page.getByText("Frag jemanden, der eure Gruppe verwaltet.").waitFor();
  await page.getByRole("link", { name: "Zurück zum Login" }).click();
  await page.getByRole("heading", { name: "Login" }).waitFor();
});

test("While nobody can say whether mails are sent, the form is there", async () => {
  const page = await withoutMail.newPage();
  // The page that the device keeps knows nothing of the group.
  const kept = `${withoutMail.url}/offline`;
  await page.route("**/password-reset", async (route) => route.fulfill({ response: await route.fetch({ url: kept }) }));
  await page.route("**/api/config", (route) => route.abort());
  await page.goto("/password-reset");
  await page.getByLabel("E-Mail-Adresse").waitFor();
});
