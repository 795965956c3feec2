import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp } from "./e2e-app.ts";

const app = await createE2eApp();
await app.registerMembers("Greta");

const scrolled = (page: Page) => page.evaluate(() => scrollY);
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Opens the guide, which is longer than the window, and scrolls down by 700 px. */
async function openScrolledGuide(): Promise<Page> {
  const page = await app.loggedInPage("greta", { path: "/guide" });
  await heading(page, "Anleitung für Mitglieder").waitFor();
  await page.evaluate(() => scrollTo(0, 700));
  await expect.poll(() => scrolled(page)).toBe(700);
  return page;
}

test("a new page starts at the top, and going back or reloading restores the scroll position", async () => {
  const page = await openScrolledGuide();
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await heading(page, "Bier-Counter").waitFor();
  await expect.poll(() => scrolled(page)).toBe(0);
  await page.goBack();
  await heading(page, "Anleitung für Mitglieder").waitFor();
  await expect.poll(() => scrolled(page)).toBe(700);
  await page.reload();
  await heading(page, "Anleitung für Mitglieder").waitFor();
  await expect.poll(() => scrolled(page)).toBe(700);
});

test("a link to the current page scrolls to the top and adds no history entry", async () => {
  const page = await app.loggedInPage("greta", { path: "/profile" });
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await heading(page, "Bier-Counter").waitFor();
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(() => scrolled(page)).toBe(300);
  await page.evaluate(() => document.querySelector<HTMLElement>("header nav a[href='/beercounter']")!.click());
  await expect.poll(() => scrolled(page)).toBe(0);
  await page.goBack();
  await heading(page, "Profil").waitFor();
});

test("opening and closing the sidebar keeps the scroll position", async () => {
  const page = await openScrolledGuide();
  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("navigation", { name: "Seitenleiste" }).waitFor();
  await page.goBack();
  await page.getByRole("navigation", { name: "Seitenleiste" }).waitFor({ state: "hidden" });
  expect(await scrolled(page)).toBe(700);
});
