import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna" } });

let page: Page;

/** Opens the counter after the profile, so that going back leads to the profile. */
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("anna");
  await page.goto("/profile");
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
});

const sidebar = () => page.getByRole("navigation", { name: "Seitenleiste" });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });

const layers = [
  { button: "Menü", find: sidebar },
  { button: "Anna", find: () => page.getByRole("menu") },
  { button: "Verlauf", find: () => page.getByRole("dialog", { name: "Verlauf" }) },
];

test(
  "the sidebar, the account menu and dialogs make no history entries, and going back leaves the page with all of them closed",
  { tag: "@firefox" },
  async () => {
    const entries = await page.evaluate(() => history.length);
    for (const { button, find } of layers) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await find().waitFor();
      expect(await page.evaluate(() => history.length)).toBe(entries);
      await page.goBack();
      await heading("Profil").waitFor();
      await find().waitFor({ state: "hidden" });
      await page.goForward();
      await heading("Bier-Counter").waitFor();
      expect(await find().isVisible()).toBe(false);
    }
  },
);

test("a sidebar link, or a page link clicked while the sidebar closes, adds exactly one history entry", async () => {
  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar().getByRole("link", { name: "Größenrechner" }).click();
  await heading("Der Fabulöse Größenrechner").waitFor();
  await page.goBack();
  await heading("Bier-Counter").waitFor();

  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar().waitFor();
  await page.evaluate(() => {
    document.querySelector<HTMLElement>("header [aria-label=Menü]")!.click();
    document.querySelector<HTMLElement>("main a[href='/statistics']")!.click();
  });
  await heading("Statistik").waitFor();
  await page.goBack();
  await heading("Bier-Counter").waitFor();
  await page.goBack();
  await heading("Profil").waitFor();
});

test("a sidebar link to the current page closes the sidebar and adds no history entry", async () => {
  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar().getByRole("link", { name: "Bier-Counter" }).click();
  await sidebar().waitFor({ state: "hidden" });
  await page.goBack();
  await heading("Profil").waitFor();
});
