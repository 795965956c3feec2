import { screen } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { allAnswered, answerOnce, openDialogs, openPage } from "./open-page.tsx";

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

const differs = "Passwort stimmt nicht mit der Bestätigung überein.";

test("A wrong password confirmation is shown at the second field until one of both fields changes", async () => {
  const page = await openPage(await app.createMember("carla"), "/profile");
  await page.fill("Passwort", password);
  for (const other of ["Passwort bestätigen", "Passwort"]) {
    await page.fill("Passwort bestätigen", "etwas anderes");
    await page.press("Passwort ändern");
    await screen.findByText(differs);
    await expect.poll(() => screen.getByLabelText("Passwort").closest("fieldset")!.disabled).toBe(false);
    expect([isWrong("Passwort"), isWrong("Passwort bestätigen")]).toEqual([false, true]);
    await page.fill(other, password);
    expect(isWrong("Passwort bestätigen")).toBe(false);
  }
});

test("A new password is refused with the errors of both fields at once", async () => {
  const page = await openPage(await app.createMember("carla"), "/profile");
  await page.fill("Passwort", "PASSWORD");
  await page.press("Passwort ändern");
  await screen.findByText(/^Passwort wurde in einem Datenleck gefunden/);
  screen.getByText("Passwort bestätigen muss ausgefüllt werden.");
  expect(screen.queryByText(differs)).toBeNull();
});

test("A registration shows the errors of all fields at once, those of empty fields too", async () => {
  const { token } = (await (await app.createMember("anna", ["admin"])).post("/api/admin/invitations", {})).json;
  const page = await openPage(app.createClient(), `/register#token=${token}`);
  await page.fill("Benutzername", "anna");
  await page.fill("E-Mail-Adresse", "ida");
  await page.fill("Passwort", "kurz");
  await page.fill("Passwort bestätigen", "lang");
  await page.press("Account erstellen");
  await screen.findByText("Benutzername ist bereits vergeben.");
  const errors = [...document.querySelectorAll("form li")].map(({ textContent }) => textContent);
  expect(errors).toEqual([
    "Benutzername ist bereits vergeben.",
    "Name muss ausgefüllt werden.",
    "E-Mail-Adresse muss eine gültige E-Mail-Adresse sein.",
    "Passwort muss mindestens 8 Zeichen lang sein.",
    differs,
  ]);
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText("Benutzername"));
  expect(document.querySelector("[data-flash]")).toBeNull();
});

test("The length of a password is shown before typing, on every page with a new password", async () => {
  app = await createTestApp({ PASSWORD_MIN_LENGTH: "10" });
  const rule = /^Mindestens 10 Zeichen, am besten 15 oder mehr\./;
  const ruleOf = (label: string) =>
    screen.getByText(rule).id === screen.getByLabelText(label).getAttribute("aria-describedby");
  await openPage(app.createClient(), "/register");
  await screen.findByLabelText("Passwort");
  expect(ruleOf("Passwort")).toBe(true);
  await openPage(app.createClient(), `/password-reset#token=${"x".repeat(43)}`);
  await screen.findByLabelText("Neues Passwort");
  expect(ruleOf("Neues Passwort")).toBe(true);
  await openPage(await app.createMember("carla"), "/profile");
  await screen.findByLabelText("Passwort");
  expect(ruleOf("Passwort")).toBe(true);
});

test("The page of an invitation says who invites to which group", async () => {
  const jonas = await app.createMember("jonas", ["admin"]);
  const { token } = (await jonas.post("/api/admin/invitations", {})).json;
  await openPage(app.createClient(), `/register#token=${token}`);
  await screen.findByText("jonas lädt dich zu „Stammtisch“ ein.");
});

test("The page of an invitation without a known maker names only the group", async () => {
  const { token } = await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy: null });
  await openPage(app.createClient(), `/register#token=${token}`);
  await allAnswered();
  screen.getByText("Du bist zu „Stammtisch“ eingeladen.");
});

test("The page of an invitation that cannot be used says so before the form is filled in", async () => {
  await openPage(app.createClient(), "/register#token=AAAA-BBBB");
  await screen.findByText("Diese Einladung gilt nicht mehr. Lass dir eine neue geben.");
});

test("The page of an invitation works while the name of its maker cannot be loaded", async () => {
  const { token } = await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy: null });
  const guest = app.createClient();
  answerOnce(guest, "/api/invitation", { status: 503, json: { message: "x", code: "unavailable" } });
  const page = await openPage(guest, `/register#token=${token}`);
  await screen.findByText("Du bist zu „Stammtisch“ eingeladen.");
  await page.registerIda();
  await screen.findByRole("heading", { name: "Login" });
});

test("An invitation survives a detour to the login page", async () => {
  const page = await openPage(app.createClient(), "/register#token=AAAA-BBBB");
  await page.user.click(await screen.findByRole("link", { name: /Zum Login/ }));
  await screen.findByRole("heading", { name: "Login" });
  await page.user.click(screen.getByRole("link", { name: "Account erstellen" }));
  await expect.poll(() => screen.getByLabelText<HTMLInputElement>("Anmelde-Token").value).toBe("AAAA-BBBB");
  expect(location.hash).toBe("#token=AAAA-BBBB");
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
