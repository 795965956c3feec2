import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp } from "./e2e-app.ts";

const script = "<script>alert(1)</script><img src=x onerror=alert(2)>";
const names = [
  script,
  "Zoë 🍺👨‍👩‍👧‍👦🏴‍☠️",
  "شلומו שלום הראשון",
  "W".repeat(64),
  "Freiherrin Donaudampfschifffahrtsgesellschaft zu Bier & Brezn 3.",
];

const dialogs: string[] = [];
const narrow = { width: 320, height: 640 };
const app = await createE2eApp();
await app.registerMembers("Ben", "Anna");
const ben = await app.loggedInPage("ben", { viewport: narrow });
const watcher = await app.loggedInPage("anna", { viewport: narrow, channel: "private-beercounter" });
noteDialogs(ben);
noteDialogs(watcher);

test.each(names)("the member name %s is shown as plain text without overflowing a narrow phone", async (name) => {
  await ben.evaluate(async (wanted) => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!);
    const headers = { "x-xsrf-token": token, "content-type": "application/json" };
    const body = JSON.stringify({ uname: "ben", name: wanted, email: "ben@stammtisch.example" });
    await fetch("/api/user/update", { method: "POST", headers, body });
  }, name);
  await ben.goto("/beercounter");

  // The header, the counter and the member's own bar show the name; the page is no wider than the
  // phone.
  await ben.getByRole("button", { name, exact: true }).waitFor();
  await expect.poll(() => ben.getByRole("region", { name: "Zähler" }).textContent()).toContain(name);
  await expect.poll(() => labelOfOwnBar(ben)).toContain(name);
  expect(await overhang(ben)).toBe(0);

  // Another member's phone shows the name in a flash message and in the ranking.
  await ben.getByRole("button", { name: "Bier trinken" }).click();
  const flash = watcher.locator("[data-flash]", { hasText: `Prost von ${name}!` });
  const { overhanging, left, right } = await flash.evaluate((card) => ({
    ...card.getBoundingClientRect().toJSON(),
    overhanging: document.documentElement.scrollWidth - innerWidth,
  }));
  expect(overhanging).toBe(0);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(narrow.width);
  const ranking = watcher.getByRole("region", { name: "Die Säufer" });
  const bar = ranking.getByRole("listitem").filter({ has: watcher.getByTitle(name, { exact: true }) });
  await expect.poll(() => bar.textContent()).toContain(name);

  // The account menu, which opens below the name, is entirely inside the window.
  await ben.getByRole("button", { name, exact: true }).click();
  await ben.getByRole("menuitem", { name: "Profil" }).waitFor();
  expect(await overhang(ben)).toBe(0);
  const menu = (await ben.getByRole("menu").boundingBox())!;
  expect(menu.x).toBeGreaterThanOrEqual(0);
  expect(menu.x + menu.width).toBeLessThanOrEqual(narrow.width);
  expect(dialogs).toEqual([]);
});

function noteDialogs(page: Page): void {
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
}

const labelOfOwnBar = (page: Page) => page.locator("li", { has: page.locator("[data-own]") }).textContent();

const overhang = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
