import { type BrowserContext, expect, type Page } from "@playwright/test";

import { type E2eApp, logIn, waitForSubscription } from "#test/e2e/e2e-app.ts";
import { test as journey } from "#test/e2e/journey.ts";

interface Fixtures {
  /** Anna's page on the counter, whose service worker is installed. */
  anna: Page;
  context: BrowserContext;
  booked: () => Promise<{ id: number; uname: string; at: string; key: string | null }[]>;
  /** Number of beers that were booked before the test. */
  before: number;
}

const test = journey.extend<Fixtures>({
  async anna({ app }, give) {
    const page = await app.loggedInPage("anna");
    await whenInstalled(page);
    await give(page);
  },
  context: ({ anna }, give) => give(anna.context()),
  booked: ({ app }, give) => give(() => app.runCommand("beers", "export")),
  async before({ booked, anna }, give) {
    const { length } = await booked();
    await expect.poll(() => total(anna)).toBe(length);
    await give(length);
  },
});

test.use({
  installation: { own: "offline" },
  people: { anna: "Anna", ben: "Ben" },
  serviceWorkers: "allow",
});

test("the app opens every page without a server, and shows the last data and an offline notice", async ({
  app,
  anna,
}) => {
  const bars = (region: string) => anna.getByRole("region", { name: region }).getByRole("listitem").allTextContents();
  const charts = {
    "/beercounter": ["Die Säufer", "Der Suff der Woche", "Der Tagesdurchschnitt"],
    "/statistics": ["Tag für Tag"],
  };
  const known: Record<string, string[][]> = {};
  for (const [path, regions] of Object.entries(charts)) {
    await anna.goto(path);
    for (const name of regions) await anna.getByRole("region", { name }).getByRole("listitem").first().waitFor();
    known[path] = await Promise.all(regions.map(bars));
  }
  await app.kill();
  for (const path of ["/beercounter", "/statistics", "/profile", "/christmas-calendar"]) {
    await anna.goto(path);
    await anna.getByRole("button", { name: "Anna", exact: true }).waitFor();
    await anna.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor();
    const regions = Object.entries(charts).find(([one]) => one === path)?.[1] ?? [];
    await expect.poll(() => Promise.all(regions.map(bars))).toEqual(known[path] ?? []);
  }
  expect(new URL(anna.url()).pathname).toBe("/christmas-calendar");
  await app.start();
  await anna.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor({ state: "detached", timeout: 60_000 });
});

test("the service worker caches the app's files, but no data of members", async ({ anna }) => {
  await anna.getByRole("region", { name: "Die Säufer" }).getByText("Anna").waitFor();
  const found = await anna.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return {
      workers: registrations.map(({ scope, active }) => [new URL(scope).pathname, new URL(active!.scriptURL).pathname]),
      paths: kept.flat().map(({ url }) => new URL(url).pathname),
    };
  });
  expect(found.workers).toEqual([["/", "/sw.js"]]);
  expect(found.paths).toContain("/offline");
  expect(found.paths.filter((path) => /^\/(api|internal|broadcasting|sanctum|app|beercounter)/.test(path))).toEqual([]);
});

test(
  "five offline beers survive a closed tab, and are booked once, on the day they were drunk",
  { tag: "@firefox" },
  async ({ app, anna, context, booked, before }) => {
    const ben = await app.loggedInPage("ben");
    await context.setOffline(true);
    for (let taps = 0; taps < 5; taps++) await tap(anna);
    await anna.getByText("5 Biere warten auf Empfang.").waitFor();
    await anna.reload();
    await anna.getByText("5 Biere warten auf Empfang.").waitFor();
    expect(await total(anna)).toBe(before + 5);
    const drunkAt = Date.now() - twoDays;
    await changeWaiting(anna, { postedAt: drunkAt });
    await anna.close();

    const again = await context.newPage();
    await again.goto("/beercounter");
    await again.getByText("5 Biere warten auf Empfang.").waitFor();
    await context.setOffline(false);
    await expect.poll(async () => (await booked()).length).toBe(before + 5);
    await again.getByText(/auf Empfang/).waitFor({ state: "detached" });
    const beers = (await booked()).toSorted((one, other) => one.id - other.id).slice(-5);
    expect(new Set(beers.map(({ key }) => key)).size).toBe(5);
    for (const { at } of beers) expect(Math.abs(drunkAt - Date.parse(at))).toBeLessThan(60_000);
    await expect.poll(() => total(ben)).toBe(before + 5);
    expect(await ben.locator("[data-flash]").count()).toBe(0);

    await again.getByRole("button", { name: "Verlauf" }).click();
    await expect.poll(() => again.getByRole("dialog").getByText("nachgetragen").count()).toBe(5);
  },
);

