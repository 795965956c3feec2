import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";

import { beforeEach, describe, expect, test } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import { createE2eApp, phone } from "#test/e2e/e2e-app.ts";
import { freePort } from "#test/free-port.ts";
import type { Browser, Size } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { click, fill, findElement, keys, press, waitUntilSeen, waitUntilTappable } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const port = await freePort();
const url = `http://localhost:${port}`;
const app = await createE2eApp({ env: { EXTRA_ORIGINS: url } });
await app.registerMembers("Ben", "Anna");

/** Settles when the app's code may arrive. */
let mayCome = Promise.withResolvers<void>();
const proxy = createServer((incoming, answer) => void pass(incoming, answer)).listen(port);
endWithTest(async () => {
  mayCome.resolve();
  proxy.closeAllConnections();
  proxy.close();
});

// Each test opens a new browser, because WebKit keeps the app's code in memory after its first load.
describe.each([
  { engine: "Firefox", open: openFirefox, uname: "ben" },
  { engine: "WebKit", open: (size: Size) => openWebKit(size, "none"), uname: "anna" },
])("$engine before the app has started", ({ open, uname }) => {
  let browser: Browser;
  beforeEach(async () => {
    browser = await open(phone);
    return () => browser.close();
  });

  const { password } = app.members.find((one) => one.uname === uname)!;
  const booked = async () =>
    (await app.runCommand<{ uname: string }[]>("beers", "export")).filter((beer) => beer.uname === uname).length;
  const own = async () => (await findElement(browser, "[data-counter=own]"))?.text;
  const earlyCount = async () => (await findElement(browser, "#placeholder p + p > [data-early-count]"))?.text;

  /** Opens a page whose app is not answered until `mayCome` is resolved. */
  async function openWithoutApp(path: string): Promise<void> {
    mayCome = Promise.withResolvers();
    await browser.evaluate(() => void Object.assign(globalThis, { isLeft: true }));
    await browser.goto(url + path);
    // WebKit does not wait for the page, whose `load` event may wait for the app.
    await expect.poll(() => browser.evaluate(() => "isLeft" in globalThis)).toBe(false);
    await waitUntilSeen(browser, "#placeholder h1");
  }

  test("the login form keeps text, focus and caret", async () => {
    await openWithoutApp("/login");
    await fill(browser, "Benutzername", uname);
    await fill(browser, "Passwort", password.slice(0, -1));
    mayCome.resolve();
    await expect.poll(() => findElement(browser, "#placeholder h1")).toBeNull();
    await press(browser, password.at(-1)!, keys.enter);
    await expect.poll(own).toMatch(/\d/);
  });

  test("a login form that was sent is sent after the start", async () => {
    await openWithoutApp("/login");
    await fill(browser, "Benutzername", uname);
    await fill(browser, "Passwort", password);
    await press(browser, keys.enter);
    expect(await browser.evaluate(() => location.href)).toBe(`${url}/login`);
    mayCome.resolve();
    await expect.poll(own).toMatch(/\d/);
  });

  test("taps count at once, survive a reload, and are booked once, even one that lasts until the start", async () => {
    await openWithoutApp("/login");
    expect(await browser.evaluate(logIn, uname, password)).toBe(200);
    await openWithoutApp("/beercounter");
    await click(browser, "#placeholder #bier-trinken");
    await click(browser, "#placeholder button", "0,0 trinken");
    expect(await earlyCount()).toBe("2");
    await openWithoutApp("/beercounter");
    await expect.poll(earlyCount).toBe("2");

    const { x, y } = await waitUntilTappable(browser, "#placeholder #bier-trinken");
    const point = (type: "pointerDown" | "pointerUp") => {
      const place = { type: "pointerMove", x: Math.round(x) + 80, y: Math.round(y) + 20 } as const;
      return browser.performActions([{ type: "pointer", id: "pointer", actions: [place, { type, button: 0 }] }]);
    };
    await point("pointerDown");
    mayCome.resolve();
    await expect.poll(() => browser.evaluate(isRendering)).toBe(true);
    expect(await booked()).toBe(0);
    expect(await findElement(browser, "#placeholder #bier-trinken")).not.toBeNull();
    await point("pointerUp");
    await expect.poll(own).toBe("3");
    await expect.poll(booked).toBe(3);
  });
});

async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { url: path = "/", method = "GET", headers } = incoming;
  const isApp = /\/app-[^/]*\.js/.test(path);
  if (isApp) await mayCome.promise;
  const asked = request(app.url + path, { method, headers }, (found) => {
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
