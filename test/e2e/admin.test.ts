import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

import { logIn, createE2eApp, type E2eApp, waitForSubscription } from "./e2e-app.ts";

let app: E2eApp;
let anna: Page;

beforeAll(async () => {
  app = await createE2eApp({ withDemo: true });
  anna = await app.loggedInPage("anna");
});

afterAll(() => app.close());

async function openMember(name: string): Promise<void> {
  await anna.goto("/admin");
  await anna.getByLabel("Suchen").fill(name);
  await anna.getByRole("list", { name: "Mitglieder" }).getByRole("button", { name }).click();
  await anna.getByRole("dialog", { name }).waitFor();
}

test("a friend comes by a link, gets a permission, and is out at once when locked", async () => {
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

  const friend = await app.newPage();
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
  await anna.locator("[data-flash=success]").getByText("Rechte gespeichert.").waitFor();
  expect(await anna.getByRole("switch", { name: "Game-Server sehen" }).isChecked()).toBe(true);
  await friend.reload();
  await friend.getByRole("button", { name: "Menü" }).click();
  await friend.getByRole("link", { name: "Game-Server" }).waitFor();
  // A page that asks for nothing by itself, so that nothing is on its way when the door closes.
  const live = waitForSubscription(friend);
  await friend.goto("/profile");
  await friend.getByText("Dieses Gerät").waitFor();
  await live;

  await anna.getByRole("button", { name: "Sperren …" }).click();
  await anna.getByRole("button", { name: "Sperren", exact: true }).click();
  await anna.getByText("Account gesperrt.").waitFor();
  await friend.waitForURL("**/login**");

  await anna.goto("/admin/audit");
  await anna.getByText("Ida: Account gesperrt.").waitFor();
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
  const hannes = await app.newPage();
  await hannes.goto(link);
  await hannes.getByLabel("Neues Passwort").fill("Abendrot und Hopfen");
  await hannes.getByLabel("Passwort bestätigen").fill("Abendrot und Hopfen");
  await hannes.getByRole("button", { name: "Passwort speichern" }).click();
  await logIn(hannes, "hannes", "Abendrot und Hopfen");
  await hannes.waitForURL("**/beercounter");
});