test("the service worker sends pending beers after the last tab has been closed", async ({
  app,
  anna,
  context,
  booked,
  before,
}) => {
  await context.setOffline(true);
  await tap(anna);
  await tap(anna);
  await anna.getByText("2 Biere warten auf Empfang.").waitFor();
  // Keeps the browser open without any page of the app.
  const blank = await context.newPage();
  await anna.close();
  await context.setOffline(false);
  await syncNow(blank, app.url);
  await expect.poll(async () => (await booked()).length).toBe(before + 2);
  // Checks in another browser profile: in a profile with an open inspector, a page opened right
  // after the worker's sync may get no answer.
  const other = await app.loggedInPage("anna");
  await expect.poll(() => total(other)).toBe(before + 2);
});

test("two tabs show the same pending beers, and only one of the tabs sends each beer", async ({
  anna,
  context,
  booked,
  before,
}) => {
  const second = await context.newPage();
  await second.goto("/beercounter");
  await expect.poll(() => total(second)).toBe(before);
  await context.setOffline(true);
  await tap(anna);
  await tap(second);
  for (const tab of [anna, second]) await tab.getByText("2 Biere warten auf Empfang.").waitFor();
  await context.setOffline(false);
  await expect.poll(async () => (await booked()).length).toBe(before + 2);
  for (const tab of [anna, second]) {
    await tab.getByText(/auf Empfang/).waitFor({ state: "detached" });
    await expect.poll(() => total(tab)).toBe(before + 2);
  }
  expect((await booked()).length).toBe(before + 2);
});

test("taps on a poor connection count once on every screen and in the database", async ({
  app,
  anna,
  booked,
  before,
}) => {
  const ben = await app.loggedInPage("ben", { channel: "private-beercounter" });
  const seen = await collectTotals(anna);
  let expected = before;

  /** Waits until both screens and the database have this number of further beers. */
  async function expectBeers(beers: number): Promise<void> {
    expected += beers;
    await expect.poll(() => anna.getByText(/auf Empfang/).count()).toBe(0);
    await expect.poll(() => total(anna)).toBe(expected);
    await expect.poll(() => total(ben)).toBe(expected);
    expect((await booked()).length).toBe(expected);
  }

  await test.step("a tap whose answer is lost counts as one beer", async () => {
    const lost = Promise.withResolvers<void>();
    let taps = 0;
    await anna.route(counters, async (route) => {
      if (route.request().method() !== "POST" || taps++ > 0) return route.fallback();
      await route.fetch();
      await route.abort("connectionreset").then(lost.resolve, lost.reject);
    });
    await tap(anna);
    await lost.promise;
    await expectBeers(1);
    await anna.unroute(counters);
  });

  await test.step("five quick taps book five beers", async () => {
    const button = anna.getByRole("button", { name: "Bier trinken" });
    for (let taps = 0; taps < 5; taps++) await button.click({ noWaitAfter: true });
    await expectBeers(5);
    // The total on the screen rose one by one, and never fell.
    expect(await seen()).toEqual([1, 2, 3, 4, 5, 6].map((beer) => before + beer));
  });

  await test.step("two taps within one frame book two beers", async () => {
    await anna.getByRole("button", { name: "Bier trinken" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expectBeers(2);
  });

  await test.step("no request in flight and no stored beer adds another beer", async () => {
    await anna.reload();
    await expect.poll(() => total(anna)).toBe(expected);
    expect((await booked()).length).toBe(expected);
  });
});

test("a browser without storage asks the member to keep the page open while beers are pending", async ({
  app,
  booked,
  before,
}) => {
  const page = await app.newPage();
  const { uname, password } = app.members[0]!;
  await page.addInitScript(() => {
    for (const name of ["indexedDB", "BroadcastChannel", "PushManager"]) Reflect.deleteProperty(window, name);
    for (const name of ["locks", "serviceWorker", "vibrate", "setAppBadge"])
      Reflect.deleteProperty(Navigator.prototype, name);
    Reflect.deleteProperty(Crypto.prototype, "randomUUID");
  });
  await page.goto("/login");
  await logIn(page, uname, password);
  await expect.poll(() => total(page)).toBe(before);
  await page.context().setOffline(true);
  await tap(page);
  await page.getByText("1 Bier wartet auf Empfang. Lass die Seite offen!").waitFor();
  await page.context().setOffline(false);
  await expect.poll(async () => (await booked()).length).toBe(before + 1);

  await page.goto("/notifications");
  await page.getByText("Dieses Fenster kann keine Benachrichtigungen empfangen.").waitFor();
  await page.goto("/install");
  await page.getByText("In diesem Fenster geht das leider nicht.").waitFor();
});

test("another member on the same browser neither sees nor sends the previous member's pending beers", async ({
  app,
  anna,
  context,
  booked,
  before,
}) => {
  await context.setOffline(true);
  await tap(anna);
  await anna.getByText("1 Bier wartet auf Empfang.").waitFor();
  // Ends the session without a logout, as if it had expired.
  await anna.close();
  await context.clearCookies();
  await context.setOffline(false);
  const page = await context.newPage();
  await page.clock.install();
  const [first, second] = app.members;
  for (const { uname, password } of [second!, first!]) {
    const isLive = waitForSubscription(page);
    await page.goto("/login");
    await logIn(page, uname, password);
    await isLive;
    if (uname === first!.uname) break;
    // Advances the page's clock by more than the delay between two retries.
    await page.clock.fastForward(60_000);
    expect(await page.getByText(/auf Empfang/).count()).toBe(0);
    expect((await booked()).length).toBe(before);
    await logOut(page, app, "Ben");
  }
  await expect.poll(async () => (await booked()).length).toBe(before + 1);
  expect((await booked()).at(-1)?.uname).toBe(first!.uname);
});

test("a logout with pending beers asks for confirmation, and then deletes the pending beers from the device", async ({
  app,
  anna,
  context,
  booked,
  before,
}) => {
  // Drops the taps of both the page and the service worker.
  await context.route(counters, (route) =>
    route.request().method() === "POST" ? route.abort("connectionreset") : route.fallback(),
  );
  await tap(anna);
  await anna.getByText("1 Bier wartet auf Empfang.").waitFor();
  await anna.getByRole("button", { name: "Anna", exact: true }).click();
  await anna.getByRole("menuitem", { name: "Logout" }).click();
  const question = anna.getByRole("dialog", { name: "1 Bier wartet noch" });
  await question.getByRole("button", { name: "Abbrechen" }).click();
  expect(new URL(anna.url()).pathname).toBe("/beercounter");
  await anna.getByText("1 Bier wartet auf Empfang.").waitFor();

  await anna.getByRole("button", { name: "Anna", exact: true }).click();
  await anna.getByRole("menuitem", { name: "Logout" }).click();
  await question.getByRole("button", { name: "Verwerfen und abmelden" }).click();
  await anna.waitForURL(`${app.url}/`);
  const left = await anna.evaluate(async () => ({
    databases: await indexedDB.databases(),
    mine: Object.keys(localStorage).filter((key) => key.startsWith("stammtisch.mine")),
    session: { ...sessionStorage },
    caches: (await caches.keys()).filter((name) => !name.startsWith("shell-")),
  }));
  expect(left).toMatchObject({ databases: [], mine: [], caches: [] });
  expect((await booked()).length).toBe(before);
});

const counters = "**/api/beercounter/counters";
const twoDays = 2 * 24 * 3_600_000;

/**
 * Changes all beers that are pending on the page's device, and returns their number. `postedAt` is
 * in milliseconds since the epoch.
 */
function changeWaiting(page: Page, change: { postedAt?: number }): Promise<number> {
  return page.evaluate(async (changed) => {
    const answered = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error!));
      });
    const [found] = await indexedDB.databases();
    if (!found) return 0;
    const database = await answered(indexedDB.open(found.name!));
    const entries = database.transaction([...database.objectStoreNames], "readwrite").objectStore("entries");
    const waiting = await answered(entries.getAll());
    for (const entry of waiting) await answered(entries.put({ ...entry, ...changed }));
    database.close();
    return waiting.length;
  }, change);
}

