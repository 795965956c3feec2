import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import type { Manifest } from "#contract/manifest.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { allAnswered, counts, messageText, openPage, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
let page: OpenPage;
beforeEach(async () => {
  app = await createTestApp();
  ben = await app.createMember("ben");
  anna = await app.createMember("anna");
  page = await openPage(anna, "/beercounter");
  await page.isLive();
  const toFake = ["setTimeout", "clearTimeout", "performance", "Date"] as const;
  vi.useFakeTimers({ toFake: [...toFake], now: Date.now(), shouldAdvanceTime: true });
});

const booked = () => app.db.selectFrom("beers").select("id").execute();

test("A member undoes the newest beer, and then the previous one", async () => {
  for (let taps = 0; taps < 3; taps++) await page.press("Bier trinken");
  await expect.poll(counts).toEqual({ group: "3", own: "3" });
  await takeBack();
  await expect.poll(counts).toEqual({ group: "2", own: "2" });
  await expect.poll(messageText).toContain("Ein Bier zurückgenommen.");
  await page.press("Rückgängig");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await expect.poll(booked).toHaveLength(1);
});

test("Undoing a beer that was already removed shows a message, and the counts are right", async () => {
  for (let taps = 0; taps < 2; taps++) await page.press("Bier trinken");
  await expect.poll(counts).toEqual({ group: "2", own: "2" });
  await expect.poll(booked).toHaveLength(2);
  const [last] = (await anna.get("/api/beercounter/beers")).json.beers;
  await passMessage();
  await anna.delete(`/api/beercounter/taps/${last.key}`);
  await page.press("Rückgängig");
  await expect.poll(messageText).toContain("Dieses Bier war schon zurückgenommen.");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await expect.poll(booked).toHaveLength(1);
});

test("Opening the counter requests the counters before everything else", async () => {
  const counters = Promise.withResolvers<void>();
  const send = anna.send.bind(anna);
  const asked: string[] = [];
  vi.spyOn(anna, "send").mockImplementation(async (method, path, options) => {
    // The realtime connection brings the counters too.
    if (path === "/broadcasting/auth") throw new TypeError("Failed to fetch");
    if (/beercounter|part|review|doors/.test(path)) asked.push(path);
    if (path === "/api/beercounter/counters") await counters.promise;
    return send(method, path, options);
  });
  await openPage(anna, "/beercounter");
  await screen.findByRole("button", { name: "Bier trinken" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked).toEqual(["/api/beercounter/counters"]);
  counters.resolve();
  await expect.poll(() => asked).toContain("/api/beercounter/stats/timely");
});

test("A beer that another member undoes disappears from open pages without a message", async () => {
  await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": "a-tap-of-ben" });
  await expect.poll(counts).toEqual({ group: "1", own: "0" });
  await expect.poll(() => bar("Ben")).toContain("1");
  await expect.poll(messageText).toContain("Prost von Ben!");
  await ben.delete("/api/beercounter/taps/a-tap-of-ben");
  await expect.poll(counts).toEqual({ group: "0", own: "0" });
  await expect.poll(() => bar("Ben")).toContain("0");
  expect(messageText()).not.toContain("zurück");
});

test("Another member's beer changes the counts and all charts of an open page without a request", async () => {
  await allAnswered();
  const sent = vi.spyOn(anna, "send");
  await ben.post("/api/beercounter/counters");
  await expect.poll(counts).toEqual({ group: "1", own: "0" });
  await expect.poll(() => bar("Ben")).toContain("1");
  await expect
    .poll(() => screen.getByRole("region", { name: "Der Suff der Woche" }).textContent)
    .toMatch(/Freitag\s*1/);
  await allAnswered();
  expect(sent.mock.calls.filter(([, path]) => path.startsWith("/api/beercounter"))).toEqual([]);
});

test("The counter offers to undo a beer for ten seconds, and the history offers the undo for 15 minutes", async () => {
  await page.press("Bier trinken");
  await passMessage();
  await screen.findByRole("button", { name: "Rückgängig" });
  await vi.advanceTimersByTimeAsync(10_000);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Rückgängig" })).toBeNull());
  await page.press("Verlauf");
  const history = within(await screen.findByRole("dialog", { name: "Verlauf" }));
  await waitFor(() => expect(history.getAllByRole("listitem")).toHaveLength(1));
  await page.press(/^Bier von \d\d:\d\d Uhr entfernen$/);
  await history.findByText("Noch ganz trocken hier.");
  await expect.poll(booked).toEqual([]);
  await page.press("Fertig");
  await expect.poll(counts).toEqual({ group: "0", own: "0" });
});

test("Beers pending for more than a week are discarded with a message, but a booked beer with a lost reply counts", async () => {
  const send = anna.send.bind(anna);
  let tries = 0;
  const offline = vi.spyOn(anna, "send").mockImplementation(async (...request) => {
    if (request[0] === "POST" && request[1].endsWith("/counters") && ++tries === 1) await send(...request);
    throw new TypeError("Failed to fetch");
  });
  for (let taps = 0; taps < 3; taps++) await page.press("Bier trinken");
  await screen.findByText(/3 Biere warten auf Empfang/);
  await allAnswered();
  vi.setSystemTime(Date.now() + 8 * 24 * 3_600_000);
  offline.mockRestore();
  await vi.advanceTimersByTimeAsync(60_000);
  await screen.findByText("2 Biere nicht gebucht: älter als eine Woche.");
  expect(screen.queryByRole("button", { name: "Nochmal versuchen" })).toBeNull();
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  // Beers that were never booked change no counts, even before the reply.
  const offlineAgain = vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await page.press("Verwerfen");
  await expect.poll(messageText).toContain("2 Biere verworfen.");
  expect(document.activeElement?.textContent).toBe("Bier-Counter");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  offlineAgain.mockRestore();
  expect(await booked()).toHaveLength(1);
});

test("A beer undone offline counts again, with the reason, if the undo reaches the server too late", async () => {
  await page.press("Bier trinken");
  await expect.poll(booked).toHaveLength(1);
  const offline = vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await takeBack();
  await expect.poll(counts).toEqual({ group: "0", own: "0" });
  app.clock.time += 16 * 60_000;
  offline.mockRestore();
  const text = "Dein Bier zählt weiter. Zu spät: Ein Bier lässt sich nur 15 Minuten lang zurücknehmen.";
  const nextText = async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return messageText();
  };
  await expect.poll(nextText).toContain(text);
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
});

