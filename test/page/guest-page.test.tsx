import { screen, within } from "@testing-library/dom";
import * as databases from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";

import { hours } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { counts, messageText, openPage, pageText, type OpenPage } from "./open-page.tsx";

// Of no use without `indexedDB`, so they may stay.
const { indexedDB: _, ...classes } = databases;
Object.assign(globalThis, classes);

let app: TestApp;
let ben: Client;
let phone: Client;
let party: number;
let path: string;
beforeEach(async () => {
  app = await createTestApp();
  ben = await app.createMember("ben");
  await app.createMember("anna");
  await app.rememberSessions();
  phone = app.createClient();
  party = (await ben.post("/api/parties", { name: "Grillen bei Ben" })).json.id;
  const { secret } = (await ben.post(`/api/parties/${party}/guest-link`)).json;
  // A tap that arrives late must not seem older than the party.
  app.clock.time += hours(1);
  path = `/party/${party}#token=${secret}`;
});

async function join(name = "Mia"): Promise<OpenPage> {
  const page = await openPage(phone, path);
  await screen.findByRole("heading", { name: "Grillen bei Ben" });
  await page.fill("Vorname", name);
  await page.user.click(screen.getByRole("checkbox"));
  await page.press("Dabei sein");
  await screen.findByRole("button", { name: "Bier trinken" });
  return page;
}

const show = async () => (await ben.get(`/api/parties/${party}`)).json;
const endParty = async () => {
  app.clock.time += hours(1);
  await ben.post(`/api/parties/${party}/end`);
};

test("a stranger with a party's QR code counts beers after a first name, and learns nothing else of the group", async () => {
  const page = await openPage(phone, path);
  await screen.findByText("Ben lädt dich ein.");
  await page.press("Dabei sein");
  await screen.findByText("Vorname muss ausgefüllt werden.");
  await screen.findByText("Bitte setz hier den Haken.");
  await page.fill("Vorname", "Mia");
  await page.user.click(screen.getByRole("checkbox"));
  await page.press("Dabei sein");
  await screen.findByText("Am Tisch: du und Ben.");
  expect(location.pathname + location.hash).toBe(`/guest/${party}`);
  await page.press("Bier trinken");
  await page.press("Bier trinken");
  await expect.poll(counts).toEqual({ group: "2", own: "2" });
  await expect.poll(async () => (await show()).total).toBe(2);
  screen.getByText("0 und 2 von Gästen");
  await page.press("Letztes Bier zurücknehmen");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await expect.poll(async () => (await show()).total).toBe(1);
  expect(pageText()).not.toContain("Anna");
});

test("a guest's beer tapped without a connection waits, survives a reload and is booked once", async () => {
  vi.stubGlobal("indexedDB", new databases.IDBFactory());
  const page = await join();
  const lost = vi.spyOn(phone, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await page.press("Bier trinken");
  await page.press("Bier trinken");
  await screen.findByText("2 Biere warten auf Empfang. Lass die Seite offen!");
  await openPage(phone, `/guest/${party}`, { inSameBrowser: true });
  await screen.findByText("2 Biere warten auf Empfang. Lass die Seite offen!");
  expect(counts()).toEqual({ group: "2", own: "2" });
  lost.mockRestore();
  await openPage(phone, `/guest/${party}`, { inSameBrowser: true });
  await expect.poll(async () => (await show()).total).toBe(2);
  await expect.poll(() => screen.queryByText(/warten auf Empfang/)).toBeNull();
  expect(counts()).toEqual({ group: "2", own: "2" });
});

test("a guest's beer drunk after the end of the party is refused with words", async () => {
  const page = await join();
  await endParty();
  await page.press("Bier trinken");
  await screen.findByText("1 Bier zählt nicht. Diese Party ist schon vorbei.");
  await page.press("Verstanden");
  await expect.poll(() => screen.queryByText(/zählt nicht/)).toBeNull();
  await screen.findByText("Die Party ist vorbei.");
  expect(counts()).toEqual({ group: "0", own: "0" });
});

test("a removed guest is told, and a guest can leave", async () => {
  const page = await join();
  await page.press("Doch nicht dabei");
  await page.press("Löschen", screen.getByRole("dialog"));
  await screen.findByText("Du bist nicht mehr dabei.");
  expect((await show()).guest_count).toBe(0);
  await join("Noah");
  const [{ id }] = (await show()).guests;
  await ben.delete(`/api/party-guests/${id}`);
  await openPage(phone, `/party/${party}`, { inSameBrowser: true });
  await screen.findByText("Du bist nicht mehr dabei.");
});

test("a QR code that was switched off says so, and a link without a code leads to the login", async () => {
  await ben.post(`/api/parties/${party}/guest-access`, { is_open: false });
  await openPage(phone, path);
  await screen.findByText("Dieser QR-Code gilt nicht mehr. Frag am Tisch nach einem neuen.");
  expect(screen.getByRole("link", { name: "Du bist Mitglied? Zum Login" }).getAttribute("href")).toBe(
    `/login?redirectedFrom=/party/${party}`,
  );
  await openPage(phone, `/party/${party}`);
  await screen.findByRole("heading", { name: "Login" });
});

test("a member who opens the QR code sees the party", async () => {
  await openPage(ben, path);
  await screen.findByRole("button", { name: "Einladen" });
});

test("after the party a guest asks to keep the beers, the starter says yes, and the guest registers", async () => {
  const page = await join();
  await page.press("Bier trinken");
  await expect.poll(async () => (await show()).total).toBe(1);
  await endParty();
  const morning = await openPage(phone, `/party/${party}`, { inSameBrowser: true });
  await screen.findByRole("heading", { name: "Behalte deine Striche" });
  await morning.press("Anfrage senden");
  await screen.findByText(/^Gefragt! Das Ja steht dann auf dieser Seite\./);
  const kept = { ...localStorage };

  const bens = await openPage(ben, "/beercounter");
  await bens.user.click(await screen.findByRole("link", { name: "Mia möchte Mitglied werden." }));
  await bens.press("Mia einladen");
  await expect.poll(messageText).toContain("Mia kann sich jetzt einen Account anlegen.");
  await expect.poll(() => screen.queryByText("Möchten Mitglied werden")).toBeNull();

  bens.close();
  localStorage.clear();
  Object.assign(localStorage, kept);
  const guests = await openPage(phone, `/guest/${party}`, { inSameBrowser: true });
  await guests.user.click(await screen.findByRole("link", { name: "Account erstellen" }));
  await screen.findByText("Ben lädt dich zu „Stammtisch“ ein.");
  await expect.poll(() => screen.getByLabelText("Name")).toHaveProperty("value", "Mia");
  await guests.registerIda();
  await screen.findByRole("heading", { name: "Login" });
  expect((await ben.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(1);
  expect(await show()).toMatchObject({ total: 1, guest_total: 0, users: [{ name: "Ida" }, { name: "Ben" }] });
});

test("the starter switches guests by QR code off where the code is shown", async () => {
  const page = await openPage(ben, `/party/${party}`);
  await page.isLive();
  await page.press("Einladen");
  const dialog = screen.getByRole("dialog", { name: "Einladen" });
  await within(dialog).findByText(new RegExp(`/party/${party}#token=[\\w-]{43}$`));
  await page.user.click(within(dialog).getByRole("switch", { name: "Gäste per QR-Code" }));
  await within(dialog).findByText(new RegExp(`/party/${party}$`));
  expect((await show()).is_open_to_guests).toBe(false);
});
