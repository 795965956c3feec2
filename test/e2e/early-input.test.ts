import { expect, type Page } from "@playwright/test";

import type { E2eApp } from "./e2e-app.ts";
import { test } from "./journey.ts";
import { seriousViolations } from "./page-checks.ts";

test.use({ people: { anna: "Anna", ben: "Ben" } });

interface Beer {
  readonly uname: string;
  readonly kind?: string;
  readonly at: string;
}

const early = (page: Page, name: string) => page.locator("#placeholder").getByRole("button", { name, exact: true });
const earlyCounts = (page: Page) => page.locator("#placeholder [data-early-count]").allTextContents();

/** Opens or reloads a page; the returned function lets the app's code arrive and waits for the app. */
async function openWithoutApp(page: Page, path?: string): Promise<() => Promise<void>> {
  const mayCome = Promise.withResolvers<void>();
  await page.route("**/app-*.js", async (route) => {
    await mayCome.promise;
    await route.continue().catch(() => undefined);
  });
  const left = page.waitForEvent("framenavigated");
  const arrived = path === undefined ? page.reload() : page.goto(path);
  arrived.catch(() => undefined);
  await left;
  await expect.poll(() => page.locator("#placeholder h1").isVisible()).toBe(true);
  return async () => {
    mayCome.resolve();
    await arrived;
  };
}

test.describe("before the app has started", () => {
  let app: E2eApp;
  let page: Page;
  /** Numbers of beers before the test. */
  let before: { own: number; group: number };

  const booked = () => app.runCommand<Beer[]>("beers", "export");
  const ownBeers = async () => (await booked()).filter(({ uname }) => uname === app.members[0]!.uname);

  test.beforeEach(async ({ app: opened }) => {
    app = opened;
    page = await app.keptPage("anna");
    before = { own: (await ownBeers()).length, group: (await booked()).length };
  });

  async function expectTaps(taps: number): Promise<void> {
    await expect.poll(() => page.locator("[data-counter=own]").textContent()).toBe(String(before.own + taps));
    await expect.poll(async () => (await ownBeers()).length).toBe(before.own + taps);
  }

  const countsAfter = (taps: number) => [String(before.group + taps), String(before.own + taps)];

  test("taps count at once, and each is booked once, with its kind and time", async () => {
    const arrive = await openWithoutApp(page, "/beercounter");
    await early(page, "Bier trinken").click();
    await early(page, "0,0 trinken").click();
    await early(page, "Bier trinken").press("Enter");
    const tappedAt = Date.now();
    expect(await earlyCounts(page)).toEqual(countsAfter(3));
    expect((await ownBeers()).length).toBe(before.own);
    await arrive();
    await expectTaps(3);
    await page.getByRole("button", { name: "Rückgängig" }).waitFor();
    const beers = (await ownBeers()).slice(-3);
    expect(beers.map(({ kind }) => kind).toSorted()).toEqual(["0,0", undefined, undefined]);
    for (const { at } of beers) expect(Math.abs(Date.parse(at) - tappedAt)).toBeLessThan(5000);
    await page.reload();
    await expectTaps(3);
  });

  test("taps survive a reload and a closed page, and are still shown", { tag: "@firefox" }, async () => {
    page = await app.loggedInPage("anna", { path: "about:blank" });
    await openWithoutApp(page, "/beercounter");
    await early(page, "Bier trinken").click();
    expect(await earlyCounts(page)).toEqual(countsAfter(1));
    await openWithoutApp(page);
    await expect.poll(() => earlyCounts(page)).toEqual(countsAfter(1));
    await early(page, "Bier trinken").click();
    const context = page.context();
    await page.close();
    page = await context.newPage();
    await page.goto("/beercounter");
    await expectTaps(2);
    await page.reload();
    await expectTaps(2);
  });

  test("a press that lasts until the app could start counts as one tap", { tag: "@firefox" }, async () => {
    const arrive = await openWithoutApp(page, "/beercounter");
    await early(page, "Bier trinken").hover();
    await page.mouse.down();
    const arrived = arrive();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector("#root")!).some((key) => key.startsWith("__react")),
    );
    // React has nothing left to render.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(await page.locator("#placeholder").count()).toBe(1);
    await page.mouse.up();
    await arrived;
    await expectTaps(1);
  });

  test("taps after a logout in another tab are not counted", async () => {
    page = await app.loggedInPage("anna", { path: "about:blank" });
    // Opens the counter once, so that the browser has stored the member.
    await page.goto("/beercounter");
    await openWithoutApp(page);
    const other = await page.context().newPage();
    await other.goto("/beercounter");
    await other.getByRole("button", { name: "Anna", exact: true }).click();
    await other.getByRole("menuitem", { name: "Logout" }).click();
    await other.waitForURL(`${app.url}/`);
    await early(page, "Bier trinken").click();
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /tap|mine/.test(key)))).toEqual([]);
    expect(await earlyCounts(page)).toEqual(countsAfter(0));
  });

  test("a tap of a member whose session has ended waits for that member's next login", async () => {
    page = await app.loggedInPage("anna", { path: "about:blank" });
    await openWithoutApp(page, "/beercounter");
    await early(page, "Bier trinken").click();
    await page.context().clearCookies();
    await page.unrouteAll();
    const [anna, ben] = app.members;
    for (const { uname, password } of [ben!, anna!]) {
      await page.goto("/login");
      await page.getByLabel("Benutzername").fill(uname);
      await page.getByLabel("Passwort", { exact: true }).fill(password);
      await page.getByLabel("Passwort", { exact: true }).press("Enter");
      await page.getByRole("button", { name: "Bier trinken" }).waitFor();
      if (uname === ben!.uname) await page.context().clearCookies();
    }
    await expectTaps(1);
    expect((await booked()).length).toBe(before.group + 1);
  });

  test("only the beer buttons can be focused", async () => {
    await openWithoutApp(page, "/beercounter");
    expect(await readTabStops(page)).toEqual(["Bier trinken", "0,0"]);
    expect(await seriousViolations(page)).toEqual([]);
  });
});

