import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp, waitForSubscription } from "./e2e-app.ts";

/** An answer that a page has loaded. Sizes in bytes: `sent` over the network without headers, `size` as the page reads it. */
interface Loaded {
  url: string;
  type: string;
  encoding: string | undefined;
  sent: number;
  size: number;
}

const app = await createE2eApp();
await app.registerMembers("Anna", "Ben");

/** At most so many requests for scripts and style sheets, and so many bytes of scripts and of everything. */
const visits = [
  { path: "/login", uname: null, firstCalls: [], scripts: 5, scriptBytes: 80_000, styles: 2, bytes: 105_000 },
  {
    path: "/beercounter",
    uname: "anna",
    firstCalls: ["/api/beercounter/counters"],
    scripts: 8,
    scriptBytes: 145_000,
    styles: 3,
    bytes: 180_000,
  },
] as const;

test.each(visits)(
  "The first visit of $path loads at most $scriptBytes bytes of scripts in $scripts files, and $bytes bytes in all",
  async ({ path, uname, firstCalls, ...limits }) => {
    const loaded = await loadAnew(
      await (uname === null ? app.newPage() : app.loggedInPage(uname, { path: "about:blank" })),
      path,
    );
    const scripts = loaded.filter(({ type }) => type.includes("javascript"));
    expect(plainTexts(loaded)).toEqual([]);
    const calls = loaded.map(({ url }) => new URL(url).pathname).filter((called) => /^.(api|sanctum)/.test(called));
    const expected = ["/sanctum/csrf-cookie", "/api/checkLoginStatus", ...firstCalls];
    expect(calls.slice(0, expected.length)).toEqual(expected);
    expect(calls).not.toContain("/api/config");
    const found = {
      scripts: scripts.length,
      scriptBytes: bytesSent(scripts),
      styles: loaded.filter(({ type }) => type === "text/css").length,
      bytes: bytesSent(loaded),
    };
    const isWithin = Object.entries(limits).every(([name, most]) => found[name as keyof typeof limits] <= most);
    const numbers = `${JSON.stringify(found)}, at most ${JSON.stringify(limits)}`;
    expect(isWithin, `Too much: ${numbers}. Load what this page does not need with import().`).toBe(true);
  },
);

/** The last one on the counter page is the line about calendar doors, of which Anna has none. */
test.each([
  { path: "/beercounter", uname: "anna", keeps: true, isShown: true, known: ["0", "Anna", "0", ""] },
  // As Safari does after a week without a visit.
  { path: "/beercounter", uname: "anna", keeps: false, isShown: true, known: ["0", "Anna", "0", ""] },
  { path: "/beercounter", uname: null, keeps: false, isShown: false, known: ["", "", "", ""] },
  { path: "/profile", uname: "anna", keeps: true, isShown: true, known: ["anna", "Anna", "anna@stammtisch.example"] },
  { path: "/login", uname: null, keeps: false, isShown: true, known: [] },
  // The counter, to which members are led from there.
  { path: "/login", uname: "anna", keeps: true, isShown: true, known: ["0", "Anna", "0", ""] },
])(
  "Before the app is there, $uname, whom the device knows ($keeps), sees of $path what is meant for her: $isShown",
  async ({ path, uname, keeps, isShown, known }) => {
    const page = await (uname === null ? app.newPage() : app.loggedInPage(uname));
    // From now on the device knows them.
    if (uname !== null) await page.locator("[data-counter=own]").waitFor();
    if (!keeps) await page.addInitScript(() => localStorage.clear());
    const appMayCome = Promise.withResolvers<void>();
    await page.route("**/vendor-*.js", async (route) => {
      await appMayCome.promise;
      await route.continue();
    });
    const opened = page.goto(path);
    await page.locator(".skeleton h1").waitFor({ state: "attached" });
    // As soon as the styles are there.
    await expect.poll(() => page.locator(".skeleton h1").isVisible()).toBe(isShown);
    const filled = page.locator(".skeleton [data-kept]");
    const readTexts = () =>
      filled.evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.value : one.textContent)));
    await expect.poll(readTexts).toEqual(known);
    appMayCome.resolve();
    await opened;
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
);

