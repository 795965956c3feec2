import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { createE2eApp, phone, type E2eApp } from "#test/e2e/e2e-app.ts";
import type { Browser } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { click, fill, findElement, tap, waitUntilTappable } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const folder = mkdtempSync(join(tmpdir(), "engines-"));
const picture = join(folder, "wappen.png");
let app: E2eApp;

beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Anna", "Ben");
  await sharp({ create: { width: 600, height: 400, channels: 3, background: "#b22" } }).toFile(picture);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const engines = [
  { engine: "Firefox", open: openFirefox, uname: "anna" },
  { engine: "WebKit", open: openWebKit, uname: "ben" },
];

/** A browser that is closed when the test has finished; of a failed one a picture stays. */
async function openBrowser({ engine, open }: (typeof engines)[number]): Promise<Browser> {
  const browser = await open(phone);
  onTestFinished(async ({ task }) => {
    try {
      if (task.result?.state === "fail") writeFileSync(`${tmpdir()}/${engine}.png`, await browser.screenshot());
    } finally {
      await browser.close();
    }
  });
  return browser;
}

/** Logs in through the form and waits for the counter, with the question for notifications out of the way. */
async function logIn(browser: Browser, uname: string, password: string): Promise<void> {
  await fill(browser, "Benutzername", uname);
  await fill(browser, "Passwort", password);
  await click(browser, "main button", "Login");
  await expect.poll(() => findElement(browser, "[data-counter=own]")).not.toBeNull();
  await click(browser, "button", "Nicht jetzt");
}

test.for(engines)("In $engine a member logs in, drinks a beer, chooses a picture and leaves", async (member) => {
  const { name, password } = app.members.find(({ uname }) => uname === member.uname)!;
  const browser = await openBrowser(member);
  const look = (selector: string, title?: string) => findElement(browser, selector, title);
  const count = async (whose: "own" | "group") => Number((await look(`[data-counter=${whose}]`))?.text);

  await browser.goto(`${app.url}/login`);
  await startRecord(browser);
  await logIn(browser, member.uname, password);
  // A tap is lost while one starts, so the page must not start a second one after the login. Firefox has none before 144.
  const hasViewTransitions = await browser.evaluate(() => "startViewTransition" in document);
  expect((await readRecord(browser)).viewTransitions).toBe(hasViewTransitions ? 1 : 0);
  const before = { own: await count("own"), group: await count("group") };

  await click(browser, "button", "Bier trinken");
  const flash = await waitUntilTappable(browser, "[data-flash]");
  const header = await look("header");
  expect(flash).toMatchObject({ isInWindow: true });
  expect(flash.height).toBeGreaterThan(40);
  expect(flash.height).toBeLessThan(120);
  expect(flash.y).toBeGreaterThanOrEqual(header!.y + header!.height);
  await expect.poll(() => count("own")).toBe(before.own + 1);
  await expect.poll(() => count("group")).toBe(before.group + 1);
  await expect.poll(() => look("[data-flash]")).toBeNull();

  await click(browser, "header button", name);
  for (const item of ["Profil", "Logout"]) {
    expect(await waitUntilTappable(browser, "[role=menuitem]", item)).toMatchObject({ isInWindow: true });
  }
  await expect.poll(() => look("[role=menu]")).toMatchObject({ opacity: 1 });
  await click(browser, "[role=menuitem]", "Profil");

  await click(browser, "button", "Profilbild ändern");
  const dialog = await waitUntilTappable(browser, "dialog", "Profilbild auswählen");
  expect(dialog).toMatchObject({ opacity: 1, isInWindow: true });
  await browser.setFile("dialog input[type=file]", picture);
  await click(browser, "dialog button", "Hochladen");
  await click(browser, "dialog button", "OK");
  await expect.poll(() => look("dialog")).toBeNull();
  await expect.poll(() => look("header img")).toMatchObject({ isInWindow: true });

  await click(browser, "header button", name);
  await click(browser, "[role=menuitem]", "Logout");
  await waitUntilTappable(browser, "header a", "Login");
  expect(await browser.evaluate(() => location.pathname)).toBe("/");
  expect((await readRecord(browser)).complaints).toEqual([]);
});

test.for(engines)("In $engine a second tap hits although the connection was lost after the first", async (member) => {
  const { uname, password } = app.members.find((one) => one.uname === member.uname)!;
  const browser = await openBrowser(member);
  await browser.goto(`${app.url}/login`);
  await logIn(browser, uname, password);
  const button = await waitUntilTappable(browser, "button", "Bier trinken");
  const booked = async () =>
    (await app.runCommand<{ uname: string }[]>("beers", "export")).filter((beer) => beer.uname === uname).length;
  const before = await booked();

  await app.kill();
  await tap(browser, button);
  await expect.poll(() => findElement(browser, "p", "1 Bier wartet auf Empfang.")).not.toBeNull();
  await expect.poll(() => findElement(browser, "p", "Keine Verbindung. Wir versuchen es weiter.")).not.toBeNull();
  await tap(browser, button);
  await expect.poll(() => findElement(browser, "p", "2 Biere warten auf Empfang.")).not.toBeNull();
  const { x, y } = await waitUntilTappable(browser, "button", "Bier trinken");
  expect([x, y]).toEqual([button.x, button.y]);
  await app.start();
  await expect.poll(booked, { timeout: 30_000 }).toBe(before + 2);
  await expect.poll(() => findElement(browser, "p", "2 Biere warten auf Empfang.")).toBeNull();
});

interface PageRecord {
  viewTransitions: number;
  readonly complaints: string[];
}

type Recorded = typeof globalThis & { record: PageRecord };

/** Records, until the next page load, how many view transitions start and what appears on the console. */
async function startRecord(browser: Browser): Promise<void> {
  await browser.evaluate(() => {
    const record: PageRecord = { viewTransitions: 0, complaints: [] };
    (globalThis as Recorded).record = record;
    const complain = (...words: unknown[]): void => void record.complaints.push(words.join(" "));
    Object.assign(console, { error: complain, warn: complain });
    addEventListener("error", ({ message }) => complain(message));
    addEventListener("unhandledrejection", ({ reason }) => complain(reason));
    if (!("startViewTransition" in document)) return;
    const change = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      record.viewTransitions += 1;
      return change(update);
    };
  });
}

const readRecord = (browser: Browser) => browser.evaluate(() => (globalThis as Recorded).record);
