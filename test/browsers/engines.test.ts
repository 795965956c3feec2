import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import { expectSoundLayout } from "./layout.ts";

// Promises that browser engines keep differently. test/browsers/webkit.test.ts proves them in WebKit.
test.use({ people: { anna: "Anna", ben: "Ben" } });

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

test(
  "closing a dialog restores the focus of its opener, after a tap without a focus ring",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("anna");
    const dialog = page.getByRole("dialog", { name: "Verlauf" });
    const opener = page.getByRole("button", { name: "Verlauf" });
    await opener.click();
    await dialog.waitFor();
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("h2");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Verlauf");

    await opener.click();
    await dialog.getByRole("button", { name: "Fertig" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Verlauf");
    expect(await opener.evaluate((button) => button.matches(":focus-visible"))).toBe(false);
  },
);

test(
  "tapping and undoing a beer does not move the beer button, and another member's beer appears without a reload",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("anna");
    const evaluate = (find: () => string[]) => page.evaluate(find);
    const button = page.getByRole("button", { name: "Bier trinken" });
    const own = page.locator("[data-counter=own]");
    const flash = page.locator("[data-flash]");
    await expect(own).toHaveText("0");
    /** Returns the button's position relative to the document, because a click may scroll the page. */
    const findPlace = () =>
      button.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect();
        return { left: left + scrollX, top: top + scrollY };
      });
    const place = await findPlace();
    await button.click();
    await flash.waitFor();
    expect((await flash.boundingBox())!.height).toBeLessThan(120);
    await expect(own).toHaveText("1");
    await expectSoundLayout(evaluate);
    await page.getByRole("button", { name: "Rückgängig" }).click();
    await expect(own).toHaveText("0");
    await flash.waitFor({ state: "detached" });
    expect(await findPlace()).toEqual(place);

    const ben = await app.loggedInClient("ben");
    await Promise.all([page.getByText("Prost von Ben!").waitFor(), ben.post("/api/beercounter/counters")]);
    await expectSoundLayout(evaluate);
  },
);

test(
  "a focused element is entirely visible, and a dialog that is higher than the window shows its title first",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("anna", { path: "/profile" });
    await page.getByLabel("Benutzername").click();
    for (let stops = 0; stops < 9; stops++) {
      await page.keyboard.press("Tab");
      await expect.poll(() => page.evaluate(isFocusInSight)).toBe(true);
    }
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);

    await page.evaluate(() => void (document.documentElement.style.fontSize = "200%"));
    await page.getByRole("heading", { name: "Sicherheit und Daten" }).click();
    await page.getByRole("button", { name: "Account löschen …" }).click();
    const title = page.getByRole("dialog").getByRole("heading", { name: "Account löschen" });
    await title.waitFor();
    await expect(title).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

test(
  "the last link of the sidebar and the logout are visible on a phone in landscape",
  { tag: "@firefox" },
  async ({ app }) => {
    await app.grant("anna", "admin");
    const page = await app.loggedInPage("anna", { viewport: { width: 740, height: 340 } });
    await page.getByRole("button", { name: "Menü" }).click();
    await expect(page.locator("#sidebar").getByRole("link", { name: "Verwaltung" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Anna", exact: true }).click();
    await expect(page.getByRole("menuitem", { name: "Logout" })).toBeInViewport({ ratio: 1 });
  },
);

/** Returns `true` if the focused element is between the header and the end of the window. Runs in the page. */
function isFocusInSight(): boolean {
  const { top, bottom } = document.activeElement!.getBoundingClientRect();
  return top >= document.querySelector("header")!.getBoundingClientRect().bottom && bottom <= innerHeight;
}
