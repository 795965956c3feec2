import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { createE2eApp, type E2eApp } from "#test/e2e/e2e-app.ts";

let app: E2eApp;
let anna: Page;
let ben: Page;
/** What stood on the mat before the test. */
let before: number;
beforeAll(async () => {
  app = await createE2eApp({ withServiceWorker: true, env: { RATE_LIMIT_FACTOR: "100" } });
  await app.registerMembers([
    { uname: "anna", name: "Anna" },
    { uname: "ben", name: "Ben" },
  ]);
  anna = await app.loggedInPage("anna");
  ben = await app.loggedInPage("ben");
});
afterAll(() => app.close());

beforeEach(async () => {
  await expect.poll(() => anna.locator('[data-counter="group"]').textContent()).toMatch(/^\d+$/);
  before = await booked();
});
afterEach(() => anna.unroute(counters));

const counters = "**/api/beercounter/counters";

test("A tap whose answer gets lost on the way back is one beer, on every screen at every moment", async () => {
  const seen = await collectTotals(anna);
  await onFirstTap(async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await tap();
  await settled(1);
  expect(await seen()).toEqual([before + 1]);
});

test("A tap that never reaches the server is sent again", async () => {
  await onFirstTap((route) => route.abort("connectionreset"));
  await tap();
  await settled(1);
});

test("A tap while the server is being restarted waits for it and is one beer", async () => {
  await app.kill();
  await tap();
  await expect
    .poll(() => anna.getByRole("region", { name: "Zähler" }).textContent())
    .toContain("1 Bier wartet auf Empfang");
  await app.start();
  await settled(1);
});

test("A tap that was booked just before the power went is not booked again", async () => {
  await onFirstTap(async (route) => {
    await route.fetch();
    await app.kill();
    await route.abort("connectionreset");
    await app.start();
  });
  await tap();
  await settled(1);
});

test("Five quick taps are five beers", async () => {
  const seen = await collectTotals(anna);
  const button = anna.getByRole("button", { name: "Bier trinken" });
  for (let taps = 0; taps < 5; taps++) await button.click({ noWaitAfter: true });
  await settled(5);
  // Up one by one and never down.
  expect(await seen()).toEqual([1, 2, 3, 4, 5].map((beer) => before + beer));
});

test("Two taps within one frame are two beers", async () => {
  await anna.getByRole("button", { name: "Bier trinken" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await settled(2);
});

const tap = () => anna.getByRole("button", { name: "Bier trinken" }).click();

/** Lets something happen to the next tap; those after it go through. */
async function onFirstTap(happen: (route: Route) => Promise<void>): Promise<void> {
  let taps = 0;
  await anna.route(counters, async (route) => {
    if (route.request().method() === "POST" && taps++ === 0) return happen(route);
    return route.fallback();
  });
}

/** Waits until both screens and the books say the same: so many beers more than before. */
async function settled(beers: number): Promise<void> {
  const expected = before + beers;
  const waiting = anna.getByText(/auf Empfang/);
  await expect.poll(() => waiting.count(), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => total(anna), { timeout: 30_000 }).toBe(expected);
  await expect.poll(() => total(ben), { timeout: 40_000 }).toBe(expected);
  await expect.poll(booked).toBe(expected);
  // Nothing that is still under way adds another one.
  await anna.waitForTimeout(1000);
  expect([await total(anna), await total(ben), await booked()]).toEqual([expected, expected, expected]);
}

const booked = async () => (await app.runCommand<unknown[]>("beers", "export")).length;
const total = async (page: Page) => Number(await page.locator('[data-counter="group"]').textContent());

/** From now on keeps every total that stands on the screen, however short, in order. */
async function collectTotals(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const totals: number[] = [];
    (window as Watched).totals = totals;
    new MutationObserver(() => {
      const shown = Number(document.querySelector('[data-counter="group"]')?.textContent);
      if (shown !== totals.at(-1)) totals.push(shown);
    }).observe(document.querySelector('[data-counter="group"]')!, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => (window as Watched).totals);
}

type Watched = typeof window & { totals: number[] };
