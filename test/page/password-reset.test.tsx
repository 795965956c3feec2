import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createResetLink } from "#server/features/accounts/reset-actions.ts";
import { createFakeSmtpServer } from "#test/fake-smtp-server.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { answerOnce, messageText, openPage, type OpenPage, pageText } from "./open-page.tsx";

const chosen = "Abendrot und Hopfen";
let app: TestApp;

async function choosePassword(page: OpenPage): Promise<void> {
  await page.fill("Neues Passwort", chosen);
  await page.fill("Passwort bestätigen", chosen);
  await page.press("Passwort speichern");
}

/** Decodes quoted-printable text, which breaks lines and escapes equals signs. */
function pathIn(raw: string): string {
  const [link] = /https?:\/\/\S+/.exec(raw.replaceAll("=\r\n", "").replaceAll("=3D", "="))!;
  return link.slice(location.origin.length);
}

test("A mailed reset link sets a new password only once", async () => {
  const smtp = await createFakeSmtpServer({ hasTls: false });
  app = await createTestApp({ SMTP_URL: smtp.url });
  await app.createUser("carla");
  const page = await openPage(app.createClient(), "/login");
  await page.user.click(await screen.findByRole("link", { name: "Passwort vergessen?" }));
  await page.fill("E-Mail-Adresse", "carla@stammtisch.example");
  await page.press("Link anfordern");
  await expect.poll(messageText).toContain("Wenn ein Konto mit dieser E-Mail-Adresse existiert");
  await expect.poll(pageText).toContain("Schau in dein Postfach");
  await app.context.outbox.sendDue("mail");
  expect(smtp.mails.map(({ to }) => to)).toEqual([["carla@stammtisch.example"]]);
  const path = pathIn(smtp.mails[0]!.raw);

  const carla = await openPage(app.createClient(), path);
  await choosePassword(carla);
  await expect.poll(messageText).toContain("Das Passwort wurde zurückgesetzt!");
  await carla.logIn("carla", chosen);

  await choosePassword(await openPage(app.createClient(), path));
  const problem = "Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen. Fordere einfach einen neuen";
  await expect.poll(() => screen.getByRole("alert").textContent).toContain(problem);
  screen.getByLabelText("E-Mail-Adresse");
});

test("The page for a forgotten password advises asking an administrator if no mail server is configured", async () => {
  app = await createTestApp();
  const page = await openPage(app.createClient(), "/login");
  await page.user.click(await screen.findByRole("link", { name: "Passwort vergessen?" }));
  await expect.poll(pageText).toContain("Dieser Server verschickt keine Mails.");
  expect(pageText()).toContain("Frag jemanden, der eure Gruppe verwaltet.");
  const main = within(screen.getByRole("main"));
  expect([...main.queryAllByRole("textbox"), ...main.queryAllByRole("button")]).toEqual([]);

  // The same advice as for an expired link.
  const late = await openPage(app.createClient(), `/password-reset#token=${"x".repeat(43)}`);
  await choosePassword(late);
  await expect.poll(() => screen.getByRole("alert").textContent).toContain("Lass dir einfach einen neuen geben.");
  expect(pageText()).toContain("Frag jemanden, der eure Gruppe verwaltet.");
  await late.user.click(screen.getByRole("link", { name: "Zurück zum Login" }));
  await screen.findByRole("heading", { name: "Login" });
});

test("With PASSWORD_LOGIN=0, the page for a forgotten password says whom to ask, and a reset link says when its password counts", async () => {
  const env = { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "stammtisch", SMTP_URL: "smtp://localhost:2525" };
  app = await createTestApp({ ...env, PASSWORD_LOGIN: "0" });
  await openPage(app.createClient(), "/password-reset");
  await expect.poll(pageText).toContain("Hier meldest du dich nur über den Anmeldedienst an");
  expect(pageText()).toContain("frag jemanden, der eure Gruppe verwaltet.");
  expect(within(screen.getByRole("main")).queryAllByRole("textbox")).toEqual([]);
  const id = await app.createUser("carla");
  const link = await createResetLink(app.db, app.context, id, { by: null });
  const { pathname, hash } = new URL(link!.url);
  const page = await openPage(app.createClient(), pathname + hash);
  await expect.poll(pageText).toContain("Das neue Passwort gilt erst, wenn die Anmeldung mit Passwort wieder");
  await choosePassword(page);
  await screen.findByRole("button", { name: "Mit OpenID anmelden" });
});

test("The form for a forgotten password is shown if the page cannot find out whether the server sends mail", async () => {
  app = await createTestApp();
  const client = app.createClient();
  answerOnce(client, "/api/config", new TypeError("The settings of the group cannot be reached."));
  await openPage(client, "/password-reset");
  await screen.findByLabelText("E-Mail-Adresse");
});
