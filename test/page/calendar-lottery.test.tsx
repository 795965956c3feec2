import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { dealFreeDoors } from "#server/features/calendar/lottery-actions.ts";
import type { Client } from "#test/client.ts";
import { fixtures } from "#test/fixtures.ts";
import { otherPage } from "#test/other-page.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { messageText, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T17:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  await app.rememberSessions();
});

const assign = (userId: number, ...dates: string[]) =>
  app.db
    .insertInto("calendar_assignments")
    .values(dates.map((date) => ({ date, user_id: userId })))
    .execute();
const ownLive = "#server-to-user-2";

test("An empty calendar door opens to a drawing that names the member who is late, until the member uploads a picture", async () => {
  await assign(2, "2026-12-05");
  const page = await openPage(anna, "/christmas-calendar");
  await page.isLive();
  await expect.poll(() => screen.queryAllByRole("button", { name: /Memechen Nr\./ }).length).toBe(24);
  await page.press(/^5\s*Memechen Nr\.$/);
  const drawing = await screen.findByAltText<HTMLImageElement>("Zeichnung: Ben war zu langsam");
  expect((await anna.get(new URL(drawing.src).pathname)).status).toBe(200);
  await page.isLive("private-christmas-calendar");
  const form = multipartForm(fixtures.png, { field: "picture" });
  expect((await sendForm(ben, form, {}, "/api/christmas-calendar/own-doors/2026-12-05")).status).toBe(201);
  await screen.findByAltText("Bild vom 5. Dezember");
});

test("A member whose empty calendar door is already open reads that a picture can still be uploaded", async () => {
  await assign(2, "2026-12-05");
  const page = await openPage(ben, "/christmas-calendar");
  await page.press("Türchen 5 wartet auf ein Bild von dir.");
  await screen.findByText(/schon offen, noch kein Bild/);
  expect(screen.queryByRole("button", { name: "Türchen 5 tauschen" })).toBeNull();
});

test("Two members swap calendar doors: one offers a door, the other picks one, and both see their new doors", async () => {
  await assign(1, "2026-12-07");
  await assign(2, "2026-12-12", "2026-12-20");
  let page = await openPage(anna, "/christmas-calendar");
  await page.press("Türchen 7 wartet auf ein Bild von dir.");
  await page.press("Türchen 7 tauschen");
  const dialog = screen.getByRole("dialog", { name: "Türchen 7 tauschen" });
  await within(dialog).findByRole("option", { name: "Ben" });
  await page.press("Fragen", dialog);
  await expect.poll(messageText).toBe("Ben ist gefragt.");
  await page.press("Angebot für Türchen 7 zurückziehen");
  await expect.poll(messageText).toBe("Das Angebot ist zurückgezogen.");
  await page.press("Türchen 7 tauschen");
  await page.press("Fragen", screen.getByRole("dialog", { name: "Türchen 7 tauschen" }));
  await screen.findByRole("button", { name: "Angebot für Türchen 7 zurückziehen" });

  page = await openPage(ben, "/christmas-calendar");
  await page.press("Anna möchte mit dir tauschen.");
  await page.press("Türchen 20 gegen Türchen 7 tauschen");
  await expect.poll(messageText).toBe("Anna tauscht mit dir: Du füllst jetzt Türchen 7 statt 20.");
  await screen.findByLabelText("Bild für Türchen 7");
  expect(screen.queryByLabelText("Bild für Türchen 20")).toBeNull();
});

test("An offer to swap calendar doors appears on every open page and can be declined", async () => {
  await assign(1, "2026-12-07");
  await assign(2, "2026-12-12");
  const page = await openPage(ben, otherPage.path);
  await page.isLive(ownLive);
  await anna.post("/api/christmas-calendar/swaps", { date: "2026-12-07", member_id: 2 });
  await expect.poll(messageText).toBe("Anna möchte Türchen 7 mit einem von deinen tauschen.");
  await page.press("Ansehen");
  await page.press("Anna möchte mit dir tauschen.");
  await page.press("Lieber nicht");
  await expect.poll(messageText).toBe("Alles bleibt, wie es ist.");
  await expect.poll(() => screen.queryByRole("region", { name: "Tausch mit Anna" })).toBeNull();
});

test("A member sees newly assigned calendar doors once, and the counter lists the doors until they have pictures", async () => {
  await dealFreeDoors(app.context, 2026, null);
  await app.db.updateTable("calendar_assignments").set({ user_id: 1 }).where("date", ">", "2026-12-07").execute();
  await app.db
    .updateTable("calendar_assignments")
    .set({ user_id: 2 })
    .where("date", "in", ["2026-12-06", "2026-12-07", "2026-12-24"])
    .execute();
  await ben.post("/api/christmas-calendar/open/2026-12-05");
  let page = await openPage(ben, "/beercounter");
  const card = await screen.findByRole("region", { name: "Türchen gezogen" });
  expect(card.textContent).toContain("Du hast 6, 7 und 24 gezogen!");
  await page.press("Schließen", card);
  expect(screen.queryByRole("region", { name: "Türchen gezogen" })).toBeNull();
  await expect.poll(async () => (await ben.get("/api/christmas-calendar/own-doors")).json.drawn).toEqual([]);

  // Cached in this browser, so it appears before the reply.
  page = await openPage(ben, otherPage.path, { inSameBrowser: true });
  await page.user.click((await screen.findAllByRole("link", { name: "Bier-Counter" }))[0]!);
  await page.user.click(await screen.findByRole("link", { name: "Türchen 6, 7 und 24 warten auf deine Bilder." }));
  await screen.findByRole("heading", { level: 1, name: /Weihnachten im/ });
});

