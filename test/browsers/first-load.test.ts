import { expect, type Page } from "@playwright/test";

import { type E2eApp } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

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

test.use({ people: { anna: "Anna", ben: "Ben" } });

const maxBytes = 230_000;

const openEmpty = (app: E2eApp, key: string | null) =>
  key === null ? app.newPage() : app.loggedInPage(key, { path: "about:blank" });

for (const { path, key, firstCalls } of [
  { path: "/login", key: null, firstCalls: [] },
  { path: "/beercounter", key: "anna", firstCalls: ["/api/beercounter/counters"] },
])
  test(`the first visit of ${path} loads at most 230 kB, compressed, without asking for what the page contains`, async ({
    app,
  }) => {
    const loaded = await loadAnew(await openEmpty(app, key), app.url, path);
    expect(plainTexts(loaded)).toEqual([]);
    const calls = loaded.map(({ url }) => new URL(url).pathname).filter((called) => /^.(api|sanctum)/.test(called));
    const expected = ["/sanctum/csrf-cookie", "/api/checkLoginStatus", ...firstCalls];
    expect(calls.slice(0, expected.length)).toEqual(expected);
    // The HTML page already contains the group's settings.
    expect(calls).not.toContain("/api/config");
    expect(bytesSent(loaded), "Load what this page does not need with import().").toBeLessThanOrEqual(maxBytes);
  });

for (const { key, path, texts } of [
  { key: "anna", path: "/beercounter", texts: ["Bier-Counter", "KSK", "0", "Anna"] },
  // Redirects: the skeleton already has the shape of the page at the end of the redirect.
  { key: "anna", path: "/login", texts: ["Bier-Counter", "Anna"] },
  { key: "anna", path: "/christmas-calendar", texts: ["Weihnachten im KSK"] },
  { key: null, path: "/login", texts: ["Login"] },
  { key: null, path: "/beercounter", texts: ["Login"] },
])
  test(`before the app has loaded, ${path} shows a ${key === null ? "visitor" : "member"} its shape with known texts`, async ({
    app,
  }) => {
    const page = key === null ? await app.newPage() : await app.loggedInPage(key);
    if (key !== null) await page.locator("[data-counter=own]").waitFor();
    await page.goto("about:blank");
    await page.route("**/index-*.js", () => undefined);
    page.goto(path).catch(() => undefined);
    await page.waitForURL(`**${path}`, { waitUntil: "commit" });
    const shown = () =>
      page.locator("#skeleton :is(h1, p, span):visible").evaluateAll((elements) =>
        elements.map((element) => {
          // A string of CSS, or several.
          const { content } = getComputedStyle(element, "::before");
          return element.textContent + [...content.matchAll(/"(.*?)"/g)].map(([, text]) => text).join("");
        }),
      );
    // Before the style sheets have loaded, all shapes are in the page.
    await expect.poll(shown).toEqual(expect.arrayContaining(texts));
    expect(await page.locator("#skeleton :is(a, button, input)").count()).toBe(0);
  });

test("the code of a member's page loads beside the login status", async ({ app }) => {
  const page = await app.loggedInPage("anna");
  await page.goto("about:blank");
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/checkLoginStatus", (route) => answered.then(() => route.continue()));
  const code = page.waitForRequest("**/counter-page-*.js");
  const opened = page.goto("/beercounter");
  await code;
  answer();
  await opened;
  await page.getByRole("heading", { name: "Bier-Counter" }).waitFor();
});

test("a visitor of a member's page loads the code of the login only", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto("/beercounter");
  await page.getByRole("textbox", { name: "Benutzername" }).waitFor();
  expect(scripts.filter((url) => url.includes("-page-")).map((url) => url.replace(/.*\/(.*)-page-.*/, "$1"))).toEqual([
    "login",
  ]);
});

test("a page whose script could not be loaded is loaded again after a delay", async ({ page }) => {
  let tries = 0;
  await page.route("**/index-*.js", (route) => (++tries === 1 ? route.abort() : route.continue()));
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Benutzername" }).waitFor();
  expect(tries).toBe(2);
});

test("a page whose script does not arrive offers a reload after a delay", async ({ page }) => {
  await page.route("**/index-*.js", () => undefined);
  const opened = page.goto("/login");
  await page.locator("#skeleton h1:visible").waitFor();
  const again = page.getByRole("link", { name: "Das dauert zu lange – neu laden" });
  // The link's text may be rendered before the style sheet hides it.
  await again.waitFor({ state: "hidden" });

  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await page.unrouteAll();
  await again.evaluate((link: HTMLElement) => link.click());
  await opened;
  await page.getByRole("textbox", { name: "Benutzername" }).waitFor();
  expect(await again.count()).toBe(0);
});

test("an invitation page that is reloaded before its script has loaded keeps the invitation's token", async ({
  page,
}) => {
  let tries = 0;
  await page.route("**/index-*.js", (route) => (++tries === 1 ? undefined : route.continue()));
  const opened = page.goto("/register#token=AAAA-BBBB");
  const again = page.locator(".late");
  await expect
    .poll(() => again.evaluate((link) => link.getAnimations().map((animation) => animation.finish()).length))
    .toBe(1);
  await again.getByRole("link").click();
  await opened;
  await expect.poll(() => page.getByLabel("Anmelde-Token").inputValue()).toBe("AAAA-BBBB");
});

/** Opens a page with an empty cache and returns its responses. */
async function loadAnew(page: Page, origin: string, path: string): Promise<Loaded[]> {
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
  const answers = [...loaded.values()].filter(({ url }) => url.startsWith(origin));
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
