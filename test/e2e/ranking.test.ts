import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { laptop, createE2eApp, phone, type E2eApp } from "./e2e-app.ts";

const crowd = Array.from({ length: 40 }, (_, index) => ({ uname: `gast-${index + 1}`, name: `Gast ${index + 1}` }));
const folder = mkdtempSync(join(tmpdir(), "stammtisch-beers-"));

let app: E2eApp;
beforeAll(async () => {
  app = await createE2eApp({ env: { RATE_LIMIT_FACTOR: "100" } });
  await app.registerMembers(...crowd);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe("before the first beer of forty members", () => {
  test("nobody has drunk yet: the cards say so, and the week's chart is lower", async () => {
    const page = await app.loggedInPage("gast-40");
    const week = page.getByRole("region", { name: "Der Suff der Woche" });
    await expect.poll(() => week.textContent()).toContain("Noch nichts getrunken diese Woche!");
    const heights = await Promise.all([barHeights(page, "Die Säufer"), barHeights(page, "Der Suff der Woche")]);
    expect(new Set(heights.flat())).toEqual(new Set(["0%"]));
    const empty = (await week.getByRole("list").boundingBox())!.height;
    await page.getByRole("button", { name: "Bier trinken" }).click();
    await expect.poll(() => week.textContent()).not.toContain("Noch nichts getrunken");
    expect((await week.getByRole("list").boundingBox())!.height - empty).toBe(80);
    await page.context().close();
  });
});

describe("with forty members", () => {
  beforeAll(book);

  test.each([phone, { width: 320, height: 640 }, laptop])(
    "the last one's bar is in view at $width px, and only the card scrolls",
    async (viewport) => {
      const page = await app.loggedInPage("gast-40", { viewport, reducedMotion: "reduce" });
      const ranking = page.getByRole("region", { name: "Die Säufer" });
      await expect.poll(() => ranking.getByRole("listitem").count()).toBe(40);
      expect(await isOwnInView(page)).toBe(true);
      expect(await ranking.getByRole("list").evaluate((list) => list.scrollWidth > list.clientWidth)).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

      // The leader stays at the edge; the buttons lead there and back.
      const leader = ranking.getByRole("listitem").first();
      const edge = (await leader.boundingBox())!.x;
      await page.getByRole("button", { name: "Nach vorn" }).click();
      await expect.poll(() => isOwnInView(page)).toBe(false);
      await page.getByRole("button", { name: "Zu mir" }).click();
      await expect.poll(() => isOwnInView(page)).toBe(true);
      expect((await leader.boundingBox())!.x).toBe(edge);

      // No value lies on its neighbour's.
      await page.getByRole("button", { name: "Nach vorn" }).click();
      const values = await ranking.getByRole("listitem").evaluateAll((items) =>
        items.map((item) => {
          const range = document.createRange();
          range.selectNodeContents(item.querySelector("[data-bar]")!.previousElementSibling!);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        }),
      );
      for (const [index, { left }] of values.entries())
        if (index > 0) expect(left).toBeGreaterThan(values[index - 1]!.right);

      await page.goto("/statistics?zeitraum=gesamt");
      await expect.poll(() => isOwnInView(page)).toBe(true);
      await page.getByRole("radio", { name: "Woche" }).check({ force: true });
      await page.getByText("Tag für Tag").waitFor();
      await page.getByRole("radio", { name: "Jahr" }).check({ force: true });
      await page.getByText("Monat für Monat").waitFor();
      await expect.poll(() => isOwnInView(page)).toBe(true);
      await page.context().close();
    },
  );
});

/** Whether one's own bar lies within the ranking, and not behind its leader. */
async function isOwnInView(page: Page): Promise<boolean> {
  const ranking = page.getByRole("region", { name: "Die Säufer" });
  const card = (await ranking.boundingBox())!;
  const leader = (await ranking.getByRole("listitem").first().boundingBox())!;
  const own = (await ranking.locator("[data-own]").boundingBox())!;
  return own.x >= leader.x + leader.width && own.x + own.width <= card.x + card.width;
}

describe("a picture in the ranking", () => {
  test("is shown large under the pointer, on focus, and not after Escape", async () => {
    const page = await app.loggedInPage("gast-2", { viewport: laptop });
    const picture = page.getByRole("button", { name: "Bild von Gast 2 vergrößern" });
    const large = page.getByRole("tooltip");

    await picture.hover();
    await large.waitFor();
    expect(await large.textContent()).toContain("Gast 2");
    await isInside(page);
    await page.mouse.move(5, 400);
    await expect.poll(() => popups(page)).toEqual([]);

    await focusByKey(page);
    await large.waitFor();
    await isInside(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => popups(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await large.waitFor();
    await page.context().close();
  });

  test("is shown large after a tap, until the next one elsewhere", async () => {
    const page = await app.loggedInPage("gast-2", { viewport: phone, hasTouch: true });
    const large = page.getByRole("tooltip");
    await page.getByRole("button", { name: "Bild von Gast 2 vergrößern" }).tap();
    await large.waitFor();
    await isInside(page);
    await page.getByRole("heading", { name: "Die Säufer" }).tap();
    await expect.poll(() => popups(page)).toEqual([]);
    await page.context().close();
  });
});

/** The nth guest has drunk 400 - 10 n beers this summer, so that the last one is the last one. */
async function book(): Promise<void> {
  const start = Date.parse("2026-07-01T18:00:00Z");
  const beers = crowd.flatMap(({ uname }, index) =>
    Array.from({ length: 400 - 10 * index - 9 }, (_, beer) => ({
      uname,
      at: new Date(start + beer * 600_000).toISOString(),
      key: `${uname}-beer-${beer}`,
    })),
  );
  const file = join(folder, "beers.jsonl");
  writeFileSync(file, beers.map((beer) => JSON.stringify(beer)).join("\n"));
  await app.runCommand("beers", "import", file);
}

async function focusByKey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).focus();
  for (let stops = 0; stops < 50; stops++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (name?.startsWith("Bild von")) return;
  }
  throw new Error("No picture can be reached with the Tab key.");
}

async function isInside(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const box = (await page.getByRole("tooltip").boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
}

/** The popups on the page and whether they are open or on their way out. */
const popups = (page: Page) =>
  page.getByRole("tooltip").evaluateAll((all) => all.map((popup) => `${popup.textContent}: ${popup.dataset["open"]}`));

const barHeights = (page: Page, region: string) =>
  page
    .getByRole("region", { name: region })
    .locator("[data-bar]")
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).style.height));
