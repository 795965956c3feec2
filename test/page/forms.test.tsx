import { screen } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { openDialogs, openPage } from "./open-page.tsx";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const isWrong = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid") === "true";

test("A form field shows its error until the field changes, and editing does not move the focus", async () => {
  await app.createUser("ben");
  const page = await openPage(await app.createMember("carla"), "/profile");
  await page.fill("Benutzername", "ben");
  await page.fill("E-Mail-Adresse", "ben@stammtisch.example");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await screen.findByText("Benutzername ist bereits vergeben.");
  expect(isWrong("E-Mail-Adresse")).toBe(true);

  await page.fill("Benutzername", "carlotta");
  expect(screen.queryByText("Benutzername ist bereits vergeben.")).toBeNull();
  expect([isWrong("Benutzername"), isWrong("E-Mail-Adresse")]).toEqual([false, true]);
  expect(document.activeElement).toBe(screen.getByLabelText("Benutzername"));

  await page.fill("Benutzername", "ben");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await screen.findByText("Benutzername ist bereits vergeben.");
});

test("A form shows an error about two fields until one of the fields changes", async () => {
  const page = await openPage(await app.createMember("carla"), "/notifications");
  await page.user.click(await screen.findByLabelText("Ruhezeit einhalten"));
  await page.fill("Von", "08:00");
  await page.fill("Bis", "08:00");
  await page.press("Speichern");
  await expect.poll(() => isWrong("Bis")).toBe(true);
  await page.fill("Von", "23:00");
  expect(isWrong("Bis")).toBe(false);
});

test("The error of a wrong password confirmation disappears when the password or the confirmation changes", async () => {
  const page = await openPage(await app.createMember("carla"), "/profile");
  await page.fill("Passwort", password);
  for (const other of ["Passwort bestätigen", "Passwort"]) {
    await page.fill("Passwort bestätigen", "etwas anderes");
    await page.press("Speichern", screen.getByRole("region", { name: "Passwort ändern" }));
    await screen.findByText("Passwort stimmt nicht mit der Bestätigung überein.");
    await page.fill(other, password);
    expect(isWrong("Passwort")).toBe(false);
  }
});

test("A dialog stays open when selecting text ends outside of it, and closes on a click outside", async () => {
  const page = await openPage(await app.createMember("carla"), "/profile");
  await page.press("Account löschen …");
  const dialog = await screen.findByRole("dialog", { name: "Account löschen" });
  const field = screen.getByLabelText("Zur Sicherheit: dein Benutzername");
  await page.user.pointer([{ keys: "[MouseLeft>]", target: field }, { target: dialog }, { keys: "[/MouseLeft]" }]);
  expect(screen.queryByRole("dialog")).toBe(dialog);
  await page.user.click(dialog);
  await expect.poll(openDialogs).toEqual([]);
});

test("The folded field for an invitation token opens if the token is invalid, and stays open while it is edited", async () => {
  const page = await openPage(app.createClient(), "/register#token=AAAA-BBBB");
  await page.registerIda();
  await expect.poll(() => isWrong("Anmelde-Token")).toBe(true);
  const isInSight = () => screen.getByLabelText("Anmelde-Token").closest("details")!.open;
  await expect.poll(isInSight).toBe(true);
  await page.fill("Anmelde-Token", "CCCC-DDDD");
  expect([isWrong("Anmelde-Token"), isInSight()]).toEqual([false, true]);
});

test.each([
  ["stays logged in unless the member unticks the box", true],
  ["ends with the browser if the member has unticked the box", false],
])("a login after a registration %s", async (_, isRemembered) => {
  const anna = await app.createMember("anna");
  const { token } = (await anna.post("/api/admin/invitations", {})).json;
  const page = await openPage(app.createClient(), `/register#token=${token}`);
  await page.registerIda();
  await screen.findByRole("heading", { name: "Login" });
  if (!isRemembered) await page.user.click(screen.getByLabelText("Eingeloggt bleiben"));
  await page.fill("Passwort", password);
  await page.press("Login");
  await screen.findByRole("button", { name: "Bier trinken" });
  const session = app.db.selectFrom("sessions").innerJoin("users", "users.id", "user_id").where("uname", "=", "ida");
  expect(await session.select("is_remembered").execute()).toEqual([{ is_remembered: Number(isRemembered) }]);
});

test("After a registration, the login form is prefilled with the user name once", async () => {
  const anna = await app.createMember("anna");
  const { token } = (await anna.post("/api/admin/invitations", {})).json;
  const page = await openPage(app.createClient(), `/register#token=${token}`);
  await page.registerIda();
  await screen.findByRole("heading", { name: "Login" });
  expect(screen.getByLabelText<HTMLInputElement>("Benutzername").value).toBe("ida");
  expect(document.activeElement).toBe(screen.getByLabelText("Passwort"));
  expect(location.search).toBe("");
  await page.user.click(screen.getByRole("link", { name: "Passwort vergessen?" }));
  await screen.findByRole("heading", { name: "Passwort zurücksetzen" });
  await page.user.click(screen.getByRole("link", { name: "Zurück zum Login" }));
  await screen.findByRole("heading", { name: "Login" });
  expect(screen.getByLabelText<HTMLInputElement>("Benutzername").value).toBe("");
});
