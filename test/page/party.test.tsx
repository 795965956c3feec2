import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import { hours } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { counts, messageText, openDialogs, openPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await app.rememberSessions();
});

const drink = (client: Client) => client.post("/api/beercounter/counters");
const startParty = async (client: Client, name = "Grillen bei Ben"): Promise<number> =>
  (await client.post("/api/parties", { name })).json.id;
const title = (name: string) => screen.findByRole("heading", { level: 1, name });
const bars = (card: string) =>
  within(screen.getByRole("region", { name: card }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent.trim());

test("a member starts a party on the counter, shares its link, renames and ends it, and its recap stays available", async () => {
  const page = await openPage(ben, "/party");
  await page.isLive();
  await screen.findByText(/^Noch keine Party\./);
  await page.press("Party starten");
  await page.fill("Name", "Grillen bei Ben");
  await page.press("Starten");
  await title("Bier-Counter: Grillen bei Ben");
  await drink(ben);
  await expect.poll(counts).toEqual({ "party-group": "1", "party-own": "1", group: "1" });
  await screen.findByText("Läuft seit 20:30 Uhr, gestartet von Ben. 1 Bier.");
  await page.press("Einladen");
  await screen.findByText(/^http:\/\/localhost:3000\/party\/1#token=/);
  await screen.findByRole("img", { name: "Party als QR-Code" });
  screen.getByText(/^„localhost“ erreicht nur dieses Gerät/);
  await page.press("Fertig");
  await page.press("Mehr");
  await page.press("Umbenennen");
  const dialog = screen.getByRole("dialog", { name: "Party umbenennen" });
  within(dialog).getByText("15/60");
  await page.fill("Name", "Grillen im Garten", dialog);
  within(dialog).getByText("17/60");
  await page.press("Umbenennen", dialog);
  await title("Bier-Counter: Grillen im Garten");

  app.clock.time += hours(1.5);
  await page.press("Mehr");
  await page.press("Party beenden");
  await page.press("Party beenden", await screen.findByRole("dialog", { name: "Party beenden" }));
  await screen.findByText("Die Party ist vorbei.");
  await title("Bier-Counter");
  await page.press("So war der Abend");
  const story = await screen.findByRole("dialog", { name: "So war der Abend: Grillen im Garten" });
  await page.press("Weiter", story);
  await within(story).findByText("ab 20:00 Uhr: 1 Bier");
  await page.press("Weiter", story);
  await within(story).findByText("Das einzige Bier");
  within(story).getByText("20:30 Uhr");
  await page.press("Schließen", story);

  await page.router.navigate({ to: "/party" });
  await page.user.click(await screen.findByRole("link", { name: /Grillen im Garten.*1 Person, 1 Bier/ }));
  await screen.findByText("20. November 2026, 20:30 bis 22:00 Uhr (1 Std. 30 Min.)");
  await screen.findByText("1 Person, gestartet von Ben.");
  await page.press(/^So war der Abend/);
  await page.press("Schließen", await screen.findByRole("dialog", { name: "So war der Abend: Grillen im Garten" }));
  await page.press("Löschen");
  await page.press("Löschen", await screen.findByRole("dialog", { name: "Party löschen" }));
  await screen.findByText(/^Noch keine Party\./);
});

test("a member who is told of a party joins it only on request, and then sees it live", async () => {
  const page = await openPage(anna, "/game-servers");
  await page.isLive();
  const id = await startParty(ben);
  await expect.poll(messageText).toContain("Ben startet die Party „Grillen bei Ben“.");
  await page.user.click(screen.getByRole("link", { name: "Ben startet die Party „Grillen bei Ben“." }));
  await title("Grillen bei Ben");
  await expect.poll(messageText).toBe("");
  await screen.findByText("Du bist nicht dabei.");
  await page.press("Dabei sein");
  await title("Bier-Counter: Grillen bei Ben");
  expect(location.pathname).toBe("/beercounter");
  expect(openDialogs()).toEqual([]);
  await drink(ben);
  await expect.poll(counts).toEqual({ "party-group": "1", "party-own": "0", group: "1" });
  await expect
    .poll(() => bars("Die Säufer des Abends"))
    .toEqual([expect.stringContaining("Ben"), expect.stringContaining("Anna")]);
  await ben.delete(`/api/parties/${id}/members`);
  await expect.poll(counts).toEqual({ "party-group": "0", "party-own": "0", group: "1" });

  await page.press("Grillen bei Ben");
  await page.press("Heimgehen");
  await page.press("Doch nicht dabei", await screen.findByRole("dialog", { name: "Heimgehen?" }));
  await title("Bier-Counter");
  await page.user.click(await screen.findByRole("link", { name: "Grillen bei Ben läuft" }));
  await screen.findByText("Du bist nicht dabei.");
  await ben.post(`/api/parties/${id}/end`);
  await screen.findByText("Du warst nicht dabei.");
  await screen.findByText("20. November 2026, 20:30 bis 20:30 Uhr (1 Min.)");
  await ben.delete(`/api/parties/${id}`);
  await screen.findByText("Diese Party gibt es nicht mehr.");
});

test("changes of a party during a lost connection are shown after reconnecting", async () => {
  const id = await startParty(ben);
  const page = await openPage(anna, `/party/${id}`);
  await page.isLive();
  await screen.findByText("1 Person, gestartet von Ben.");
  page.interrupt();
  await anna.post(`/api/parties/${id}/members`);
  await title("Bier-Counter: Grillen bei Ben");
  page.interrupt();
  await ben.post(`/api/parties/${id}/end`);
  await title("Bier-Counter");
});

test("a party's page opens the counter with the party's sheet for its members, and the recap after its end", async () => {
  const id = await startParty(ben);
  await drink(ben);
  const page = await openPage(ben, `/party/${id}`);
  await title("Bier-Counter: Grillen bei Ben");
  within(await screen.findByRole("dialog", { name: "Grillen bei Ben" })).getByText(/^Läuft seit 20:30 Uhr/);
  page.close();
  app.clock.time += hours(1);
  await ben.post(`/api/parties/${id}/end`);
  await openPage(ben, `/party/${id}`, { inSameBrowser: true });
  await screen.findByRole("button", { name: /^So war der Abend/ });
  expect(location.pathname).toBe(`/party/${id}`);
});

test("A visitor who scans a party's QR code gets to the party after the login", async () => {
  const id = await startParty(ben);
  const page = await openPage(app.createClient(), `/party/${id}`);
  await page.fill("Benutzername", "anna");
  await page.fill("Passwort", password);
  await page.press("Login", screen.getByRole("main"));
  await title("Grillen bei Ben");
  await screen.findByRole("button", { name: "Dabei sein" });
});

test("A party started by a hidden member is announced without the member's name and has no ranking", async () => {
  await ben.post("/api/user/presence", { visibility: "hidden" });
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await startParty(ben);
  await expect.poll(messageText).toContain("Die Party „Grillen bei Ben“ beginnt.");
  await drink(ben);
  await page.user.click(screen.getByRole("link", { name: "Die Party „Grillen bei Ben“ beginnt." }));
  await screen.findByText("1 Person.");
  await expect.poll(counts).toEqual({ group: "1", own: "0" });
  expect(screen.queryByRole("region", { name: "Die Säufer" })).toBeNull();
});
