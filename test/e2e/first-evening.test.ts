import { expect, type Page } from "@playwright/test";

import { laptop, logIn, waitForSubscription } from "./e2e-app.ts";
import { test } from "./journey.ts";

test.use({ installation: { own: "the first evening" }, serviceWorkers: "allow" });

const password = "Zapfhahn-im-Keller-3";

test("two members register on an empty server, and both screens show their beers before and after a power cut", async ({
  app,
}) => {
  const [, link] = /(http:\S+\/register#token=\S+)/.exec(app.stdout()) ?? [];
  expect(link).toBeDefined();
  expect(app.stdout().trim().split("\n")).toHaveLength(1);

  // Anna opens the link that the server printed: the form already contains the token.
  const anna = await app.newPage();
  await anna.goto(link!);
  await register(anna, "anna", "Anna");
  await logIn(anna, "anna", password);
  await anna.waitForURL("**/welcome");
  await anna.getByLabel("Name").fill("Kegelfreunde");
  await anna.getByRole("button", { name: "Weiter" }).click();
  await anna.getByRole("heading", { name: "Hol deine Runde dazu" }).waitFor();
  await anna.getByRole("link", { name: "Zum Bier-Counter" }).click();
  await anna.waitForURL("**/beercounter");

  // Anna invites Ben, who uses a laptop.
  const { url } = await app.runCommand<{ url: string }>("invite", "create");
  const ben = await app.newPage({ viewport: laptop });
  await ben.goto(url);
  await register(ben, "ben", "Ben");
  const isBenLive = waitForSubscription(ben);
  await logIn(ben, "ben", password);
  await ben.waitForURL("**/beercounter");
  await isBenLive;
  await expect.poll(() => total(ben)).toBe("0");

  // One tap updates both screens.
  await anna.getByRole("button", { name: "Bier trinken" }).click();
  const [said] = await Promise.all([
    anna
      .locator("[data-flash]")
      .evaluate((flash) => ({ text: flash.textContent, width: flash.getBoundingClientRect().width })),
    ben.locator("[data-flash]").getByText("Prost von Anna!").waitFor(),
  ]);
  await expect.poll(() => total(anna)).toBe("1");
  await expect.poll(() => total(ben)).toBe("1");
  expect(said.text).toMatch(/!$/);
  expect(said.width).toBeGreaterThanOrEqual(250);
  await expect.poll(() => own(anna)).toBe("1");
  expect(await own(ben)).toBe("0");

  // Two quick taps book two beers.
  const button = ben.getByRole("button", { name: "Bier trinken" });
  await button.click();
  await button.click();
  await expect.poll(() => total(anna)).toBe("3");
  await expect.poll(() => total(ben)).toBe("3");
  await expect.poll(() => own(ben)).toBe("2");
  await expect.poll(() => ben.getByRole("region", { name: "Die Säufer" }).locator("[data-own]").count()).toBe(1);

  // After a power cut, both pages reconnect automatically and show every beer.
  await app.kill();
  await app.start();
  await ben.reload();
  await expect.poll(() => total(ben)).toBe("3");
  await expect.poll(() => own(ben)).toBe("2");
  await ben.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => total(anna), { timeout: 30_000 }).toBe("4");
});

async function register(page: Page, uname: string, name: string): Promise<void> {
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toMatch(/^[0-9A-Z-]{30}$/);
  await page.getByLabel("Benutzername").fill(uname);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-Mail-Adresse").fill(`${uname}@stammtisch.example`);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByLabel("Passwort bestätigen").fill(password);
  await page.getByRole("button", { name: "Account erstellen" }).click();
  await page.waitForURL(/\/login/);
}

const total = (page: Page) => page.locator('[data-counter="group"]').textContent();
const own = (page: Page) => page.locator('[data-counter="own"]').textContent();
