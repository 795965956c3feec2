import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";

test.use({ people: { greta: "Greta" } });

let page: Page;
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("greta");
});

const scrolled = () => page.evaluate(() => scrollY);
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Opens the guide, which is longer than the window, and scrolls down by 700 px. */
async function openScrolledGuide(): Promise<void> {
  await page.goto("/guide");
  await heading("Anleitung für Mitglieder").waitFor();
  await page.evaluate(() => scrollTo(0, 700));
  await expect.poll(scrolled).toBe(700);
}

test("a new page starts at the top, and going back or reloading restores the scroll position", async () => {
  await openScrolledGuide();
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await heading("Bier-Counter").waitFor();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await heading("Anleitung für Mitglieder").waitFor();
  await expect.poll(scrolled).toBe(700);
  await page.reload();
  await heading("Anleitung für Mitglieder").waitFor();
  await expect.poll(scrolled).toBe(700);
});

test("a link to the current page scrolls to the top and adds no history entry", async () => {
  await page.goto("/profile");
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await heading("Bier-Counter").waitFor();
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(scrolled).toBe(300);
  await page.evaluate(() => document.querySelector<HTMLElement>("header nav a[href='/beercounter']")!.click());
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await heading("Profil").waitFor();
});

test("opening and closing the sidebar keeps the scroll position", async () => {
  await openScrolledGuide();
  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("navigation", { name: "Seitenleiste" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Seitenleiste" }).waitFor({ state: "hidden" });
  expect(await scrolled()).toBe(700);
});
