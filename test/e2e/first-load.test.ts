import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createE2eApp, waitForSubscription } from "./e2e-app.ts";

/**
 * A response that the page has received. `sent`: bytes over the network without headers; `size`:
 * bytes after decompression.
 */
interface Loaded {
  url: string;
  type: string;
  encoding: string | undefined;
  sent: number;
  size: number;
}

const app = await createE2eApp();
await app.registerMembers("Anna", "Ben");

const maxBytes = 230_000;

/** `uname` is `null` for guests. */
const visits = [
  { path: "/login", uname: null, firstCalls: [] },
  { path: "/beercounter", uname: "anna", firstCalls: ["/api/beercounter/counters"] },
] as const;

test.each(visits)(
  "the first visit of $path loads at most 230 kB, compressed, without asking for what the page contains",
  async ({ path, uname, firstCalls }) => {
    const loaded = await loadAnew(
      await (uname === null ? app.newPage() : app.loggedInPage(uname, { path: "about:blank" })),
      path,
    );
    expect(plainTexts(loaded)).toEqual([]);
    const calls = loaded.map(({ url }) => new URL(url).pathname).filter((called) => /^.(api|sanctum)/.test(called));
    const expected = ["/sanctum/csrf-cookie", ...firstCalls];
    expect(calls.slice(0, expected.length)).toEqual(expected);
    // The HTML page already contains the login status and the group's settings.
    expect(calls).not.toContain("/api/checkLoginStatus");
    expect(calls).not.toContain("/api/config");
    expect(bytesSent(loaded), "Load what this page does not need with import().").toBeLessThanOrEqual(maxBytes);
  },
);

test.each([
  { path: "/beercounter", uname: "anna", heading: "Bier-Counter", texts: ["KSK", "0", "Anna"] },
  { path: "/profile", uname: "anna", heading: "Profil", texts: ["anna", "Anna", "anna@stammtisch.example"] },
  { path: "/login", uname: null, heading: "Login", texts: ["Mit Passkey anmelden"] },
  // Paths that redirect: the placeholder already shows the page at the end of the redirect.
  { path: "/beercounter", uname: null, heading: "Login", texts: [] },
  { path: "/login", uname: "anna", heading: "Bier-Counter", texts: ["Anna"] },
])(
  "the loading placeholder at $path shows the heading $heading before the app has loaded (user: $uname)",
  async ({ path, uname, heading, texts }) => {
    const page = await (uname === null ? app.newPage() : app.loggedInPage(uname, { path: "about:blank" }));
    const appMayCome = Promise.withResolvers<void>();
    await page.route("**/app-*.js", async (route) => {
      await appMayCome.promise;
      await route.continue();
    });
    const opened = page.goto(path);
    const placeholder = page.locator("#placeholder");
    await expect.poll(() => placeholder.locator("h1").textContent()).toBe(heading);
    await expect.poll(() => placeholder.locator("h1").isVisible()).toBe(true);
    const shown = await placeholder.evaluate((element) => {
      const values = [...element.querySelectorAll("input")].map((input) => input.value);
      return [...[...element.querySelectorAll("p, span")].map(({ textContent }) => textContent), ...values];
    });
    expect(shown).toEqual(expect.arrayContaining(texts));
    expect(shown.join(" ")).not.toContain("((");
    appMayCome.resolve();
    await opened;
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  },
);

test("a page whose first script could not be loaded offers a reload after a delay", async () => {
  const page = await app.newPage();
  await page.route("**/index-*.js", (route) => route.abort());
  const opened = page.goto("/login");
  await page.locator("#placeholder h1").waitFor();
  const again = page.getByRole("link", { name: "Das dauert zu lange – neu laden" });
  // The link's text may be rendered before the style sheet hides it.
  await again.waitFor({ state: "hidden" });

  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await page.unrouteAll();
  await again.click();
  await opened;
  await page.getByRole("textbox", { name: "Benutzername" }).waitFor();
  expect(await again.count()).toBe(0);
});

test("an invitation page that is reloaded before its script has loaded keeps the invitation's token", async () => {
  const page = await app.newPage();
  let tries = 0;
  await page.route("**/app-*.js", (route) => (++tries === 1 ? undefined : route.continue()));
  const opened = page.goto("/register#token=AAAA-BBBB");
  const again = page.locator(".late");
  await expect
    .poll(() => again.evaluate((link) => link.getAnimations().map((animation) => animation.finish()).length))
    .toBe(1);
  await again.getByRole("link").click();
  await opened;
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("AAAA-BBBB");
});

test("a member remains logged in if the browser shows a page cached before the login", async () => {
  const page = await app.loggedInPage("anna");
  await page.locator("[data-counter=own]").waitFor();
  await page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      document.querySelector<HTMLMetaElement>("meta[name=reader]")!.content = '{"user":null,"items":{}}';
    }),
  );
  await page.reload();
  await page.locator("[data-counter=own]").waitFor();
  expect(new URL(page.url()).pathname).toBe("/beercounter");
});

test("the celebration of a milestone is loaded on demand, and skipped if its code cannot be loaded", async () => {
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

/** Opens a page with an empty cache and returns its responses. */
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
