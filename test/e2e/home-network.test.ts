import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp, logIn, waitForSubscription } from "./e2e-app.ts";

const app = await createE2eApp({ isAtHome: true });
await app.registerMembers("Anna", "Ben");

test("members log in and see each other's beers over plain http on a home network", async () => {
  const anna = await open("anna");
  const ben = await open("ben");
  await anna.getByRole("button", { name: "Bier trinken" }).click();
  await ben.getByText("Prost von Anna!").waitFor();
  for (const page of [anna, ben]) await expect.poll(() => total(page)).toBe("1");
  await anna.getByRole("button", { name: "Rückgängig" }).click();
  for (const page of [anna, ben]) await expect.poll(() => total(page)).toBe("0");
});

const total = (page: Page) => page.locator('[data-counter="group"]').textContent();

/** Logs a member in and waits until the page is subscribed to beers. */
async function open(uname: string): Promise<Page> {
  const page = await app.newPage();
  const isLive = waitForSubscription(page);
  await page.goto("/login");
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await logIn(page, uname, app.members.find((member) => member.uname === uname)!.password);
  await isLive;
  return page;
}
