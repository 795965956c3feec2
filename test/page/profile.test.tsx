import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { messageText, openDialogs, openPage } from "./open-page.tsx";

let app: TestApp;
let carla: Client;
beforeEach(async () => {
  app = await createTestApp();
  carla = await app.createMember("carla");
});

const member = async () => (await carla.get("/api/checkLoginStatus")).json.user;
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test("saving the profile changes the member's name in the header at once", async () => {
  const page = await openPage(carla, "/profile");
  await page.fill("Name", "Carla die Große");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await expect.poll(messageText).toContain("Profil aktualisiert.");
  await screen.findByRole("button", { name: "Carla die Große" });
});

test("unchanged profile fields show changes from another device, and changed fields keep their input", async () => {
  const page = await openPage(carla, "/profile");
  await page.isLive("#server-to-user-1");
  await page.fill("Name", "Carla die Gr");
  await carla.post("/api/user/update", { uname: "carla.b", name: "Carlotta", email: "carla@pub.example" });
  await expect.poll(() => valueOf("E-Mail-Adresse")).toBe("carla@pub.example");
  expect(valueOf("Benutzername")).toBe("carla.b");
  expect(valueOf("Name")).toBe("Carla die Gr");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await expect.poll(messageText).toContain("Profil aktualisiert.");
  expect(await member()).toMatchObject({ uname: "carla.b", name: "Carla die Gr", email: "carla@pub.example" });
  await carla.post("/api/user/update", { uname: "carla.b", name: "Carlotta", email: "carla@pub.example" });
  await expect.poll(() => valueOf("Name")).toBe("Carlotta");
});

test.each([
  ["Benutzername", { uname: "carla.b" }, "carla.b"],
  ["E-Mail-Adresse", { email: "carla@pub.example" }, "carla@pub.example"],
])("a change of the profile field %s on another device is shown at once", async (label, change, value) => {
  const page = await openPage(carla, "/profile");
  await page.isLive("#server-to-user-1");
  const { uname, name, email } = await member();
  await carla.post("/api/user/update", { uname, name, email, ...change });
  await expect.poll(() => valueOf(label)).toBe(value);
});

test("saving the profile does not overwrite an email address that was changed elsewhere", async () => {
  const page = await openPage(carla, "/profile");
  await screen.findByRole("form", { name: "Profil" });
  await app.db.updateTable("users").set({ email: "carla@pub.example", email_key: "carla@pub.example" }).execute();
  await page.fill("Name", "Carlotta");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await expect.poll(messageText).toContain("Profil aktualisiert.");
  expect(await member()).toMatchObject({ name: "Carlotta", email: "carla@pub.example" });
  await expect.poll(() => valueOf("E-Mail-Adresse")).toBe("carla@pub.example");
});

test("a password change three hours after the login asks for the current password and is then saved automatically", async () => {
  await app.db.updateTable("sessions").set({ confirmed_at: 0 }).execute();
  const page = await openPage(carla, "/profile");
  await page.fill("Passwort", "Abendrot und Hopfen");
  await page.fill("Passwort bestätigen", "Abendrot und Hopfen");
  await page.press("Passwort ändern");
  await screen.findByRole("dialog", { name: "Kurz bestätigen" });
  await screen.findByText("Bitte bestätige dein aktuelles Passwort.");
  await page.fill("Aktuelles Passwort", "nicht dieses");
  await page.press("Bestätigen");
  await screen.findByText("Das Passwort ist falsch.");
  await page.fill("Aktuelles Passwort", password);
  await page.press("Bestätigen");
  await expect.poll(messageText).toContain("Passwort aktualisiert.");
  await expect.poll(() => valueOf("Passwort")).toBe("");
});

test("a confirmation dialog that is open when the session ends is hidden from the next member", async () => {
  await app.db.updateTable("sessions").set({ confirmed_at: 0 }).execute();
  await app.createUser("ben");
  const page = await openPage(carla, "/profile");
  await page.isLive();
  await page.fill("E-Mail-Adresse", "neu@example.org");
  await page.press("Speichern", screen.getByRole("form", { name: "Profil" }));
  await screen.findByRole("dialog", { name: "Kurz bestätigen" });
  await app.db.deleteFrom("sessions").execute();
  dispatchEvent(new Event("online"));
  await screen.findByRole("heading", { name: "Login" });
  await page.fill("Benutzername", "ben");
  await page.fill("Passwort", password);
  await page.press("Login");
  await screen.findByRole("button", { name: "Ben" });
  await page.fill("Name", "Benno");
  await page.press("Speichern", await screen.findByRole("form", { name: "Profil" }));
  await screen.findByRole("button", { name: "Benno" });
  expect(openDialogs()).toEqual([]);
});

test("a member logs out another device in the profile", async () => {
  const userAgent = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
  const mobile = app.createClient({ "user-agent": userAgent });
  await mobile.post("/api/login", { uname: "carla", password });
  const page = await openPage(carla, "/profile");
  const devices = within(await screen.findByRole("region", { name: "Angemeldete Geräte" }));
  await devices.findByText("Dieses Gerät");
  await page.press("Firefox auf Android abmelden");
  await expect.poll(messageText).toContain("Gerät abgemeldet.");
  await waitFor(() => expect(devices.getAllByRole("listitem")).toHaveLength(1));
  expect((await mobile.get("/api/beercounter/counters")).status).toBe(401);
});

test("the profile shows the five newest account events, and all events on request", async () => {
  const event = { user_id: 1, at: 0, kind: "email-changed", device: "Firefox auf Android" } as const;
  await app.db.deleteFrom("account_events").execute();
  for (let at = 1; at <= 7; at++)
    await app.db
      .insertInto("account_events")
      .values({ ...event, at })
      .execute();
  const page = await openPage(carla, "/profile");
  const card = within(await screen.findByRole("region", { name: "Zuletzt in deinem Account" }));
  expect(await card.findAllByText("E-Mail-Adresse geändert")).toHaveLength(5);
  await page.press("Alle zeigen");
  expect(card.getAllByText("E-Mail-Adresse geändert")).toHaveLength(7);
  expect(screen.queryByRole("button", { name: "Alle zeigen" })).toBeNull();
});

test("a member downloads the personal data, deletes the account, and gets to the start page", async () => {
  const page = await openPage(carla, "/profile");
  const download = await screen.findByRole("link", { name: /^Meine Biere/ });
  const { headers } = await carla.get(download.getAttribute("href")!);
  expect(headers["content-disposition"]).toContain("biere.csv");
  await page.press("Account löschen …");
  const dialog = within(await screen.findByRole("dialog", { name: "Account löschen" }));
  await page.user.click(dialog.getByLabelText(/^Meine Biere verschwinden/));
  await page.fill("Zur Sicherheit: dein Benutzername", "carla");
  await page.fill("Dein Passwort", password);
  await page.press("Endgültig löschen");
  await expect.poll(messageText).toContain("Dein Account ist gelöscht.");
  await expect.poll(() => location.pathname).toBe("/");
  expect((await carla.get("/api/beercounter/counters")).status).toBe(401);
});

test("a member who deletes the account disappears from other members' screens", async () => {
  const greta = await app.createMember("greta");
  const page = await openPage(carla, "/beercounter");
  await page.isLive();
  await expect.poll(ranking).toContain("Greta");
  await greta.post("/api/user/delete", { uname: "greta", password, beers: "remove" });
  await expect.poll(ranking).not.toContain("Greta");
});

const ranking = () => screen.queryByRole("region", { name: "Die Säufer" })?.textContent ?? "";