test("Where the page's first script gets lost on the way, a link to load it again comes after a while", async () => {
  const page = await app.newPage();
  await page.route("**/early-*.js", (route) => route.abort());
  const opened = page.goto("/login");
  await page.locator(".skeleton h1").waitFor();
  const again = page.getByRole("link", { name: "Das dauert zu lange – neu laden" });
  // The style sheet may come after the text.
  await again.waitFor({ state: "hidden" });

  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await page.unrouteAll();
  await again.click();
  await opened;
  await page.getByRole("textbox", { name: "Benutzername" }).waitFor();
  expect(await again.count()).toBe(0);
});

test("Who loads an invitation again because it takes too long still has its token", async () => {
  const page = await app.newPage();
  let tries = 0;
  await page.route("**/vendor-*.js", (route) => (++tries === 1 ? undefined : route.continue()));
  const opened = page.goto("/register#token=AAAA-BBBB");
  const again = page.locator(".late");
  await expect
    .poll(() => again.evaluate((link) => link.getAnimations().map((animation) => animation.finish()).length))
    .toBe(1);
  await again.getByRole("link").click();
  await opened;
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("AAAA-BBBB");
});

test.each(["/beercounter", "/christmas-calendar", "/game-servers", "/profile"])(
  "%s is there without formatters of dates and numbers, which take a slow phone long to be made",
  async (path) => {
    const page = await app.loggedInPage("anna", { path: "about:blank" });
    await page.addInitScript(() => {
      for (const name of ["DateTimeFormat", "NumberFormat"] as const) {
        const construct = (format: object, options: unknown[]): object => {
          performance.mark(`Intl.${name}`);
          return Reflect.construct(format as typeof Intl.NumberFormat, options) as object;
        };
        Object.assign(Intl, { [name]: new Proxy<object>(Intl[name], { construct }) });
      }
    });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate(() => performance.getEntriesByType("mark").map(({ name }) => name))).toEqual([]);
  },
);

/** What guests load beyond the app and its login page, in bytes of scripts. */
const guestScripts = 90_000;

test.each(["/", "/register", "/password-reset", "/install", "/gibt-es-nicht"])(
  "Guests load nothing of the members' pages at %s",
  async (path) => {
    const loaded = await loadAnew(await app.newPage(), path);
    expect(bytesSent(loaded.filter(({ type }) => type.includes("javascript")))).toBeLessThan(guestScripts);
  },
);

test("What celebrates a round number is fetched for it, and a page that cannot fetch it goes on without", async () => {
  const ben = await app.loggedInClient("ben");
  const drink = () => ben.post("/api/beercounter/counters");
  while ((await drink()).json.userCounterVal < 49);
  const page = await app.loggedInPage("anna", { channel: "private-beercounter" });
  const other = await app.loggedInPage("anna", { path: "about:blank" });
  await other.route("**/shared-*.js", (route) => route.abort());
  const isLive = waitForSubscription(other);
  await other.goto("/beercounter");
  await isLive;
  await drink();
  await page.getByText("Das 50. Bier von Ben").waitFor();
  await expect.poll(() => other.locator("[data-counter=group]").textContent()).toBe("50");
  await other.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => other.locator("[data-counter=own]").textContent()).toBe("1");
  expect(await other.getByText("Das 50. Bier von Ben").count()).toBe(0);
});

/** Opens a page in a browser that has nothing of it yet, and tells what it has loaded until nothing more came. */
async function loadAnew(page: Page, path: string): Promise<Loaded[]> {
  const browser = await page.context().newCDPSession(page);
  const loaded = new Map<string, Loaded>();
  browser.on("Network.responseReceived", ({ requestId, response: { url, mimeType, headers } }) => {
    const encoding = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-encoding")?.[1];
    loaded.set(requestId, { url, type: mimeType, encoding, sent: 0, size: 0 });
  });
  browser.on("Network.dataReceived", ({ requestId, dataLength, encodedDataLength }) => {
    const answer = loaded.get(requestId);
    if (!answer) return;
    answer.size += dataLength;
    answer.sent += encodedDataLength;
  });
  await browser.send("Network.enable");
  await page.goto(path, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const answers = [...loaded.values()].filter(({ url }) => url.startsWith(app.url));
  expect(answers.length).toBeGreaterThan(5);
  return answers;
}

function plainTexts(loaded: readonly Loaded[]): string[] {
  return loaded
    .filter(({ type, size }) => /^text\/|javascript|json|xml/.test(type) && size > 1024)
    .filter(({ encoding }) => encoding === undefined)
    .map(({ url }) => url);
}

function bytesSent(loaded: readonly Loaded[]): number {
  return loaded.reduce((sum, { sent }) => sum + sent, 0);
}
