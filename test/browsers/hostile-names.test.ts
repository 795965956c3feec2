import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";

const script = "<script>alert(1)</script><img src=x onerror=alert(2)>";
const names = [
  script,
  "Zoë 🍺👨‍👩‍👧‍👦🏴‍☠️",
  "شلומו שלום הראשון",
  "W".repeat(64),
  "Freiherrin Donaudampfschifffahrtsgesellschaft zu Bier & Brezn 3.",
];

const narrow = { width: 320, height: 640 };
test.use({ people: { ben: "Ben", anna: "Anna" }, viewport: narrow });

test("hostile member names are shown as plain text without overflowing a narrow phone", async ({ app }) => {
  const dialogs: string[] = [];
  const ben = await app.loggedInPage("ben", { path: "about:blank" });
  const watcher = await app.loggedInPage("anna", { channel: "private-beercounter" });
  for (const page of [ben, watcher])
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  const client = await app.loggedInClient("ben");
  const { uname } = app.members[0]!;
  for (const name of names) {
    const form = { uname, name, email: `${uname}@stammtisch.example` };
    expect((await client.post("/api/user/update", form)).status).toBe(200);
    await ben.goto("/beercounter");
    await expectSound(ben, watcher, name);
  }
  expect(dialogs).toEqual([]);
});

async function expectSound(ben: Page, watcher: Page, name: string): Promise<void> {
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
}

const labelOfOwnBar = (page: Page) => page.locator("li", { has: page.locator("[data-own]") }).textContent();

const overhang = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
