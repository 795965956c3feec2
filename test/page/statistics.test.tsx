import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beers/actions.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { allAnswered, openPage, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  const evenings = [
    [2, "2025-04-30", 1],
    [2, "2025-05-14", 222],
    [2, "2025-05-16", 111],
    [1, "2025-05-20", 1],
  ] as const;
  for (const [userId, day, beers] of evenings) {
    const taps = Array.from({ length: beers }, () => ({ userId, key: null, at: Date.parse(`${day}T18:00:00Z`) }));
    await inTransaction(app.db, (tx) => bookBeers(tx, taps, app.config.timeZone));
  }
});

const total = () => document.querySelector("[data-counter=period]")?.textContent;
const bars = (card: string) =>
  within(screen.getByRole("region", { name: card }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent.trim());

async function isPeriod(name: string, beers: string): Promise<void> {
  await within(await screen.findByRole("region", { name: "Zeitraum" })).findByRole("heading", { name });
  await expect.poll(total).toBe(beers);
}

async function openPeriod(query: string): Promise<OpenPage> {
  const page = await openPage(anna, `/statistics?${query}`);
  await page.isLive();
  return page;
}

test("the address of the statistics page selects its period, so that a link opens the same period", async () => {
  const page = await openPeriod("zeitraum=jahr&am=2025-06-02");
  await isPeriod("2025", "335");
  await page.user.click(screen.getByRole("radio", { name: "Gesamt" }));
  await isPeriod("Seit dem 30. April 2025", "335");
  expect(bars("Jahr für Jahr")).toContainEqual("2025 335");
  expect(document.title).toBe("Statistik – Stammtisch");

  const june = await openPeriod("zeitraum=monat&am=2025-06-02");
  await isPeriod("Juni 2025", "0");
  screen.getByText("Da war Ruhe am Tisch.");
  await june.press("Zeitraum davor");
  await isPeriod("Mai 2025", "334");
  screen.getByText(/333 mehr als im April\./);
  expect(bars("Tag für Tag")).toContainEqual("16. Mai 111");
  expect(bars("Die Säufer")).toEqual(["Ben 333", "Anna Du 1"]);
  screen.getByText("davon 1 von dir");
  const shared = location.pathname + location.search;
  await june.press("Zeitraum davor");
  await isPeriod("April 2025", "1");
  expect(screen.getByRole("button", { name: "Zeitraum davor" }).getAttribute("aria-disabled")).toBe("true");

  const visitor = await openPage(app.createClient(), shared);
  await visitor.fill("Benutzername", "ben");
  await visitor.fill("Passwort", password);
  await visitor.press("Login", screen.getByRole("main"));
  await isPeriod("Mai 2025", "334");
  expect(location.pathname + location.search).toBe(shared);
});

test("the ranking of the statistics lists the first ten members and the reader, and all who drank on request", async () => {
  const at = Date.parse("2025-06-02T18:00:00Z");
  for (let id = 3; id <= 13; id++) {
    await app.createUser(`member${id}`);
    await inTransaction(app.db, (tx) =>
      bookBeers(
        tx,
        Array.from({ length: id }, () => ({ userId: id, key: null, at })),
        app.config.timeZone,
      ),
    );
  }
  const page = await openPeriod("zeitraum=monat&am=2025-06-02");
  await isPeriod("Juni 2025", "88");
  expect(bars("Die Säufer")).toHaveLength(11);
  expect(bars("Die Säufer").at(-1)).toBe("Anna Du 0");
  await page.press("Alle 12 zeigen");
  expect(bars("Die Säufer")).toHaveLength(12);
});

test("a beer that another member books appears in the statistics of this week at once", async () => {
  await openPeriod("zeitraum=woche");
  await expect.poll(total).toBe("0");
  await ben.post("/api/beercounter/counters");
  await expect.poll(total).toBe("1");
  expect(bars("Die Säufer")).toEqual([
    expect.stringMatching(/Ben.*1|1.*Ben/),
    expect.stringMatching(/Anna.*0|0.*Anna/),
  ]);
  expect(bars("Tag für Tag").filter((bar) => /1.*heute/.test(bar))).toHaveLength(1);
});

test("a beer of today does not change the statistics of a past month", async () => {
  await openPeriod("zeitraum=monat&am=2025-05-14");
  await expect.poll(total).toBe("334");
  const { calls } = vi.mocked(fetch).mock;
  const before = calls.length;
  await ben.post("/api/beercounter/counters");
  await expect.poll(() => calls.slice(before).map(([path]) => path)).toContainEqual(expect.stringContaining("period"));
  await allAnswered();
  expect(total()).toBe("334");
});

test("a failed load of the statistics shows an error, and a retry succeeds", async () => {
  const send = anna.send.bind(anna);
  const isLoad = (path: string) => path.includes("stats/period");
  const refused = vi
    .spyOn(anna, "send")
    .mockImplementation((method, path, request) => send(method, isLoad(path) ? "/api/admin/members" : path, request));
  const page = await openPeriod("zeitraum=jahr&am=2025-05-14");
  await screen.findByText("Die Zahlen konnten gerade nicht geladen werden.");
  refused.mockRestore();
  await page.press("Nochmal versuchen");
  await expect.poll(total).toBe("335");
});

test("A page left open for exactly a week shows the new week, even if no beer was booked", async () => {
  await ben.post("/api/beercounter/counters");
  await app.rememberSessions();
  const interval = vi.spyOn(globalThis, "setInterval");
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  const week = () => screen.queryByRole("region", { name: "Der Suff der Woche" })?.textContent;
  await expect.poll(week).toMatch(/Bier|Freitag/);
  const aWeek = 7 * 24 * 60 * 60_000;
  app.clock.time += aWeek;
  vi.setSystemTime(Date.now() + aWeek);
  for (const [work, pause] of interval.mock.calls) if (pause === 60_000) work();
  await expect.poll(week).toContain("Noch nichts getrunken diese Woche!");
});
