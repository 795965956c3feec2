import sharp from "sharp";
import { expect, test } from "vitest";

import type { Manifest } from "#contract/manifest.ts";
import { createE2eApp } from "./e2e-app.ts";
import { recordPolicyViolations } from "./page-checks.ts";

const app = await createE2eApp({ withServiceWorker: true, env: { GROUP_NAME: "Zum Anker" } });
await app.registerMembers("Anna");

test("The browser finds nothing that keeps it from installing the app under the group's name", async () => {
  const page = await app.newPage();
  await recordPolicyViolations(page);
  await page.goto("/");
  await page.getByRole("banner").waitFor();
  const browser = await page.context().newCDPSession(page);
  const { data, errors } = await browser.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data!)).toMatchObject({ name: "Zum Anker", short_name: "Zum Anker", display: "standalone" });
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // Test browsers have no profile that anything could be installed into.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([]);
});

test("Every picture of the manifest is there in the size it is announced with", async () => {
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
  // Phones cut their own shape out of these, so nothing of them may be see-through.
  for (const { src } of icons.filter(({ purpose }) => purpose === "maskable")) {
    const { isOpaque } = await sharp(await (await fetch(`${app.url}${src}`)).arrayBuffer()).stats();
    expect([src, isOpaque]).toEqual([src, true]);
  }
});

test("The guide asks the browser where that is possible, and explains the steps where it is not", async () => {
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
