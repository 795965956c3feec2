import { readFileSync } from "node:fs";

import { expect, type Page } from "@playwright/test";

import { laptop } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { clock, december } from "./december.ts";

test.use({ installation: { ...december, own: "year review" } });
test.beforeEach(() => clock.stopAt("2026-12-24T18:00:00Z"));

const story = (page: Page, year: number) => page.getByRole("dialog", { name: `Jahresrückblick ${year}` });
const heading = (page: Page) => page.getByRole("dialog").getByRole("heading");
/** Finds the button even on the last card, on which it is hidden but keeps its space. */
const forward = (page: Page) => page.getByRole("button", { name: "Weiter", includeHidden: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/**
 * Moves through the year review to its last card with `step`, and returns the headings of all
 * cards. Checks that the heading of each shown card has the focus.
 */
async function walk(page: Page, step: () => Promise<void>): Promise<string[]> {
  const titles = [(await heading(page).textContent())!];
  while (await forward(page).isEnabled()) {
    const before = titles.at(-1)!;
    await step();
    await expect.poll(() => heading(page).textContent()).not.toBe(before);
    titles.push((await heading(page).textContent())!);
    expect(await focused(page)).toBe(titles.at(-1));
  }
  return titles;
}

test("the statistics link to past year reviews, and from 1 December the counter links to the current one", async ({
  app,
}) => {
  clock.stopAt("2026-11-30T22:59:59Z");
  const page = await app.loggedInPage("anna");
  await page.goto("/statistics");
  await page.getByRole("link", { name: "Jahresrückblick", exact: true }).click();
  await story(page, 2025).waitFor();
  await page.keyboard.press("Escape");
  const archive = page.getByRole("navigation", { name: "Archiv" }).getByRole("button");
  await expect.poll(() => archive.allTextContents()).toEqual(["2025 das ganze Jahr", "2024 das ganze Jahr"]);

  clock.stopAt("2026-11-30T23:00:00Z");
  await page.getByRole("link", { name: "Zum Bier-Counter" }).click();
  await page.getByRole("link", { name: /^Jahresrückblick 2026/ }).click();
  await story(page, 2026).waitFor();
  await page.getByRole("button", { name: "Schließen" }).click();
  await archive.filter({ hasText: "2024" }).click();
  await story(page, 2024).waitFor();
});

test("taps, swipes, keys and buttons navigate between the cards of the year review", async ({ app }) => {
  const page = await app.loggedInPage("ben", { hasTouch: true });
  await page.goto("/wrapped");
  await story(page, 2026).waitFor();
  const tapped = await walk(page, () => page.touchscreen.tap(330, 200));
  expect(tapped).toHaveLength(13);
  expect([tapped[0], ...tapped.slice(-2)]).toEqual([
    "Jahresrückblick",
    "Teilen",
    "So jung kommen wir nicht mehr zusammen",
  ]);
  await page.getByText("Prost auf 2027").waitFor();

  await page.touchscreen.tap(40, 200);
  await expect.poll(() => heading(page).textContent()).toBe(tapped.at(-2));
  await page.mouse.move(100, 200);
  await page.mouse.down();
  await page.mouse.move(300, 210, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => heading(page).textContent()).toBe(tapped.at(-3));
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect.poll(() => heading(page).textContent()).toBe(tapped.at(-4));

  await page.reload();
  await story(page, 2026).waitFor();
  expect(await walk(page, () => page.keyboard.press("ArrowRight"))).toEqual(tapped);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => heading(page).textContent()).toBe(tapped.at(-2));
  await page.reload();
  await page.getByRole("button", { name: "Mein Jahr" }).click();
  await expect.poll(() => heading(page).textContent()).toBe("Das ist dein Deckel");
});

test("the year review's picture can be saved as a PNG, with the member's name or with the group's year", async ({
  app,
}) => {
  const page = await app.loggedInPage("carla", { viewport: laptop });
  await openPicture(page);
  const picture = page.getByRole("img", { name: /^Dein Bild zum Teilen: 2026/ });
  await picture.waitFor();
  const anonymous = await picture.getAttribute("src");
  await page.getByLabel("mit Namen").check();
  await expect.poll(() => picture.getAttribute("src")).not.toBe(anonymous);
  await page.getByLabel("unser Jahr").check();
  await page.getByRole("img", { name: /^Das Bild der Gruppe zum Teilen: 2026/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Bild speichern" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("jahresrueckblick-2026.png");
  const png = readFileSync(await download.path());
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 1920]);
});

test("a device with a share sheet shares the year review's picture as a file", { tag: "@firefox" }, async ({ app }) => {
  const page = await app.loggedInPage("emil");
  await page.addInitScript(() => {
    navigator.canShare = () => true;
    navigator.share = async ({ files }: ShareData = {}) => {
      document.documentElement.dataset["shared"] = files!.map(({ name, type }) => `${name} ${type}`).join();
    };
  });
  await openPicture(page);
  await page.getByRole("button", { name: "Bild teilen" }).click();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset["shared"]))
    .toBe("jahresrueckblick-2026.png image/png");
});

test("the first tap on a card of the year review ends its animation, and the second opens the next card", async ({
  app,
}) => {
  const page = await app.loggedInPage("ben", { hasTouch: true, reducedMotion: "no-preference" });
  await page.goto("/wrapped");
  await page.getByRole("button", { name: "Unser Jahr" }).click();
  await heading(page).getByText("So viel stand auf dem Tisch").waitFor();
  const reveal = () =>
    page.evaluate(() => {
      const animations = document.getAnimations().filter((animation) => animation instanceof CSSAnimation);
      return animations.map(({ effect }) => effect!.getComputedTiming().endTime);
    });
  expect(Math.max(...(await reveal()).map(Number))).toBeLessThanOrEqual(900);
  await page.touchscreen.tap(330, 200);
  expect(await reveal()).toEqual([]);
  expect(await heading(page).textContent()).toBe("So viel stand auf dem Tisch");
  await page.touchscreen.tap(330, 200);
  await expect.poll(() => heading(page).textContent()).toBe("Und wenn man das stapelt?");
});

async function openPicture(page: Page): Promise<void> {
  await page.goto("/wrapped");
  await story(page, 2026).waitFor();
  const titles = await walk(page, () => page.keyboard.press("ArrowRight"));
  await page.getByRole("button", { name: "Zurück" }).click();
  expect(titles.at(-2)).toBe("Teilen");
}
