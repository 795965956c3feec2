import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { laptop, createE2eApp, phone } from "#test/e2e/e2e-app.ts";
import { checkPage } from "#test/e2e/page-checks.ts";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

let anna: Page;
let ben: Page;
let tv: Page;

const app = await createE2eApp();
await app.registerMembers("Anna", "Ben");
await app.runCommand("user", "grant", "anna", "admin");
await drunkBefore("ben", 98);

/** Imports beers with times before this test, as if from a paper list. */
async function drunkBefore(uname: string, count: number): Promise<void> {
  const file = join(createTemporaryFolder(), "beers.jsonl");
  const lines = Array.from({ length: count }, (_, second) => ({ uname, at: new Date(1e12 + second * 1000) }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  await app.runCommand("beers", "import", file);
}

const total = () => tv.locator("[data-counter=group]").textContent();
const drink = (page: Page) => page.getByRole("button", { name: "Bier trinken" }).click();

test("a TV shows beers without a login once an administrator has entered the TV's code", async () => {
  tv = await app.newPage({ viewport: { width: 1920, height: 1080 } });
  await tv.goto("/tv");
  await tv.getByRole("img", { name: "Fernseher verbinden als QR-Code" }).waitFor();
  await checkPage(tv, "/tv with a code");
  const code = (await tv.locator("[data-tv-code]").textContent())!;

  anna = await app.loggedInPage("anna");
  await anna.goto("/admin/tv");
  await anna.getByText("Noch kein Fernseher.").waitFor();
  await anna.getByLabel("Code", { exact: true }).fill("AAAAAA");
  await anna.getByLabel("Wo steht er?").fill("Theke");
  await anna.getByRole("button", { name: "Verbinden", exact: true }).click();
  await anna.getByText("Dieser Code stimmt nicht").waitFor();
  await anna.getByLabel("Code", { exact: true }).fill(code.toLowerCase());
  await anna.getByRole("button", { name: "Verbinden", exact: true }).click();
  await anna.getByText("„Theke“ ist verbunden.").waitFor();

  await expect.poll(total).toBe("98");
  expect(await tv.getByRole("region", { name: "Die Säufer" }).getByRole("listitem").allTextContents()).toEqual([
    "Ben98",
    "Anna0",
  ]);
  expect(await tv.getByRole("banner").getByRole("button").count()).toBe(0);
  await tv.reload();
  await expect.poll(total).toBe("98");
});

test("a TV link connects a second TV, and the link's token is removed from the address bar", async () => {
  await anna.getByRole("button", { name: "Mit Link verbinden" }).click();
  const dialog = anna.getByRole("dialog");
  await dialog.getByLabel("Wo steht er?").fill("Keller");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  const link = (await dialog.locator("[data-copied]").textContent())!;
  await dialog.getByRole("img", { name: "Fernseher als QR-Code" }).waitFor();
  await dialog.getByRole("button", { name: "Fertig" }).click();
  const other = await app.newPage({ viewport: laptop });
  await other.goto(link);
  await other.locator("[data-counter=group]").waitFor();
  expect(other.url()).toBe(`${app.url}/tv`);
  await other.close();
});

test("a beer tapped on a phone appears on the TV", async () => {
  await anna.goto("/beercounter");
  await drink(anna);
  await tv.getByText("Prost, Anna!").waitFor();
  await expect.poll(total).toBe("99");
  const latest = tv.getByRole("region", { name: "Zuletzt" }).getByRole("listitem");
  expect(await latest.first().textContent()).toBe("Annagerade eben");
});

test("the group's hundredth beer is celebrated on every screen without covering the beer button", async () => {
  ben = await app.loggedInPage("ben", { viewport: laptop, channel: "private-beercounter" });
  await drink(ben);
  const moments = [anna, ben, tv].map((page) => page.getByRole("status").filter({ hasText: "Unser 100. Bier" }));
  await Promise.all(moments.map((moment) => moment.waitFor()));
  expect(await moments[0]!.textContent()).toContain("gezapft von Ben");
  expect(await moments[1]!.textContent()).toContain("gezapft von dir");
  await anna.getByText("Prost von Ben!").waitFor();
  // Playwright clicks the beer button only if the celebration does not cover it.
  await drink(anna);
  await expect.poll(total).toBe("101");
  await Promise.all(moments.map((moment) => moment.waitFor({ state: "detached" })));
});

test("a TV shows a notice while the server is down, and recovers automatically", async () => {
  await app.kill();
  const notice = tv.getByText(/Keine Verbindung – Stand von/);
  await notice.waitFor({ timeout: 30_000 });
  for (const size of [phone, { width: 1920, height: 1080 }]) {
    await tv.setViewportSize(size);
    const { x, y, width, height } = (await notice.boundingBox())!;
    expect(Math.min(x, y, size.width - x - width, size.height - y - height), `${size.width} px`).toBeGreaterThan(0);
  }
  expect(await total()).toBe("101");
  await app.start();
  await tv.getByText(/Keine Verbindung/).waitFor({ state: "detached", timeout: 40_000 });
  await checkPage(tv, "/tv with a link");
});

test("a TV whose link was revoked shows a new code, which connects the TV again", async () => {
  await anna.goto("/admin/tv");
  await anna.getByText("zuletzt an:").first().waitFor();
  await anna.getByRole("button", { name: "Theke zurückziehen" }).click();
  await anna.getByRole("dialog").getByRole("button", { name: "Zurückziehen" }).click();
  await tv.getByRole("heading", { name: "Dieser Fernseher ist abgemeldet" }).waitFor();
  expect(await tv.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("tv")))).toEqual([]);
  const code = (await tv.locator("[data-tv-code]").textContent())!;
  // Opens the address that a phone's camera reads from the QR code on the TV.
  await anna.goto(`/admin/tv#code=${code}`);
  expect(await anna.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
  await anna.getByLabel("Wo steht er?").fill("Theke");
  await anna.getByRole("button", { name: "Verbinden", exact: true }).click();
  await expect.poll(total).toBe("101");
  expect(anna.url()).toBe(`${app.url}/admin/tv`);
});

test.each([
  ["Firefox", openFirefox],
  ["WebKit", openWebKit],
])("a TV in %s shows a code, and shows beers once the code has been entered", async (engine, open) => {
  const browser = await open({ width: 1280, height: 720 });
  endWithTest(() => browser.close());
  await browser.goto(`${app.url}/tv`);
  const read = (selector: string) =>
    browser.evaluate((found: string) => document.querySelector(found)?.textContent ?? "", selector);
  await expect.poll(() => read("[data-tv-code]")).toHaveLength(6);
  const code = await read("[data-tv-code]");
  await anna.getByLabel("Code", { exact: true }).fill(code);
  await anna.getByLabel("Wo steht er?").fill(engine);
  await anna.getByRole("button", { name: "Verbinden", exact: true }).click();
  await expect.poll(() => read("[data-counter=group]")).toBe("101");
});
