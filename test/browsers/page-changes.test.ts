import { expect } from "@playwright/test";

import { logIn } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { readTapDelay, startTapWatch } from "#test/e2e/page-checks.ts";

// Pages slide in, unless the browser asks for reduced motion.
test.use({ people: { greta: "Greta" }, contextOptions: { reducedMotion: "no-preference" } });

test(
  "a tap on the beer button books a beer as soon as the button is visible after a login",
  { tag: "@firefox" },
  async ({ app, page }) => {
    const { uname, password } = app.members[0]!;
    await page.goto("/login");
    await logIn(page, uname, password);
    const button = page.getByRole("button", { name: "Bier trinken" });
    await button.waitFor();
    const { x, y, width, height } = (await button.boundingBox())!;
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect.poll(() => page.locator("[data-counter=own]").textContent()).toBe("1");
  },
);

test(
  "the controls of the next page can be tapped from the first frame in which the page is visible",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("greta", { path: "/profile" });
    for (const { link, ...target } of [
      { link: "Größenrechner", heading: "Der Fabulöse Größenrechner", control: "main input" },
      { link: "Partys", heading: "Partys", control: "main button" },
      { link: "Bier-Counter", heading: "Bier-Counter", control: "#drink-beer" },
    ]) {
      await page.evaluate(startTapWatch, target);
      await page.getByRole("button", { name: "Menü" }).click();
      await page.getByRole("navigation", { name: "Seitenleiste" }).getByRole("link", { name: link }).click();
      expect(await page.evaluate(readTapDelay), link).toBe(0);
    }
  },
);
