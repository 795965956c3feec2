import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createE2eApp, type E2eApp } from "./e2e-app.ts";

/** An answer that a page has loaded. Sizes in bytes: `sent` over the network with its headers, `size` as the page reads it. */
interface Loaded {
  url: string;
  type: string;
  encoding: string | undefined;
  sent: number;
  size: number;
}

let app: E2eApp;
beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers([{ uname: "anna", name: "Anna" }]);
});
afterAll(() => app.close());

test("The first visit of the login page loads at most 219 kB, and no text of more than 1 kB as it is", async () => {
  const loaded = await loadAnew(await app.newPage(), "/login");
  expect(plainTexts(loaded)).toEqual([]);
  expect(bytesSent(loaded)).toBeLessThan(219_000);
});

test("The first visit of the counter loads at most 304 kB, and no text of more than 1 kB as it is", async () => {
  const loaded = await loadAnew(await app.loggedInPage("anna"), "/beercounter");
  expect(plainTexts(loaded)).toEqual([]);
  expect(bytesSent(loaded)).toBeLessThan(304_000);
});

/** Opens a page in a browser that has nothing of it yet, and tells what it has loaded until nothing more came. */
async function loadAnew(page: Page, path: string): Promise<Loaded[]> {
  const browser = await page.context().newCDPSession(page);
  const loaded = new Map<string, Loaded>();
  browser.on("Network.responseReceived", ({ requestId, response: { url, mimeType, headers } }) => {
    const encoding = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-encoding")?.[1];
    loaded.set(requestId, { url, type: mimeType, encoding, sent: 0, size: 0 });
  });
  browser.on("Network.dataReceived", ({ requestId, dataLength }) => {
    const answer = loaded.get(requestId);
    if (answer) answer.size += dataLength;
  });
  browser.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const answer = loaded.get(requestId);
    if (answer) answer.sent = encodedDataLength;
  });
  await page.goto("about:blank");
  await browser.send("Network.enable");
  await browser.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(path, { waitUntil: "networkidle" });
  const answers = [...loaded.values()].filter(({ url }) => url.startsWith(app.url));
  expect(answers.length).toBeGreaterThan(10);
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
