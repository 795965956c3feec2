import { screen, within } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beercounter/actions.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { openPage, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  const taps = Array.from({ length: 334 }, () => ({ userId: 2, key: null, at: Date.parse("2025-05-14T18:00:00Z") }));
  await inTransaction(app.db, (tx) => bookBeers(tx, taps, app.config.timeZone));
});
afterEach(() => app.close());

const total = () => document.querySelector("[data-counter=period]")?.textContent;
const bars = (card: string) =>
  within(screen.getByRole("region", { name: card }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

async function openPeriod(query: string): Promise<OpenPage> {
  const page = await openPage(anna, `/statistics?${query}`);
  await page.isLive();
  return page;
}

test("a beer that Ben drinks elsewhere stands in Anna's week at once", async () => {
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

test("a beer of today does not stand in a month that is over", async () => {
  await openPeriod("zeitraum=monat&am=2025-05-14");
  await expect.poll(total).toBe("334");
  const { calls, results } = vi.mocked(fetch).mock;
  const before = calls.length;
  await ben.post("/api/beercounter/counters");
  await expect.poll(() => calls.slice(before).map(([path]) => path)).toContainEqual(expect.stringContaining("period"));
  await Promise.all(results.map(({ value }) => value as Promise<Response>));
  expect(total()).toBe("334");
});

test("a failed load shows an error, and works with the next try", async () => {
  const send = anna.send.bind(anna);
  const isPeriod = (path: string) => path.includes("stats/period");
  const refused = vi
    .spyOn(anna, "send")
    .mockImplementation((method, path, request) => send(method, isPeriod(path) ? "/api/admin/members" : path, request));
  const page = await openPeriod("zeitraum=jahr&am=2025-05-14");
  await screen.findByText("Die Zahlen konnten gerade nicht geladen werden.");
  refused.mockRestore();
  await page.press("Nochmal versuchen");
  await expect.poll(total).toBe("334");
});
