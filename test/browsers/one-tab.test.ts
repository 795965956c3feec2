import { expect, type Page, type WebSocket } from "@playwright/test";

import { type E2eApp, logIn, waitForSubscription } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna", ben: "Ben", greta: "Greta" } });

test("three members who log in one after another in the same tab see no data of the previous member", async ({
  app,
}) => {
  // The service worker must keep nothing, either.
  const tab = await app.newPage({ serviceWorkers: "allow" });
  const sockets: WebSocket[] = [];
  tab.on("websocket", (socket) => void sockets.push(socket));
  // Marks the document with an attribute that a page load would remove, to detect reloads.
  await tab.goto("/", { waitUntil: "networkidle" });
  await tab.evaluate(() => document.documentElement.setAttribute("data-first-load", ""));
  expect(sockets).toEqual([]);

  // The guest logs in as Anna without a page load, and receives Ben's beers immediately.
  await tab.getByRole("banner").getByRole("link", { name: "Login" }).click();
  const isAnnaLive = waitForSubscription(tab);
  await enter(app, tab, "anna");
  await isAnnaLive;
  expect(await isFirstLoad(tab)).toBe(true);
  const ben = await app.loggedInClient("ben");
  const drinkBen = () => ben.post("/api/beercounter/counters");
  const total = async () => (await ben.get("/api/beercounter/counters")).json.KSKCounterVal;
  const before = await total();
  await drinkBen();
  await expect.poll(() => tab.locator("[data-flash]").textContent()).toContain("Prost von Ben!");
  await expect.poll(() => count(tab, "group")).toBe(String(before + 1));
  await drink(tab);
  await drink(tab);
  await expect.poll(() => count(tab, "own")).toBe("2");
  await expect.poll(total).toBe(before + 3);

  // After Anna's logout the browser stores none of her data, and going back leads to the login
  // page.
  await leave(app, tab, "Anna");
  expect(await remains(tab)).not.toMatch(/anna|"memberId"|KSKCounterVal/i);
  await tab.goBack();
  await tab.getByRole("heading", { name: "Login" }).waitFor();
  expect(await tab.getByRole("main").textContent()).not.toContain("Anna");
  await expect.poll(() => tab.locator("[data-flash]").count()).toBe(0);
  await drinkBen();
  expect(sockets.length).toBeGreaterThan(0);
  expect(sockets.every((socket) => socket.isClosed())).toBe(true);
  expect(await tab.locator("[data-flash]").count()).toBe(0);

  // Greta never sees Anna's count, not even for one frame.
  const seen = await collectCounts(tab);
  const isGretaLive = waitForSubscription(tab);
  await enter(app, tab, "greta");
  await isGretaLive;
  await expect.poll(() => count(tab, "own")).toBe("0");
  await expect.poll(() => count(tab, "group")).toBe(String(before + 4));
  expect(await seen()).toEqual(["0"]);
  expect(await isFirstLoad(tab)).toBe(true);
  expect(await tab.locator("[data-own]").evaluate((bar) => bar.closest("li")?.textContent)).toContain("Greta");
  await drink(tab);
  await expect.poll(() => count(tab, "own")).toBe("1");
  await expect.poll(total).toBe(before + 5);
});

test("logging out in one tab also logs out the second tab", async ({ app }) => {
  const first = await app.loggedInPage("anna");
  const second = await first.context().newPage();
  const isLive = waitForSubscription(second);
  await second.goto("/beercounter");
  await isLive;
  // Waits until all requests have finished, because the server refuses requests after the logout.
  await second.waitForLoadState("networkidle");
  await leave(app, first, "Anna");
  await second.getByRole("heading", { name: "Login" }).waitFor();
  expect(await second.locator("[data-counter]").count()).toBe(0);
});

async function enter(app: E2eApp, page: Page, key: string): Promise<void> {
  const { uname, password } = app.members.find((member) => member.key === key)!;
  await logIn(page, uname, password);
  await page.waitForURL("**/beercounter");
}

async function leave(app: E2eApp, page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await page.waitForURL(`${app.url}/`);
  await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
}

const drink = (page: Page) => page.getByRole("button", { name: "Bier trinken" }).click();
const count = (page: Page, whose: "group" | "own") => page.locator(`[data-counter="${whose}"]`).textContent();
const isFirstLoad = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute("data-first-load"));

/** Returns all names and values that the browser stores for this site, as one text. */
function remains(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const stores = [localStorage, sessionStorage].map((store) => ({ ...store }));
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return JSON.stringify([stores, cached, databases, document.cookie]);
  });
}

/** Records every value of the member's own count that the screen shows, even for a moment. */
async function collectCounts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const counts = new Set<string>();
    (window as Watched).counts = counts;
    new MutationObserver(() => {
      const text = document.querySelector('[data-counter="own"]')?.textContent;
      if (text) counts.add(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => [...(window as Watched).counts]);
}

type Watched = typeof window & { counts: Set<string> };
