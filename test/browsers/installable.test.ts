import { expect } from "@playwright/test";
import sharp from "sharp";

import type { Manifest } from "#contract/manifest.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna" }, serviceWorkers: "allow" });

test("the manifest is valid and makes the app installable", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("banner").waitFor();
  const browser = await page.context().newCDPSession(page);
  const { data, errors } = await browser.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data!)).toMatchObject({ name: "Stammtisch", short_name: "Stammtisch", display: "standalone" });
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // Test browsers run in private mode, in which apps cannot be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});

test("every picture in the manifest exists in its declared size", async ({ app }) => {
  const answer = await fetch(`${app.url}/manifest.webmanifest`);
  expect(answer.headers.get("content-type")).toBe("application/manifest+json; charset=utf-8");
  const { icons, shortcuts, screenshots } = (await answer.json()) as Manifest;
  const pictures = [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons), ...screenshots];
  expect(pictures.length).toBeGreaterThan(8);
  for (const { src, sizes, type } of [
    ...pictures,
    { src: "/icons/apple-touch-icon.png", sizes: "180x180", type: "image/png" },
  ]) {
    const picture = await fetch(`${app.url}${src}`);
    expect([src, picture.status, picture.headers.get("content-type")]).toEqual([src, 200, type]);
    const { width, height } = await sharp(await picture.arrayBuffer()).metadata();
    expect([src, `${width}x${height}`]).toEqual([src, sizes]);
  }
  // Phones crop maskable icons to their own shape, so these icons must be opaque.
  for (const { src } of icons.filter(({ purpose }) => purpose === "maskable")) {
    const { isOpaque } = await sharp(await (await fetch(`${app.url}${src}`)).arrayBuffer()).stats();
    expect([src, isOpaque]).toEqual([src, true]);
  }
});

test("the install page opens the browser's install prompt if possible, and otherwise explains the steps", async ({
  app,
}) => {
  const page = await app.loggedInPage("anna");
  await page.getByRole("button", { name: "Anna", exact: true }).click();
  await page.getByRole("menuitem", { name: "App installieren" }).click();
  await page.getByRole("heading", { name: "Chrome und Edge auf dem Computer" }).waitFor();
  await page.getByText("Anderes Gerät?").waitFor();
  const isKept = await page.evaluate(() => {
    const question = new Event("beforeinstallprompt", { cancelable: true });
    return !dispatchEvent(Object.assign(question, { prompt: async () => ({ outcome: "accepted" }) }));
  });
  expect(isKept).toBe(true);
  await page.getByRole("button", { name: "Installieren" }).click();
  await page.locator('[data-flash="success"]').getByText("Die App wird installiert.").waitFor();
  await page.getByRole("heading", { name: "Chrome und Edge auf dem Computer" }).waitFor();
});