test("The counter says that today's door is open until the member opens it on another device, and again after midnight", async () => {
  await assign(2, "2026-12-08");
  const page = await openPage(ben, "/beercounter");
  await screen.findByRole("link", { name: "Türchen 5 ist dran: Mach es auf!" });
  await page.isLive(ownLive);
  await ben.post("/api/christmas-calendar/open/2026-12-05");
  await screen.findByRole("link", { name: "Türchen 8 wartet auf dein Bild." });
  app.clock.time = Date.parse("2026-12-05T23:00:00Z");
  page.interrupt();
  await screen.findByRole("link", { name: "Türchen 6 ist dran: Mach es auf!" });
});

test("The line about today's door appears at midnight on an open counter that has shown no line", async () => {
  await assign(1, "2026-12-06");
  await ben.post("/api/christmas-calendar/open/2026-12-05");
  const page = await openPage(ben, "/beercounter");
  await page.isLive(ownLive);
  await expect.poll(() => localStorage.getItem("stammtisch.mine.own-doors")).toContain('"line":null');
  app.clock.time = Date.parse("2026-12-05T23:00:00Z");
  page.interrupt();
  await screen.findByRole("link", { name: "Türchen 6 ist dran: Mach es auf!" });
});

test("The counter shows no reminder beside a line that already names the member's empty doors", async () => {
  await assign(2, "2026-12-06");
  await ben.post("/api/christmas-calendar/open/2026-12-05");
  await openPage(ben, "/beercounter");
  await screen.findByRole("link", { name: "Türchen 6 wartet auf dein Bild." });
  await vi.waitFor(
    async () => expect((await ben.get("/api/christmas-calendar/own-doors")).json.reminders).toEqual([]),
    { timeout: 10_000 },
  );
  expect(messageText()).toBe("");
});

test("A member who opens the app is reminded once of an empty calendar door that opens tomorrow", async () => {
  await assign(2, "2026-12-06");
  await openPage(ben, otherPage.path);
  await vi.waitFor(() => expect(messageText()).toBe("Türchen 6 braucht noch ein Bild von dir. Es geht morgen auf."), {
    timeout: 10_000,
  });
  await expect.poll(async () => (await ben.get("/api/christmas-calendar/own-doors")).json.reminders).toEqual([]);
});

test("The question about the first lottery closes with a message of success, and no second question opens", async () => {
  const page = await openPage(anna, "/admin/calendar");
  await page.press("Türchen verlosen");
  await page.press("Verlosen", screen.getByRole("dialog", { name: "Türchen verlosen?" }));
  await expect.poll(messageText).toBe("19 Türchen sind verlost.");
  expect(screen.queryByRole("region", { name: "Türchen gezogen" })).toBeNull();
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await screen.findByRole("region", { name: "Türchen gezogen" });
  await screen.findByRole("button", { name: "Neu verlosen" });
});

test("An unsurprised administrator sees who draws which door, and a change after a lottery's preview leads to a new preview", async () => {
  await dealFreeDoors(app.context, 2026, null);
  await app.createUser("mia");
  const page = await openPage(anna, "/admin/calendar");
  await screen.findByText("mia hat noch kein Türchen.");
  await screen.findByText("Verlost am 5. Dezember");
  const { seed } = await app.db.selectFrom("calendar_dealings").select("seed").executeTakeFirstOrThrow();
  expect(pageText()).toContain(seed);
  expect(screen.queryByRole("button", { name: /von Ben$/ })).toBeNull();
  await page.press("Neu verlosen");
  const dialog = screen.getByRole("dialog", { name: "Neu verlosen?" });
  await within(dialog).findByText(/^6 leere Türchen gehen an die, die am wenigsten haben\./);
  await page.press("Abbrechen", dialog);
  await page.user.click(screen.getByRole("switch", { name: "Lass mich überraschen" }));
  await screen.findAllByRole("button", { name: /von Ben$/ });
  await page.press("Neu verlosen");
  const gets = await within(dialog).findByText(/^mia bekommt Türchen \d+, \d+, \d+, \d+, \d+ und \d+$/);
  within(dialog).getByText(/^von (Anna|Ben) [\d, und]+, von (Anna|Ben) [\d, und]+$/);

  const moved = gets.textContent.match(/\d+/)![0].padStart(2, "0");
  const hung = { date: `2026-12-${moved}`, id: "x", screen: fixtures.png, phone: fixtures.png };
  await app.db.insertInto("calendar_pictures").values(hung).execute();
  await page.press("So verlosen", dialog);
  await expect.poll(messageText).toBe("Inzwischen hat sich etwas geändert. Schau dir die neue Vorschau an.");
  const anew = await within(dialog).findByText(/^mia bekommt/);
  await expect.poll(() => within(dialog).getByText(/^mia bekommt/).textContent).not.toBe(gets.textContent);
  expect(anew.textContent).not.toMatch(new RegExp(`\\b${Number(moved)}\\b`));
  await page.press("So verlosen", dialog);
  await expect.poll(messageText).toBe("6 Türchen sind verlost.");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await expect.poll(pageText).not.toContain("mia hat noch kein Türchen.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Neu verlosen" }).disabled).toBe(true);
});
