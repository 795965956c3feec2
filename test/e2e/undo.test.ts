import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
let anna: Page;
let ben: Page;
beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Anna", "Ben");
  anna = await app.loggedInPage("anna", { channel: "private-beercounter" });
  ben = await app.loggedInPage("ben", { channel: "private-beercounter" });
  await anna.clock.install();
});
afterAll(() => app.close());

test("A beer tapped by mistake is taken back at once, and gone from everybody's screen", async () => {
  for (let taps = 0; taps < 3; taps++) await anna.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => shown(ben)).toEqual(["3", "0"]);
  await expect.poll(() => bar(ben, "Anna")).toContain("3");

  await anna.getByRole("button", { name: "Rückgängig" }).click();
  await expect.poll(() => shown(anna)).toEqual(["2", "2"]);
  await expect.poll(() => shown(ben)).toEqual(["2", "0"]);
  await expect.poll(() => bar(ben, "Anna")).toContain("2");
  await expect.poll(() => anna.locator("[data-flash]").textContent()).toContain("Ein Bier zurückgenommen.");
  expect(await ben.locator("[data-flash]").filter({ hasText: "zurück" }).count()).toBe(0);

  // Next comes the tap before.
  await anna.getByRole("button", { name: "Rückgängig" }).click();
  await expect.poll(() => shown(ben)).toEqual(["1", "0"]);
  await expect.poll(async () => (await booked()).length).toBe(1);
  expect(await shown(anna)).toEqual(["1", "1"]);
});

test("The offer ends after ten seconds; the history keeps it for a quarter of an hour", async () => {
  const offer = anna.getByRole("button", { name: "Rückgängig" });
  await offer.waitFor();
  await anna.clock.fastForward(10_000);
  await offer.waitFor({ state: "detached" });
  await anna.getByRole("button", { name: "Verlauf" }).click();
  const history = anna.getByRole("dialog", { name: "Verlauf" });
  await expect.poll(() => history.getByRole("listitem").count()).toBe(1);
  await history.getByRole("button", { name: /^Bier von \d\d:\d\d entfernen$/ }).click();
  await history.getByText("Noch ganz trocken hier.").waitFor();
  await expect.poll(() => shown(ben)).toEqual(["0", "0"]);
  await ben.getByText("Noch nichts getrunken diese Woche!").waitFor();
  expect(await booked()).toEqual([]);
  await anna.keyboard.press("Escape");
  await expect.poll(() => shown(anna)).toEqual(["0", "0"]);
});

test("While others drink, a count that must go down still goes down", async () => {
  await anna.getByRole("button", { name: "Bier trinken" }).click();
  await anna.getByRole("button", { name: "Rückgängig" }).click();
  const beers = 20;
  for (let taps = 0; taps < beers; taps++) await ben.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => shown(anna)).toEqual([String(beers), "0"]);
  await expect.poll(() => shown(ben)).toEqual([String(beers), String(beers)]);
  expect((await booked()).length).toBe(beers);
});

const booked = () => app.runCommand<unknown[]>("beers", "export");
const shown = (page: Page) =>
  Promise.all(["group", "own"].map((whose) => page.locator(`[data-counter="${whose}"]`).textContent()));
const bar = (page: Page, name: string) =>
  page.getByRole("region", { name: "Die Säufer" }).getByRole("listitem").filter({ hasText: name }).textContent();
