import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { logIn, openPub, type Pub } from "./pub.ts";

let pub: Pub;
let anna: Page;

beforeAll(async () => {
  pub = await openPub({ withDemo: true });
  anna = await pub.pageOf("anna");
});

afterAll(() => pub.close());

async function openMember(name: string): Promise<void> {
  await anna.goto("/admin");
  await anna.getByLabel("Suchen").fill(name);
  await anna.getByRole("list", { name: "Mitglieder" }).getByRole("button", { name }).click();
  await anna.getByRole("dialog", { name }).waitFor();
}

test("a friend comes by a link, gets a permission, and is out within a second when locked", async () => {
  await anna.getByRole("button", { name: "Menü" }).click();
  await anna.getByRole("navigation", { name: "Seitenleiste" }).getByRole("link", { name: "Verwaltung" }).click();
  await anna.getByRole("link", { name: "Einladungen" }).click();
  await anna.getByRole("button", { name: "Einladen" }).click();
  const dialog = anna.getByRole("dialog", { name: "Einladen" });
  await dialog.getByLabel("Tage gültig").fill("31");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  await dialog.getByText("Gültigkeit in Tagen muss zwischen 1 und 30 liegen.").waitFor();
  await dialog.getByLabel("Tage gültig").fill("3");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  await dialog.getByRole("img", { name: "Einladung als QR-Code" }).waitFor();
  const link = await dialog.locator("[data-link]").innerText();

  const friend = await pub.page();
  await friend.goto(link);
  await friend.getByLabel("Benutzername").fill("ida");
  await friend.getByLabel("Name", { exact: true }).fill("Ida");
  await friend.getByLabel("E-Mail-Adresse").fill("ida@stammtisch.example");
  const password = "Lindenblatt und Hopfen";
  await friend.getByLabel("Passwort", { exact: true }).fill(password);
  await friend.getByLabel("Passwort bestätigen").fill(password);
  await friend.getByRole("button", { name: "Account erstellen" }).click();
  await logIn(friend, "ida", password);
  await friend.waitForURL("**/beercounter");

  await dialog.getByRole("button", { name: "Fertig" }).click();
  await anna.reload();
  const made = anna.getByRole("list", { name: "Einladungen" }).getByRole("listitem").first();
  await made.getByText("aufgebraucht").waitFor();
  await made.getByRole("list", { name: "Damit gekommen" }).getByText("Ida").waitFor();

  await openMember("Ida");
  await anna.getByRole("switch", { name: "Game-Server schalten" }).check();
  await anna.locator("[data-flash=success]").getByText("Berechtigungen gespeichert.").waitFor();
  expect(await anna.getByRole("switch", { name: "Game-Server sehen" }).isChecked()).toBe(true);
  await friend.reload();
  await friend.getByRole("button", { name: "Menü" }).click();
  await friend.getByRole("link", { name: "Game-Server" }).waitFor();

  await anna.getByRole("button", { name: "Sperren …" }).click();
  await anna.getByRole("button", { name: "Sperren", exact: true }).click();
  await anna.getByText("Konto gesperrt.").waitFor();
  await friend.waitForURL("**/login**", { timeout: 1000 });

  await anna.goto("/admin/audit");
  await anna.getByText("Ida: Konto gesperrt.").waitFor();
});

test("an invitation that is taken back lets nobody in", async () => {
  await anna.goto("/admin/invitations");
  await anna.getByRole("button", { name: "Einladen" }).click();
  const dialog = anna.getByRole("dialog", { name: "Einladen" });
  await dialog.getByLabel("Für wie viele?").fill("5");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  await dialog.locator("[data-link]").waitFor();
  await dialog.getByRole("button", { name: "Fertig" }).click();
  const made = anna.getByRole("list", { name: "Einladungen" }).getByRole("listitem").first();
  await made.getByText("noch 5 Plätze").waitFor();
  await made.getByRole("button", { name: "Zurückziehen" }).click();
  await anna.getByRole("dialog").getByRole("button", { name: "Zurückziehen" }).click();
  await made.getByText("zurückgezogen").waitFor();
});

test("a member who cannot read mails gets a new password by a link", async () => {
  await openMember("Hannes");
  await anna.getByRole("button", { name: "Link für neues Passwort" }).click();
  const link = await anna.getByRole("dialog").locator("[data-link]").innerText();
  const hannes = await pub.page();
  await hannes.goto(link);
  await hannes.getByLabel("Neues Passwort").fill("Abendrot und Hopfen");
  await hannes.getByLabel("Passwort bestätigen").fill("Abendrot und Hopfen");
  await hannes.getByRole("button", { name: "Passwort speichern" }).click();
  await logIn(hannes, "hannes", "Abendrot und Hopfen");
  await hannes.waitForURL("**/beercounter");
});

test("nobody takes the last Verwaltung away, and nobody else gets in", async () => {
  await openMember("Anna");
  await anna.getByRole("switch", { name: "Verwaltung" }).uncheck();
  await anna.locator("[data-flash=error]").getByText("Dann hätte niemand mehr die Verwaltung.").waitFor();
  expect(await anna.getByRole("switch", { name: "Verwaltung" }).isChecked()).toBe(true);
  const ben = await pub.pageOf("ben");
  await ben.getByRole("button", { name: "Menü" }).click();
  expect(await ben.getByRole("link", { name: "Verwaltung" }).count()).toBe(0);
  await ben.goto("/admin/invitations");
  await ben.getByRole("heading", { name: "Nope." }).waitFor();
});
