import { expect, type Page } from "@playwright/test";

import { type E2eApp, logIn, waitForSubscription } from "./e2e-app.ts";
import { test } from "./journey.ts";

test.use({ installation: { isAtHome: true }, people: { anna: "Anna", ben: "Ben" } });

test("members log in and see each other's beers over plain http on a home network", async ({ app }) => {
  const anna = await open(app, "anna");
  const ben = await open(app, "ben");
  await anna.getByRole("button", { name: "Bier trinken" }).click();
  await ben.getByText("Prost von Anna!").waitFor();
  for (const page of [anna, ben]) await expect.poll(() => total(page)).toBe("1");
  await anna.getByRole("button", { name: "Rückgängig" }).click();
  for (const page of [anna, ben]) await expect.poll(() => total(page)).toBe("0");
});

const total = (page: Page) => page.locator('[data-counter="group"]').textContent();

/** Logs a member in and waits until the page is subscribed to beers. */
async function open(app: E2eApp, key: string): Promise<Page> {
  const page = await app.newPage();
  const isLive = waitForSubscription(page);
  await page.goto("/login");
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  const { uname, password } = app.members.find((member) => member.key === key)!;
  await logIn(page, uname, password);
  await isLive;
  return page;
}
