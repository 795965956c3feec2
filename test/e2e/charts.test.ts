import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { laptop, createE2eApp, phone } from "./e2e-app.ts";

const crowd = Array.from({ length: 40 }, (_, index) => ({ uname: `gast-${index + 1}`, name: `Gast ${index + 1}` }));

const app = await createE2eApp({ env: { RATE_LIMIT_FACTOR: "100" } });
await app.registerMembers(...crowd);
const page = await app.loggedInPage("gast-40");

describe("before the first beer of forty members", () => {
  test("with text twice as large, too, the sentence on the mat keeps clear of the button", async () => {
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    const { y, height } = (await page.getByText("Noch kein Strich auf deinem Deckel.").boundingBox())!;
    expect(y + height).toBeLessThanOrEqual((await page.getByRole("button", { name: "Bier trinken" }).boundingBox())!.y);
    await page.evaluate(() => (document.documentElement.style.fontSize = ""));
  });

  test("nobody has drunk yet: the cards say so, and the week's chart is lower", async () => {
    const week = page.getByRole("region", { name: "Der Suff der Woche" });
    await expect.poll(() => week.textContent()).toContain("Noch nichts getrunken diese Woche!");
    const heights = await Promise.all([barHeights("Die Säufer"), barHeights("Der Suff der Woche")]);
    expect(new Set(heights.flat())).toEqual(new Set(["0%"]));
    const empty = (await week.getByRole("list").boundingBox())!.height;
    await page.getByRole("button", { name: "Bier trinken" }).click();
    await expect.poll(() => week.textContent()).not.toContain("Noch nichts getrunken");
    expect((await week.getByRole("list").boundingBox())!.height - empty).toBe(80);
  });
});

test("A page that stays open asks anew when a day begins, and the week goes on to it", async () => {
  const left = await app.loggedInPage("gast-1", { path: "about:blank" });
  await left.clock.install();
  await left.goto("/beercounter");
  const today = left
    .getByRole("region", { name: "Der Suff der Woche" })
    .getByRole("listitem")
    .filter({ hasText: "heute" });
  const evening = await today.textContent();
  const asked = left.waitForResponse("**/api/beercounter/stats/timely");
  await left.clock.fastForward("24:00:00");
  await asked;
  await expect.poll(() => today.textContent()).not.toBe(evening);
});