const tap = (page: Page) => page.getByRole("button", { name: "Bier trinken" }).click();
const total = async (page: Page) => Number(await page.locator('[data-counter="group"]').textContent());

async function logOut(page: Page, { url }: E2eApp, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await page.waitForURL(`${url}/`);
  await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
}

/** Waits until the service worker has cached everything for an offline start. */
async function whenInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active!.state === "activated") return;
    await new Promise((resolve) => active!.addEventListener("statechange", resolve));
  });
}

/** Fires the sync event that the browser sends to the service worker when the network is back. */
async function syncNow(page: Page, origin: string): Promise<void> {
  const inspector = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    inspector.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (ours) resolve(ours.registrationId);
    });
  });
  await inspector.send("ServiceWorker.enable");
  await inspector.send("ServiceWorker.dispatchSyncEvent", {
    origin,
    registrationId: await found,
    tag: "parcels",
    lastChance: false,
  });
}

/** Records, in order, every total that the screen shows, even for a moment. */
async function collectTotals(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const totals: number[] = [];
    (window as Watched).totals = totals;
    const read = () => Number(document.querySelector('[data-counter="group"]')?.textContent);
    // Skips repeated totals, because the number is rendered again after its animation.
    let last = read();
    new MutationObserver(() => {
      if (read() !== last) totals.push((last = read()));
    }).observe(document.querySelector('[data-counter="group"]')!, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => (window as Watched).totals);
}

type Watched = typeof window & { totals: number[] };
