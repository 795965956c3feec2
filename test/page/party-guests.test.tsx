import { screen, within } from "@testing-library/dom";
import * as databases from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";

import { hours } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { otherPage } from "#test/other-page.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { allAnswered, counts, messageText, openPage } from "./open-page.tsx";

// Of no use without `indexedDB`, so they may stay.
const { indexedDB: _, ...classes } = databases;
Object.assign(globalThis, classes);

let app: TestApp;
let anna: Client;
let ben: Client;
let id: number;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await app.rememberSessions();
  id = (await ben.post("/api/parties", { name: "Grillen bei Ben" })).json.id;
  await anna.post(`/api/parties/${id}/members`, {});
  // A tap that arrives late must not seem older than the party.
  app.clock.time += hours(1);
});

const guests = () =>
  screen
    .queryAllByRole("list", { name: "Gäste" })
    .flatMap((list) => within(list).getAllByRole("listitem"))
    .map(({ textContent }) => textContent);
async function openSheet(client: Client, options = {}) {
  const page = await openPage(client, "/beercounter", options);
  await page.press("Grillen bei Ben");
  await screen.findByRole("button", { name: "Gast dazuholen" });
  return page;
}
const ranking = () =>
  within(screen.getByRole("region", { name: "Die Säufer des Abends" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent.trim());

test("a member adds a party guest after the guest's consent and counts the guest's beers, but not for the group", async () => {
  const page = await openSheet(ben);
  await page.isLive();
  await page.press("Gast dazuholen");
  const dialog = screen.getByRole("dialog", { name: "Gast dazuholen" });
  await page.fill("Vorname", "Mia", dialog);
  await page.press("Dazuholen", dialog);
  await within(dialog).findByText("Bitte setz hier den Haken.");
  await page.user.click(within(dialog).getByRole("checkbox"));
  await page.press("Dazuholen", dialog);
  await expect.poll(guests).toEqual([expect.stringContaining("dein Gast")]);

  expect(screen.getByRole("button", { name: "Letztes Bier von Mia zurücknehmen" })).toHaveProperty("disabled", true);
  await page.press("Einladen");
  await screen.findByRole("img", { name: "Party als QR-Code" });
  await page.press("Fertig");
  await page.press("Ein Bier für Mia");
  await page.press("Ein Bier für Mia");
  await expect.poll(guests).toEqual([expect.stringContaining("2 Biere")]);
  await expect.poll(counts).toEqual({ "party-group": "2", "party-own": "0", group: "0" });
  screen.getByText("0 und 2 von Gästen");
  await page.press("Letztes Bier von Mia zurücknehmen");
  await expect.poll(guests).toEqual([expect.stringContaining("1 Bier")]);
  await expect.poll(counts).toEqual({ "party-group": "1", "party-own": "0", group: "0" });
  await expect.poll(ranking).toContain("Mia 1 Gast von Ben");
  expect((await ben.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 0, userCounterVal: 0 });
});

test("members see another member's party guest live but without buttons, until the party ends", async () => {
  const guest = (await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
  const page = await openSheet(anna);
  await page.isLive();
  await screen.findByText("Gast von Ben");
  expect(screen.queryByRole("button", { name: "Ein Bier für Mia" })).toBeNull();
  app.clock.time += hours(0.1);
  await ben.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": "first-beer" });
  await expect.poll(guests).toEqual([expect.stringContaining("1 Bier")]);
  app.clock.time += hours(1);
  await ben.post(`/api/parties/${id}/end`);
  await page.press("So war der Abend");
  await screen.findByText("20. November 2026, 2 Mitglieder und 1 Gast");
  expect(screen.queryByText("Mia")).toBeNull();
  await page.press("Schließen");
  await page.router.navigate({ to: "/party/$id", params: { id } });
  await screen.findByText("2 Mitglieder und 1 Gast, gestartet von Ben.");
  expect(screen.queryByText("Mia")).toBeNull();
  await expect.poll(counts).toEqual({ group: "1", own: "0" });
});

test("adding a party guest with a taken name shows an error at the field and keeps the input", async () => {
  await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  const page = await openSheet(ben);
  await page.press("Gast dazuholen");
  const dialog = screen.getByRole("dialog", { name: "Gast dazuholen" });
  await page.fill("Vorname", "mia", dialog);
  await page.user.click(within(dialog).getByRole("checkbox"));
  await page.press("Dazuholen", dialog);
  await within(dialog).findByText("Ein Gast mit diesem Namen ist schon dabei.");
  expect(within(dialog).getByRole("textbox", { name: "Vorname" })).toHaveProperty("value", "mia");
  expect(within(dialog).getByRole("checkbox")).toHaveProperty("checked", true);
});

test("a member removes a party guest after a confirmation", async () => {
  await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  const page = await openSheet(ben);
  await page.press("Mia entfernen");
  await page.press("Entfernen", await screen.findByRole("dialog", { name: "Gast entfernen" }));
  await expect.poll(guests).toEqual([]);
});

test("a party guest's beer tapped offline is booked once after reconnecting", async () => {
  await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  const page = await openSheet(ben);
  await page.isLive();
  await screen.findByRole("button", { name: "Ein Bier für Mia" });
  const lost = vi.spyOn(ben, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now(), shouldAdvanceTime: true });
  await page.press("Ein Bier für Mia");
  await expect.poll(guests).toEqual([expect.stringMatching(/1 Bier noch ohne Empfang/)]);
  app.clock.time += hours(0.1);
  lost.mockRestore();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(guests).toEqual([expect.stringMatching(/dein Gast.*1 Bier$/)]);
  expect((await ben.get(`/api/parties/${id}`)).json.total).toBe(1);
});

test("a party guest's beer that was counted offline is booked once by the next opened page, and can be undone", async () => {
  vi.stubGlobal("indexedDB", new databases.IDBFactory());
  await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  const total = async () => (await ben.get(`/api/parties/${id}`)).json.total;
  const page = await openSheet(ben);
  await page.isLive();
  const lost = vi.spyOn(ben, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await page.press("Ein Bier für Mia");
  await expect.poll(guests).toEqual([expect.stringMatching(/1 Bier noch ohne Empfang/)]);
  page.close();
  lost.mockRestore();
  expect(await total()).toBe(0);

  await openPage(ben, otherPage.path, { inSameBrowser: true });
  await expect.poll(total).toBe(1);
  const next = await openSheet(ben, { inSameBrowser: true });
  await next.press("Letztes Bier von Mia zurücknehmen");
  await expect.poll(total).toBe(0);
});

test("a beer for a removed party guest is refused with an explanation", async () => {
  const guest = (await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
  const page = await openSheet(ben);
  await page.isLive();
  await allAnswered();
  const button = await screen.findByRole("button", { name: "Ein Bier für Mia" });
  await app.db.deleteFrom("party_guests").where("id", "=", guest).execute();
  await page.user.click(button);
  await expect.poll(messageText).toContain("Das Bier zählt nicht. Diesen Gast gibt es nicht mehr.");
  await expect.poll(guests).toEqual([]);
});