describe("with forty members", () => {
  beforeAll(book);

  test("on a phone the leader and the last one's bar are in view when only eight of them take part", async () => {
    await page.setViewportSize(phone);
    await page.route("**/api/beercounter/stats/user", async (route) => {
      const response = await route.fetch();
      const { users } = (await response.json()) as { users: { uname: string }[] };
      const some = users.filter(({ uname }) => /^gast-([1-7]|40)$/.test(uname));
      await route.fulfill({ response, json: { users: some } });
    });
    await page.goto("/beercounter");
    const ranking = page.getByRole("region", { name: "Die Säufer" });
    await expect.poll(() => ranking.getByRole("listitem").count()).toBe(8);
    await expect.poll(isOwnInView).toBe(true);
    const [list, leader] = [ranking.getByRole("list"), ranking.getByRole("listitem").first()];
    expect(await leader.textContent()).toContain("Gast 1");
    expect((await leader.boundingBox())!.x).toBe((await list.boundingBox())!.x);
    await page.unroute("**/api/beercounter/stats/user");
  });

  test.each([phone, { width: 320, height: 640 }, laptop])(
    "the last one's bar is in view at $width px, and only the card scrolls",
    async (viewport) => {
      await page.setViewportSize(viewport);
      await page.goto("/beercounter");
      const ranking = page.getByRole("region", { name: "Die Säufer" });
      await expect.poll(() => ranking.getByRole("listitem").count()).toBe(40);
      await expect.poll(isOwnInView).toBe(true);
      await expect.poll(leadersShadow).not.toBe("none");
      expect(await ranking.getByRole("list").evaluate((list) => list.scrollWidth > list.clientWidth)).toBe(true);
      expect(await overhang()).toBe(0);

      // The leader stays at the edge; the buttons lead there and back.
      const leader = ranking.getByRole("listitem").first();
      const edge = (await leader.boundingBox())!.x;
      await page.getByRole("button", { name: "Nach vorn" }).click();
      await expect.poll(isOwnInView).toBe(false);
      await page.getByRole("button", { name: "Zu mir" }).click();
      await expect.poll(isOwnInView).toBe(true);
      expect((await leader.boundingBox())!.x).toBe(edge);

      await page.getByRole("button", { name: "Nach vorn" }).click();
      expect(await countSeparateValues(ranking)).toBe(40);
      // Nobody is behind it now.
      await expect.poll(leadersShadow).toBe("none");

      await page.goto("/statistics?zeitraum=gesamt&am=2026-07-01");
      await expect.poll(isOwnInView).toBe(true);
      await page.getByRole("button", { name: "Nach vorn" }).click();
      await expect.poll(isOwnInView).toBe(false);
      await page.getByRole("radio", { name: "Woche" }).check({ force: true });
      await page.getByText("Tag für Tag").waitFor();
      await page.getByRole("radio", { name: "Jahr" }).check({ force: true });
      await page.getByText("Monat für Monat").waitFor();
      await expect.poll(isOwnInView).toBe(true);
    },
  );

  test("who has scrolled to others stays with them when somebody drinks", async () => {
    await page.setViewportSize(phone);
    await page.goto("/beercounter");
    await expect.poll(isOwnInView).toBe(true);
    const ranking = page.getByRole("region", { name: "Die Säufer" });
    await ranking.getByRole("button", { name: "Nach vorn" }).click();
    const place = () => ranking.getByRole("list").evaluate((list) => list.scrollLeft);
    await expect.poll(place).toBe(0);
    const leader = ranking.getByRole("listitem").first();
    const before = await leader.textContent();
    await (await app.loggedInClient("gast-1")).post("/api/beercounter/counters");
    await expect.poll(() => leader.textContent()).not.toBe(before);
    expect(await place()).toBe(0);
  });

  test("on a phone the days scroll inside their card, with today in view and no value on its neighbour's", async () => {
    await page.setViewportSize(phone);
    const chart = page.getByRole("region", { name: "Tag für Tag" });
    await page.goto("/statistics?zeitraum=monat");
    await chart.getByText("heute").waitFor();
    const [card, today] = [(await chart.boundingBox())!, (await chart.getByText("heute").boundingBox())!];
    expect(today.x).toBeGreaterThanOrEqual(card.x);
    expect(today.x + today.width).toBeLessThanOrEqual(card.x + card.width);

    await page.goto("/statistics?zeitraum=monat&am=2025-05-14");
    await isPeriod("Mai 2025");
    expect(await countSeparateValues(chart)).toBe(31);
    expect(await overhang()).toBe(0);

    // No name of a month takes two lines, not even the bold one of this month.
    await page.goto("/statistics?zeitraum=jahr");
    const months = page.getByRole("region", { name: "Monat für Monat" });
    await months.getByText("jetzt").waitFor();
    const heights = await months
      .getByRole("listitem")
      .evaluateAll((all) => all.map((month) => month.firstElementChild!.clientHeight));
    expect(new Set(heights).size).toBe(1);
  });

  test("the browser leads back through the periods, and a button that leads nowhere any more keeps the focus", async () => {
    await page.goto("/statistics?zeitraum=monat&am=2025-06-02");
    const earlier = page.getByRole("button", { name: "Zeitraum davor" });
    for (const month of ["Mai 2025", "April 2025"]) {
      await earlier.click();
      await isPeriod(month);
    }
    await expect.poll(() => earlier.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    await isPeriod("April 2025");
    for (const month of ["Mai 2025", "Juni 2025"]) {
      await page.goBack();
      await isPeriod(month);
    }
  });
});

/** What says that others have passed behind the leader. */
function leadersShadow(): Promise<string> {
  const leader = page.getByRole("region", { name: "Die Säufer" }).getByRole("listitem").first();
  return leader.evaluate((column) => getComputedStyle(column).boxShadow);
}

/** Whether one's own bar lies within the ranking, and not behind its leader. */
async function isOwnInView(): Promise<boolean> {
  const ranking = page.getByRole("region", { name: "Die Säufer" });
  const card = (await ranking.boundingBox())!;
  const leader = (await ranking.getByRole("listitem").first().boundingBox())!;
  const own = (await ranking.locator("[data-own]").boundingBox())!;
  return own.x >= leader.x + leader.width && own.x + own.width <= card.x + card.width;
}

/** How many values of a chart stand beside each other, none of them on the one before. */
function countSeparateValues(chart: Locator): Promise<number> {
  return chart.getByRole("listitem").evaluateAll((items) => {
    const edges = items.map((item) => {
      const range = document.createRange();
      range.selectNodeContents(item.querySelector("[data-bar]")!.previousElementSibling!);
      return range.getBoundingClientRect();
    });
    return edges.filter(({ left }, index) => index === 0 || left > edges[index - 1]!.right).length;
  });
}

async function isPeriod(name: string): Promise<void> {
  const heading = page.getByRole("region", { name: "Zeitraum" }).getByRole("heading");
  await expect.poll(() => heading.textContent()).toBe(name);
}

const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const barHeights = (region: string) =>
  page
    .getByRole("region", { name: region })
    .locator("[data-bar]")
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).style.height));

