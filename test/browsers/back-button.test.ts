import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import { fixtures } from "#test/fixtures.ts";
import { upload } from "#test/upload.ts";

test.use({ people: { anna: "Anna" } });

let page: Page;

/** Opens the counter after the profile, so that going back leads to the profile. */
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("anna");
  await page.goto("/profile");
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
});

/** Waits until the browser has left the history entries of closed layers, which it does asynchronously. */
async function waitUntilLayersAreLeft(): Promise<void> {
  await expect.poll(() => page.evaluate(() => (history.state as { layer?: number }).layer ?? 0)).toBe(0);
}

const sidebar = () => page.getByRole("navigation", { name: "Seitenleiste" });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });

const layers = [
  { button: "Menü", find: sidebar, focused: "header button:focus", key: "Escape" },
  { button: "Anna", find: () => page.getByRole("menu"), focused: "[role=menu] :focus", key: "Tab" },
  {
    button: "Verlauf",
    find: () => page.getByRole("dialog", { name: "Verlauf" }),
    focused: "dialog :focus",
    key: "Escape",
  },
];

test(
  "going back closes the sidebar, the account menu or a dialog on the same page, and going forward does not reopen it",
  { tag: "@firefox" },
  async () => {
    for (const { button, find } of layers) {
      for (const isAgain of [false, true]) {
        await page.getByRole("button", { name: button, exact: true }).click();
        await find().waitFor();
        await page.goBack();
        await find().waitFor({ state: "hidden" });
        expect(new URL(page.url()).pathname, `${button} ${isAgain}`).toBe("/beercounter");
      }
      await page.goForward();
      await waitUntilLayersAreLeft();
      expect(await find().isVisible()).toBe(false);
    }
    await page.goBack();
    await heading("Profil").waitFor();
  },
);

test(
  "going back leaves the page after the sidebar, the account menu and a dialog have been closed with the keyboard",
  { tag: "@firefox" },
  async () => {
    const entries = await page.evaluate(() => history.length);
    for (const { button, focused, key } of layers) {
      for (let times = 0; times < 3; times++) {
        await page.getByRole("button", { name: button, exact: true }).click();
        await expect.poll(() => page.evaluate(() => history.length)).toBe(entries + 1);
        // Waits for the focus to move into the open layer, because keys are sent to the focused
        // element.
        await page.locator(focused).waitFor();
        await page.keyboard.press(key);
      }
      await heading("Bier-Counter").waitFor();
      await waitUntilLayersAreLeft();
    }
    await page.goBack();
    await heading("Profil").waitFor();
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

test("going back closes a confirmation over a dialog before the dialog itself", async ({ app }) => {
  const anna = await app.loggedInClient("anna");
  expect((await upload(anna, fixtures.png)).status).toBe(201);
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
  await heading("Profil").waitFor();
});

test("after a reload with an open dialog, the next dialog reuses the history entry of the first", async () => {
  await page.getByRole("button", { name: "Verlauf" }).click();
  await page.getByRole("dialog").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Verlauf" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Fertig" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.goBack();
  await heading("Profil").waitFor();
});
