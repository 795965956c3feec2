import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { upload } from "#test/upload.ts";
import { createE2eApp } from "./e2e-app.ts";

const app = await createE2eApp();
await app.registerMembers("Anna", "Ben");
await app.runCommand("user", "grant", "anna", "admin");

/** Opens the counter after the profile, so that going back leads to the profile. */
async function openCounter(): Promise<Page> {
  const page = await app.loggedInPage("anna", { path: "/profile" });
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
  return page;
}

/** Waits until the browser has left the history entries of closed layers, which it does asynchronously. */
async function waitUntilLayersAreLeft(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => (history.state as { layer?: number }).layer ?? 0)).toBe(0);
}

const sidebar = (page: Page) => page.getByRole("navigation", { name: "Seitenleiste" });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

test.each([
  { layer: "the sidebar", button: "Menü", find: sidebar },
  { layer: "the account menu", button: "Anna", find: (page: Page) => page.getByRole("menu") },
  { layer: "a dialog", button: "Verlauf", find: (page: Page) => page.getByRole("dialog", { name: "Verlauf" }) },
])(
  "going back closes $layer without leaving the page, and going forward does not reopen the layer",
  async ({ button, find }) => {
    const page = await openCounter();
    for (const isAgain of [false, true]) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await find(page).waitFor();
      await page.goBack();
      await find(page).waitFor({ state: "hidden" });
      expect(new URL(page.url()).pathname, String(isAgain)).toBe("/beercounter");
    }
    await page.goForward();
    await waitUntilLayersAreLeft(page);
    await page.goBack();
    await heading(page, "Profil").waitFor();
  },
);

test.each([
  { layer: "the sidebar", button: "Menü", focused: "header button:focus", key: "Escape" },
  { layer: "the account menu", button: "Anna", focused: "[role=menu] :focus", key: "Tab" },
  { layer: "a dialog", button: "Verlauf", focused: "dialog :focus", key: "Escape" },
])("going back leaves the page after $layer has been closed with the keyboard", async ({ button, focused, key }) => {
  const page = await openCounter();
  const entries = await page.evaluate(() => history.length);
  for (let times = 0; times < 3; times++) {
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect.poll(() => page.evaluate(() => history.length)).toBe(entries + 1);
    // Waits for the focus to move into the open layer, because keys are sent to the focused
    // element.
    await page.locator(focused).waitFor();
    await page.keyboard.press(key);
  }
  await heading(page, "Bier-Counter").waitFor();
  await waitUntilLayersAreLeft(page);
  await page.goBack();
  await heading(page, "Profil").waitFor();
});

test("a sidebar link, or a page link clicked while the sidebar closes, adds exactly one history entry", async () => {
  const page = await openCounter();
  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar(page).getByRole("link", { name: "Größenrechner" }).click();
  await heading(page, "Der Fabulöse Größenrechner").waitFor();
  await page.goBack();
  await heading(page, "Bier-Counter").waitFor();

  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar(page).waitFor();
  await page.evaluate(() => {
    document.querySelector<HTMLElement>("header [aria-label=Menü]")!.click();
    document.querySelector<HTMLElement>("main a[href='/statistics']")!.click();
  });
  await heading(page, "Statistik").waitFor();
  await page.goBack();
  await heading(page, "Bier-Counter").waitFor();
  await page.goBack();
  await heading(page, "Profil").waitFor();
});

test("a sidebar link to the current page closes the sidebar and adds no history entry", async () => {
  const page = await openCounter();
  await page.getByRole("button", { name: "Menü" }).click();
  await sidebar(page).getByRole("link", { name: "Bier-Counter" }).click();
  await sidebar(page).waitFor({ state: "hidden" });
  await page.goBack();
  await heading(page, "Profil").waitFor();
});

test("going back closes a confirmation over a dialog before the dialog itself", async () => {
  const anna = await app.loggedInClient("anna");
  expect((await upload(anna, fixtures.png)).status).toBe(201);
  const page = await openCounter();
  await page.goBack();
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  const dialog = page.getByRole("dialog", { name: "Profilbild auswählen" });
  const question = page.getByRole("dialog", { name: "Profilbild 1 löschen?" });
  for (const close of [() => page.goBack(), () => question.getByRole("button", { name: "Abbrechen" }).click()]) {
    await dialog.getByRole("button", { name: "Profilbild 1 löschen" }).click();
    await question.waitFor();
    await close();
    await question.waitFor({ state: "hidden" });
    expect(await dialog.isVisible()).toBe(true);
  }
  await page.goBack();
  await dialog.waitFor({ state: "hidden" });
  await heading(page, "Profil").waitFor();
});

test("after a reload with an open dialog, the next dialog reuses the history entry of the first", async () => {
  const page = await openCounter();
  await page.getByRole("button", { name: "Verlauf" }).click();
  await page.getByRole("dialog").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Verlauf" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Fertig" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.goBack();
  await heading(page, "Profil").waitFor();
});