describe("a picture in the ranking", () => {
  test("is shown large under the pointer, on focus, and not after Escape", async () => {
    await page.setViewportSize(laptop);
    await page.goto("/beercounter");
    const large = page.getByRole("tooltip");
    await page.getByRole("link", { name: "Deckel von Gast 2", exact: true }).hover();
    await large.waitFor();
    expect(await large.textContent()).toContain("Gast 2");
    await isInside(page);
    await page.mouse.move(5, 400);
    await expect.poll(() => popups(page)).toEqual([]);

    await focusByKey();
    await large.waitFor();
    await isInside(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => popups(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await large.waitFor();

    // Also one that the focus has to scroll to.
    const place = () =>
      page
        .getByRole("region", { name: "Die Säufer" })
        .getByRole("list")
        .evaluate((list) => list.scrollLeft);
    const left = await place();
    while ((await place()) === left) await page.keyboard.press("Tab");
    const name = await page.locator(":focus").getAttribute("aria-label");
    await expect.poll(() => popups(page)).toEqual([`${/Gast \d+/.exec(name!)![0]}: true`]);
    await isInside(page);
  });

  test("leads to the page of its member by a tap, which shows it large", async () => {
    const touched = await app.loggedInPage("gast-2", { hasTouch: true });
    await touched.getByRole("link", { name: "Deckel von Gast 1", exact: true }).tap();
    await touched.getByRole("heading", { name: "Deckel von Gast 1" }).waitFor();
    expect(await popups(touched)).toEqual([]);
  });
});

/** The nth guest has drunk 400 - 10 n beers this summer, so that the last one is the last one, and the first 111 a day in May 2025. */
async function book(): Promise<void> {
  const start = Date.parse("2026-07-01T18:00:00Z");
  const summer = crowd.flatMap(({ uname }, index) =>
    Array.from({ length: 400 - 10 * index - 9 }, (_, beer) => ({
      uname,
      at: new Date(start + beer * 600_000).toISOString(),
    })),
  );
  const may = ["2025-05-14", "2025-05-15", "2025-05-16"].flatMap((day) => Array.from({ length: 111 }, () => day));
  const evenings = ["2025-04-30", ...may].map((day) => ({ uname: "gast-1", at: `${day}T18:00:00Z` }));
  const file = join(createTemporaryFolder(), "beers.jsonl");
  const beers = [...summer, ...evenings];
  writeFileSync(file, beers.map((beer) => JSON.stringify({ ...beer, key: null })).join("\n"));
  await app.runCommand("beers", "import", file);
}

async function focusByKey(): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).focus();
  for (let stops = 0; stops < 50; stops++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (name?.startsWith("Deckel von")) return;
  }
  throw new Error("No picture can be reached with the Tab key.");
}

async function isInside(shown: Page): Promise<void> {
  const { width, height } = shown.viewportSize()!;
  const box = (await shown.getByRole("tooltip").boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
}

/** The popups on the page and whether they are open or on their way out. */
const popups = (shown: Page) =>
  shown.getByRole("tooltip").evaluateAll((all) => all.map((popup) => `${popup.textContent}: ${popup.dataset["open"]}`));
