import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "@playwright/test";
import { Key, type WebDriver } from "selenium-webdriver";

import type { E2eApp } from "#test/e2e/e2e-app.ts";
import { click, evaluate, fill, findElement, press, waitUntilSeen, waitUntilTappable } from "./webkit-user.ts";
import { test as base } from "./webkit.ts";

/** A browser whose app has not started yet. */
interface EarlyPage {
  readonly browser: WebDriver;
  /** Opens a page without the app's code. */
  open(path: string): Promise<void>;
  /** Lets the app's code arrive. */
  arrive(): void;
}

const test = base.extend<{ early: EarlyPage }>({
  // Each test opens a new browser, because WebKit keeps the app's code in memory after its first load.
  async early({ app, openWebKit }, give) {
    let mayCome = Promise.withResolvers<void>();
    const proxy = createServer((incoming, answer) => void pass(app, incoming, answer, () => mayCome.promise)).listen(0);
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}`;
    const browser = await openWebKit();
    await give({
      browser,
      async open(path) {
        mayCome = Promise.withResolvers();
        await evaluate(browser, () => void Object.assign(globalThis, { isLeft: true }));
        await browser.get(url + path);
        // The driver does not wait for the page, whose `load` event may wait for the app.
        await expect.poll(() => evaluate(browser, () => "isLeft" in globalThis)).toBe(false);
        await waitUntilSeen(browser, "#placeholder h1");
      },
      arrive: () => mayCome.resolve(),
    });
    mayCome.resolve();
    proxy.closeAllConnections();
    proxy.close();
  },
});

test.use({ people: { anna: "Anna" } });

const own = async ({ browser }: EarlyPage) => (await findElement(browser, "[data-counter=own]"))?.text;

test("the login form keeps text, focus and caret until the app has started", async ({ app, early }) => {
  const { browser } = early;
  const { uname, password } = app.members[0]!;
  await early.open("/login");
  await fill(browser, "Benutzername", uname);
  await fill(browser, "Passwort", password.slice(0, -1));
  early.arrive();
  await expect.poll(() => findElement(browser, "#placeholder h1")).toBeNull();
  await press(browser, password.at(-1)!, Key.ENTER);
  await expect.poll(() => own(early)).toMatch(/\d/);
});

test("a login form that was sent before the app has started is sent after the start", async ({ app, early }) => {
  const { browser } = early;
  const { uname, password } = app.members[0]!;
  await early.open("/login");
  await fill(browser, "Benutzername", uname);
  await fill(browser, "Passwort", password);
  const address = await browser.getCurrentUrl();
  await press(browser, Key.ENTER);
  expect(await browser.getCurrentUrl()).toBe(address);
  early.arrive();
  await expect.poll(() => own(early)).toMatch(/\d/);
});

test("taps before the app's start count at once, survive a reload, and are booked once, even if held until the start", async ({
  app,
  early,
}) => {
  const { browser } = early;
  const { uname, password } = app.members[0]!;
  const booked = async () => (await app.runCommand<unknown[]>("beers", "export")).length;
  const earlyCount = async () => (await findElement(browser, "#placeholder p + p > [data-early-count]"))?.text;
  await early.open("/login");
  expect(await evaluate(browser, logIn, uname, password)).toBe(200);
  await early.open("/beercounter");
  await click(browser, "#placeholder #drink-beer");
  await click(browser, "#placeholder button", "0,0 trinken");
  expect(await earlyCount()).toBe("2");
  await early.open("/beercounter");
  await expect.poll(earlyCount).toBe("2");

  const { x, y } = await waitUntilTappable(browser, "#placeholder #drink-beer");
  await browser
    .actions()
    .move({ x: Math.round(x) + 80, y: Math.round(y) + 20, duration: 0 })
    .press()
    .perform();
  early.arrive();
  await expect.poll(() => evaluate(browser, isRendering)).toBe(true);
  expect(await booked()).toBe(0);
  expect(await findElement(browser, "#placeholder #drink-beer")).not.toBeNull();
  await browser.actions().release().perform();
  await expect.poll(() => own(early)).toBe("3");
  await expect.poll(booked).toBe(3);
});

/** Passes a request on to the app, as if it came from a page of the app. The app's code waits for `mayCome`. */
async function pass(
  { url }: E2eApp,
  incoming: IncomingMessage,
  answer: ServerResponse,
  mayCome: () => Promise<void>,
): Promise<void> {
  const { url: path = "/", method = "GET", headers } = incoming;
  const isApp = /\/app-[^/]*\.js/.test(path);
  if (isApp) await mayCome();
  const ours = { ...headers, host: new URL(url).host, ...(headers.origin && { origin: url }) };
  const asked = request(url + path, { method, headers: ours }, (found) => {
    // Otherwise browsers cache the app's code permanently.
    answer.writeHead(found.statusCode!, { ...found.headers, ...(isApp && { "cache-control": "no-store" }) });
    found.pipe(answer);
  });
  asked.on("error", () => answer.destroy());
  incoming.pipe(asked);
}

/** Logs in without loading the app; returns the status of the answer. Runs in the page. */
async function logIn(uname: string, secret: string): Promise<number> {
  await fetch("/sanctum/csrf-cookie");
  const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!;
  const headers = { "X-XSRF-TOKEN": decodeURIComponent(token), "Content-Type": "application/json" };
  const body = JSON.stringify({ uname, password: secret });
  return (await fetch("/api/login", { method: "POST", headers, body })).status;
}

/** Returns `true` once React has begun to render the app. Runs in the page. */
function isRendering(): boolean {
  return Object.keys(document.querySelector("#root")!).some((key) => key.startsWith("__react"));
}