test("An undo lowers the member's own count even if other members drink at the same time", async () => {
  await page.press("Bier trinken");
  await takeBack();
  const beers = 20;
  for (let tap = 0; tap < beers; tap++)
    await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": `tap-number-${tap}` });
  await expect.poll(counts).toEqual({ group: String(beers), own: "0" });
  await expect.poll(booked).toHaveLength(beers);
});

test("The app shortcut for drinking a beer focuses the tap button and does not book a beer", async () => {
  const { shortcuts } = (await ben.get("/manifest.webmanifest")).json as Manifest;
  page = await openPage(ben, shortcuts.find(({ name }) => name === "Bier trinken")!.url);
  await expect.poll(() => document.activeElement?.textContent).toBe("Bier trinken");
  await expect.poll(counts).toEqual({ group: "0", own: "0" });
  await page.user.keyboard("{Enter}");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
});

test("A member whose session ends during a tap is told that the beer waits for the next login, which books it", async () => {
  await app.db.deleteFrom("sessions").execute();
  await page.press("Bier trinken");
  await screen.findByRole("heading", { name: "Login" });
  await expect.poll(messageText).toContain("Du bist abgemeldet. 1 Bier wartet, bis du dich wieder anmeldest.");
  await expect.poll(booked).toEqual([]);
  await page.logIn("anna", password);
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await expect.poll(booked).toHaveLength(1);
});

/** Undoes the newest beer, after the message with a button of the same name has disappeared. */
async function takeBack(): Promise<void> {
  await passMessage();
  await page.press("Rückgängig");
}

/** Advances the time until the message disappears, once all requests are answered. */
async function passMessage(): Promise<void> {
  await allAnswered();
  await vi.advanceTimersByTimeAsync(3500);
}

const bar = (name: string) =>
  within(screen.getByRole("region", { name: "Die Säufer" }))
    .queryAllByRole("listitem")
    .find((item) => item.textContent.includes(name))?.textContent;

test("The counter page requests the counters before other beer data", async () => {
  const asked: string[] = [];
  const send = anna.send.bind(anna);
  vi.spyOn(anna, "send").mockImplementation(async (...request) => {
    asked.push(request[1]);
    return send(...request);
  });
  page = await openPage(anna, "/beercounter");
  await screen.findByText("Der erste Strich ist noch frei.");
  const beers = asked.filter((path) => path.startsWith("/api/beercounter/"));
  expect(beers.length).toBeGreaterThan(3);
  expect(beers.filter((path) => path === "/api/beercounter/counters")).toHaveLength(1);
  expect(beers[0]).toBe("/api/beercounter/counters");
});

test("The ranking shows a message if all members are quiet", async () => {
  for (const member of [anna, ben]) await member.post("/api/user/presence", { visibility: "quiet" });
  page = await openPage(anna, "/beercounter");
  const ranking = await screen.findByRole("region", { name: "Die Säufer" });
  await within(ranking).findByText("Hier will gerade niemand stehen.");
});

test("A page refetches the newest beer if the event of a beer was merged with an undo", async () => {
  await screen.findByText("Der erste Strich ist noch frei.");
  const others = { userIds: [], names: [], isMore: true };
  const event = { counterVal: 0, userId: 1, userName: "Ben", avatarId: null, version: 99, others };
  await app.context.realtime.publish(app.db, "updated", "private-beercounter", event);
  await expect.poll(messageText).toContain("Prost von Ben!");
  await screen.findByText("Der erste Strich ist noch frei.");
  expect(screen.queryByText(/^Zuletzt: Ben/)).toBeNull();
});

test("The newest beer shown is the member's own beer even if it was booked during a lost live connection", async () => {
  await screen.findByText("Der erste Strich ist noch frei.");
  page.interrupt();
  await page.press("Bier trinken");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await screen.findByText("Zuletzt: du, gerade eben");
});
