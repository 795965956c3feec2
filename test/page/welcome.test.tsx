import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import { createTestApp, password } from "#test/test-app.ts";
import { openPage } from "./open-page.tsx";

test("the first administrator names the group after the registration, and gets an invitation for the others", async () => {
  const app = await createTestApp();
  const first = { permissions: ["admin"] as const, days: 7, uses: 1, createdBy: null };
  const { token } = await createInvitation(app.context, first);
  const page = await openPage(app.createClient(), `/register#token=${token}`);
  await page.fill("Benutzername", "anna");
  await page.fill("Name", "Anna");
  await page.fill("E-Mail-Adresse", "anna@stammtisch.example");
  await page.fill("Passwort", password);
  await page.fill("Passwort bestätigen", password);
  await page.press("Account erstellen", screen.getByRole("main"));
  await screen.findByRole("heading", { name: "Login" });
  await page.fill("Passwort", password);
  await page.press("Login", screen.getByRole("main"));
  await screen.findByRole("heading", { name: "Wie heißt eure Runde?" });
  await page.fill("Name der Gruppe", "Freunde der Sonne");
  await page.press("Weiter");
  await screen.findByRole("img", { name: "Einladung zu „Freunde der Sonne“ als QR-Code" });
  expect((await app.createClient().get("/api/config")).json).toMatchObject({
    group_name: "Freunde der Sonne",
    group_short: "FDS",
  });
  const ben = { uname: "ben", name: "Ben", email: "ben@stammtisch.example", password, password_confirmation: password };
  const [, invited] = document.querySelector("[data-copied]")!.textContent.split("token=");
  const { status, json } = await app.createClient().post("/api/register", { ...ben, token: invited });
  expect([status, json.is_host]).toEqual([201, undefined]);
});
