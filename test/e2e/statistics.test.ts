import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { logIn, createE2eApp, phone, type E2eApp } from "./e2e-app.ts";

const folder = mkdtempSync(join(tmpdir(), "stammtisch-beers-"));
let app: E2eApp;

beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Anna", "Ben");
  const evening = (uname: string, day: string, beers: number) =>
    Array.from({ length: beers }, (_, beer) => ({ uname, at: `${day}T18:00:00Z`, key: `${uname}-${day}-${beer}` }));
  const beers = [
    ...evening("ben", "2025-04-30", 1),
    ...["2025-05-14", "2025-05-15", "2025-05-16"].flatMap((day) => evening("ben", day, 111)),
    ...evening("anna", "2025-05-20", 1),
  ];
  const file = join(folder, "beers.jsonl");
  writeFileSync(file, beers.map((beer) => JSON.stringify(beer)).join("\n"));
  await app.runCommand("beers", "import", file);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test("Anna looks into the past, sends Ben what she sees, and finds the way back", async () => {
  const anna = await app.loggedInPage("anna");
  await anna.getByRole("link", { name: "Statistik" }).click();
  await anna.getByRole("heading", { name: "Statistik" }).waitFor();
  expect(await anna.title()).toBe("Statistik – Stammtisch");
  await choose(anna, "Gesamt");
  await expectPeriod(anna, "Seit dem 30. April 2025", "335");
  expect(await bars(anna, "Jahr für Jahr")).toContainEqual("2025 335");

  await anna.goto("/statistics?zeitraum=jahr&am=2025-06-02");
  await expectPeriod(anna, "2025", "335");
  await choose(anna, "Monat");
  await expectPeriod(anna, "Juni 2025", "0");
  expect(await anna.getByText("Da war Ruhe am Tisch.").count()).toBe(1);
  await anna.getByRole("button", { name: "Zeitraum davor" }).click();
  await expectPeriod(anna, "Mai 2025", "334");
  expect(await period(anna).textContent()).toContain("333 mehr als im April.");
  expect(await bars(anna, "Tag für Tag")).toContainEqual("16. Mai 111");
  expect(await bars(anna, "Die Säufer")).toEqual(["Ben 333", "Anna 1 Du"]);
  const shared = anna.url();

  const earlier = anna.getByRole("button", { name: "Zeitraum davor" });
  await earlier.click();
  await expectPeriod(anna, "April 2025", "1");
  expect(await earlier.getAttribute("aria-disabled")).toBe("true");
  // It keeps the focus, though it leads nowhere any more.
  await anna.keyboard.press("Enter");
  await expectPeriod(anna, "April 2025", "1");
  await anna.goBack();
  await expectPeriod(anna, "Mai 2025", "334");
  await anna.goBack();
  await expectPeriod(anna, "Juni 2025", "0");

  const ben = await app.newPage();
  await ben.goto(shared);
  await logIn(ben, "ben", app.members.find(({ uname }) => uname === "ben")!.password);
  await expectPeriod(ben, "Mai 2025", "334");
  expect(ben.url()).toBe(shared);
  await ben.getByRole("main").getByRole("link", { name: "Bier-Counter" }).click();
  await ben.getByRole("button", { name: "Bier trinken" }).waitFor();
  await Promise.all([anna.context().close(), ben.context().close()]);
});

test("on a phone the days scroll inside their card, with today in view and no value on its neighbour's", async () => {
  const anna = await app.loggedInPage("anna", { viewport: phone });
  const chart = anna.getByRole("region", { name: "Tag für Tag" });
  await anna.goto("/statistics?zeitraum=monat");
  await chart.getByText("heute").waitFor();
  const [card, today] = [(await chart.boundingBox())!, (await chart.getByText("heute").boundingBox())!];
  expect(today.x).toBeGreaterThanOrEqual(card.x);
  expect(today.x + today.width).toBeLessThanOrEqual(card.x + card.width);

  await anna.goto("/statistics?zeitraum=monat&am=2025-05-14");
  await expectPeriod(anna, "Mai 2025", "334");
  const values = await chart.getByRole("listitem").evaluateAll((days) =>
    days.map((day) => {
      const range = document.createRange();
      range.selectNodeContents(day.querySelector("[data-bar]")!.previousElementSibling!);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    }),
  );
  expect(values).toHaveLength(31);
  for (const [index, { left }] of values.entries())
    if (index > 0) expect(left).toBeGreaterThan(values[index - 1]!.right);
  expect(await anna.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  // No name of a month takes two lines, not even the bold one of this month.
  await anna.goto("/statistics?zeitraum=jahr");
  const months = anna.getByRole("region", { name: "Monat für Monat" });
  await months.getByText("jetzt").waitFor();
  const heights = await months
    .getByRole("listitem")
    .evaluateAll((all) => all.map((month) => month.firstElementChild!.clientHeight));
  expect(new Set(heights).size).toBe(1);
  await anna.context().close();
});

const period = (page: Page) => page.getByRole("region", { name: "Zeitraum" });
const total = (page: Page) => page.locator("[data-counter=period]").textContent();

async function choose(page: Page, span: string): Promise<void> {
  await period(page).getByRole("radio", { name: span }).check();
}

async function expectPeriod(page: Page, name: string, beers: string): Promise<void> {
  await expect.poll(() => period(page).getByRole("heading").textContent()).toBe(name);
  await expect.poll(() => total(page)).toBe(beers);
}

/** Each bar of a card as it is read aloud. */
async function bars(page: Page, card: string): Promise<string[]> {
  const texts = await page.getByRole("region", { name: card }).getByRole("listitem").allInnerTexts();
  return texts.map((text) => text.split(/\s+/).join(" ").trim());
}
