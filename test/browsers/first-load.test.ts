import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, type Page } from "@playwright/test";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { type E2eApp, waitForSubscription } from "#test/e2e/e2e-app.ts";
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
    const expected = ["/sanctum/csrf-cookie", ...firstCalls];
    expect(calls.slice(0, expected.length)).toEqual(expected);
    // The HTML page already contains the login status and the group's settings.
    expect(calls).not.toContain("/api/checkLoginStatus");
    expect(calls).not.toContain("/api/config");
    expect(bytesSent(loaded), "Load what this page does not need with import().").toBeLessThanOrEqual(maxBytes);
  });

for (const { key, visits } of [
  {
    key: "anna",
    visits: [
      { path: "/beercounter", heading: "Bier-Counter", texts: ["KSK", "0", "Anna"] },
      { path: "/profile", heading: "Profil", texts: ["UNAME", "Anna", "UNAME@stammtisch.example"] },
      // Redirects: the placeholder already shows the page at the end of the redirect.
      { path: "/login", heading: "Bier-Counter", texts: ["Anna"] },
    ],
  },
  {
    key: null,
    visits: [
      { path: "/login", heading: "Login", texts: ["Mit Passkey anmelden"] },
      { path: "/beercounter", heading: "Login", texts: [] },
    ],
  },
])
  test(`pages show a ${key === null ? "visitor" : "member"} their heading and known data before the app has loaded`, async ({
    app,
  }) => {
    const page = await openEmpty(app, key);
    await page.route("**/app-*.js", (route) => route.abort());
    const { uname } = app.members[0]!;
    for (const { path, heading, texts } of visits) {
      page.goto(path).catch(() => undefined);
      await page.waitForURL(`**${path}`, { waitUntil: "commit" });
      const placeholder = page.locator("#placeholder");
      await expect.poll(() => placeholder.locator("h1").textContent()).toBe(heading);
      await expect.poll(() => placeholder.locator("h1").isVisible()).toBe(true);
      const shown = await placeholder.evaluate((element) => {
        const values = [...element.querySelectorAll("input")].map((input) => input.value);
        return [...[...element.querySelectorAll("p, span")].map(({ textContent }) => textContent), ...values];
      });
      expect(shown).toEqual(expect.arrayContaining(texts.map((text) => text.replace("UNAME", uname))));
      expect(shown.join(" ")).not.toContain("((");
    }
  });

test("a page whose first script could not be loaded offers a reload after a delay", async ({ page }) => {
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

test("an invitation page that is reloaded before its script has loaded keeps the invitation's token", async ({
  page,
}) => {
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

test("a member remains logged in if the browser shows a page cached before the login", async ({ app }) => {
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

test("the celebration of a milestone is loaded on demand, and skipped if its code cannot be loaded", async ({
  app,
}) => {
  await bookBeers(app, 49);
  const ben = await app.loggedInClient("ben");
  const page = await app.loggedInPage("anna", { channel: "private-beercounter" });
  const other = await app.loggedInPage("anna", { path: "about:blank" });
  await other.route("**/shared-*.js", (route) => route.abort());
  const isLive = waitForSubscription(other);
  await other.goto("/beercounter");
  await isLive;
  const { userCounterVal, KSKCounterVal } = (await ben.post("/api/beercounter/counters")).json;
  expect(userCounterVal).toBe(50);
  await page.getByText("Das 50. Bier von Ben").waitFor();
  await expect.poll(() => other.locator("[data-counter=group]").textContent()).toBe(String(KSKCounterVal));
  await other.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => other.locator("[data-counter=own]").textContent()).toBe("1");
  expect(await other.getByText("Das 50. Bier von Ben").count()).toBe(0);
});

/** Books beers of Ben on an earlier day. */
async function bookBeers({ members, runCommand }: E2eApp, count: number): Promise<void> {
  const beer = { uname: members[1]!.uname, at: "2026-01-02T20:00:00Z", key: null };
  const file = join(createTemporaryFolder(), "beers.jsonl");
  writeFileSync(file, Array.from({ length: count }, () => JSON.stringify(beer)).join("\n"));
  await runCommand("beers", "import", file);
}

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