test("a name is corrected, a picture removed, and false beers are taken back", async () => {
  await openMember("Carla");
  const dialog = anna.getByRole("dialog", { name: "Carla" });
  const correct = () => dialog.getByRole("button", { name: "Berichtigen …" }).click();
  await correct();
  await dialog.getByRole("button", { name: "Profilbild entfernen …" }).click();
  await dialog.getByRole("button", { name: "Entfernen", exact: true }).click();
  await anna.getByText("Profilbild entfernt.").waitFor();
  await correct();
  expect(await dialog.getByRole("button", { name: "Profilbild entfernen …" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Biere zurücknehmen …" }).click();
  await dialog.getByRole("checkbox", { name: "Alle" }).check();
  const count = (await dialog.getByRole("checkbox").count()) - 1;
  await dialog.getByRole("button", { name: "Entfernen", exact: true }).click();
  await anna.getByText(`${count} Biere zurückgenommen.`).waitFor();
  await correct();
  await dialog.getByLabel("Name", { exact: true }).fill("Carlotta");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await anna.getByRole("dialog", { name: "Carlotta" }).waitFor();
});

test("the question names what ends with an administrator: when locking, when taking the permission away, and when deleting the own account", async () => {
  const ben = await app.loggedInPage("ben");
  await openMember("Ben");
  const dialog = anna.getByRole("dialog", { name: "Ben" });
  await dialog.getByRole("switch", { name: "Verwaltung" }).check();
  await anna.locator("[data-flash=success]").getByText("Rechte gespeichert.").waitFor();
  await dialog.getByRole("button", { name: "Sperren …" }).click();
  await dialog.getByText("Ben fliegt überall sofort raus").waitFor();
  expect(await dialog.getByText("Damit end").count()).toBe(0);
  await dialog.getByRole("button", { name: "Abbrechen" }).click();

  await ben.evaluate(async () => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!);
    const headers = { "x-xsrf-token": token, "content-type": "application/json" };
    const make = (path: string, body: object) =>
      fetch(`/api/admin/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    await make("invitations", {});
    await make("invitations", {});
    await make("tv", { name: "Keller" });
  });
  await ben.goto("/profile");
  await ben.getByRole("button", { name: "Account löschen …" }).click();
  await ben.getByText("Damit enden auch 2 Einladungen und 1 Fernseher-Link von dir.").waitFor();

  await dialog.getByRole("button", { name: "Sperren …" }).click();
  await dialog.getByText("Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben.").waitFor();
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await dialog.getByRole("switch", { name: "Verwaltung" }).click();
  await dialog.getByText("Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben.").waitFor();
  await dialog.getByRole("button", { name: "Entziehen" }).click();
  await expect.poll(() => dialog.getByRole("switch", { name: "Verwaltung" }).isChecked()).toBe(false);
});

test("nobody takes the last Verwaltung away, and nobody else gets in", async () => {
  await openMember("Anna");
  await anna.getByRole("switch", { name: "Verwaltung" }).click();
  await anna.getByRole("button", { name: "Entziehen" }).click();
  await anna.locator("[data-flash=error]").getByText("Dann hätte niemand mehr die Verwaltung.").waitFor();
  await anna.getByRole("dialog").getByRole("button", { name: "Abbrechen" }).click();
  await expect.poll(() => anna.getByRole("switch", { name: "Verwaltung" }).isChecked()).toBe(true);
  const ben = await app.loggedInPage("ben");
  await ben.getByRole("button", { name: "Menü" }).click();
  expect(await ben.getByRole("link", { name: "Verwaltung" }).count()).toBe(0);
  await ben.goto("/admin/invitations");
  await ben.getByRole("heading", { name: "Nope." }).waitFor();
});

async function picture(name: string, background: string) {
  const side = { width: 60, height: 60, channels: 3 as const };
  return {
    name,
    mimeType: "image/png",
    buffer: await sharp({ create: { ...side, background } })
      .png()
      .toBuffer(),
  };
}

test("pictures that are picked together hang behind their doors, and every member gets theirs", async () => {
  await anna.goto("/admin/calendar");
  const year = new Date().getFullYear() - 1;
  const years = anna.getByRole("navigation", { name: "Jahre" });
  await years.getByRole("button", { name: String(year) }).click();
  // Until its doors are there, those of the other year stay.
  await years.locator("[aria-current]", { hasText: String(year) }).waitFor();
  const doors = anna.getByRole("list", { name: "Türchen" });
  await anna.getByText("Alle 24 Türchen sind voll.").waitFor();
  for (const door of [1, 3]) {
    await doors.getByRole("button", { name: new RegExp(`^Türchen ${door}(,|$)`) }).click();
    await anna.getByRole("button", { name: "Bild abhängen" }).click();
    await doors.getByRole("button", { name: `Türchen ${door}, leer` }).waitFor();
  }

  const broken = { name: "kaputt.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  const files = [await picture("oma.png", "#00ff00"), await picture("tuer-2.png", "#ff0000"), broken];
  await anna.getByLabel("Bilder für den Kalender").setInputFiles(files);
  await anna.getByText("2 von 3 Bildern hängen.").waitFor();
  await anna.getByText("kaputt.png: Bild muss den Dateityp").waitFor();
  await anna.getByRole("button", { name: "Verstanden" }).click();
  await anna.getByText("23 von 24 Türchen sind voll.").waitFor();
  await doors.getByRole("button", { name: "Türchen 1, leer" }).waitFor();

  const ben = await app.loggedInPage("ben");
  const opened = await ben.evaluate(async (path) => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!);
    const answer = await fetch(path, { method: "POST", headers: { "x-xsrf-token": token } });
    const { url } = (await answer.json()) as { url: string };
    return [...new Uint8Array(await (await fetch(url)).arrayBuffer())];
  }, `/api/christmas-calendar/open/${year}-12-02`);
  const { dominant } = await sharp(Buffer.from(opened)).stats();
  expect([dominant.r > 200, dominant.g < 60, dominant.b < 60]).toEqual([true, true, true]);
});

test("the group gets another name and its links, on everybody's page", async () => {
  await anna.goto("/admin/group");
  const form = anna.getByRole("form", { name: "Gruppe" });
  await form.getByLabel("Name der Gruppe").fill("Die Runde");
  await form.getByRole("button", { name: "Link hinzufügen" }).click();
  await form.getByLabel("Text").fill("Impressum");
  await form.getByLabel("Adresse").fill("javascript:alert(1)");
  await form.getByRole("button", { name: "Speichern" }).click();
  await form.getByText("Eine Adresse beginnt mit https://").waitFor();
  await form.getByLabel("Adresse").fill("https://stammtisch.example/impressum");
  await form.getByRole("button", { name: "Speichern" }).click();
  await expect.poll(() => anna.title()).toBe("Gruppe – Die Runde");

  const stranger = await app.newPage();
  await stranger.goto("/login");
  await stranger.getByRole("contentinfo").getByRole("link", { name: "Impressum" }).waitFor();
  await expect.poll(() => stranger.title()).toBe("Login – Die Runde");
});

test("game servers get another name and place, and the members see it", async () => {
  await anna.goto("/admin/game-servers");
  const list = anna.getByRole("list", { name: "Game-Server" });
  const names = () => list.getByRole("listitem").locator("strong").allInnerTexts();
  await list.getByRole("listitem").first().waitFor();
  const [first, second] = await names();
  await list.getByRole("button", { name: `${first} nach unten` }).click();
  await expect.poll(async () => (await names()).slice(0, 2)).toEqual([second, first]);
  await list.getByRole("button", { name: `Bearbeiten: ${second}` }).click();
  const dialog = anna.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Kegelbahn");
  await dialog.getByLabel("Adresse").fill("nur ein Name");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await dialog.getByText("Der gewählte Wert für Adresse ist ungültig.").waitFor();
  await dialog.getByLabel("Adresse").fill("spiel.stammtisch.example:25565");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(names).toContain("Kegelbahn");
  await list.getByRole("button", { name: "Verbindung testen: Kegelbahn" }).click();
  await anna.locator("[data-flash]").waitFor();

  const carla = await app.loggedInPage("carla", { path: "/game-servers" });
  await carla.getByRole("main").getByRole("heading", { level: 2 }).first().waitFor();
  const shown = await carla.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts();
  expect([shown[0], shown.includes(first!)]).toEqual(["Kegelbahn", true]);
});