test.describe("the login form before the app has started", () => {
  test("keeps what is typed, with focus and caret", { tag: "@firefox" }, async ({ page }) => {
    const arrive = await openWithoutApp(page, "/login");
    await page.getByLabel("Benutzername").pressSequentially("anna");
    expect(await page.getByLabel("Eingeloggt bleiben").isChecked()).toBe(true);
    await page.getByLabel("Eingeloggt bleiben").click();
    await page.getByText("Passwort", { exact: true }).click();
    await page.keyboard.type("abcd");
    await page.keyboard.press("ArrowLeft");
    await arrive();
    await page.keyboard.type("X");
    expect(await page.getByLabel("Passwort", { exact: true }).inputValue()).toBe("abcXd");
    expect(await page.getByLabel("Benutzername").inputValue()).toBe("anna");
    expect(await page.getByLabel("Eingeloggt bleiben").isChecked()).toBe(false);
  });

  test(
    "has only the fields and the login button as controls, and is sent once the app has started if it was sent before",
    { tag: "@firefox" },
    async ({ app, page }) => {
      const arrive = await openWithoutApp(page, "/login");
      expect(await readTabStops(page)).toEqual(["Benutzername", "Passwort", "Eingeloggt bleiben", "Login"]);
      expect(await seriousViolations(page)).toEqual([]);
      const { uname, password } = app.members[0]!;
      await page.getByLabel("Benutzername").fill(uname);
      await page.getByLabel("Passwort", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      expect(page.url()).toBe(`${app.url}/login`);
      await arrive();
      await page.getByRole("button", { name: "Bier trinken" }).waitFor();
    },
  );
});

/** Presses Tab from the start of the page until the focus leaves the page; returns the names of the focused elements. */
async function readTabStops(page: Page): Promise<string[]> {
  const stops: string[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const { activeElement: found, body } = document;
      return found === body ? null : ((found as HTMLInputElement).labels?.[0] ?? found)!.textContent;
    });
    if (name === null || stops.includes(name)) return stops;
    stops.push(name);
  }
}
