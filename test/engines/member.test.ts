import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPub, phone, type Pub } from "#test/e2e/pub.ts";
import type { Browser } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { click, fill, see, whenTappable } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const folder = mkdtempSync(join(tmpdir(), "engines-"));
const picture = join(folder, "wappen.png");
let pub: Pub;

beforeAll(async () => {
  pub = await openPub();
  await pub.join([
    { uname: "anna", name: "Anna" },
    { uname: "ben", name: "Ben" },
  ]);
  await sharp({ create: { width: 600, height: 400, channels: 3, background: "#b22" } }).toFile(picture);
});
afterAll(async () => {
  await pub.close();
  rmSync(folder, { recursive: true });
});

test.for([
  { engine: "Firefox", open: openFirefox, uname: "anna" },
  { engine: "WebKit", open: openWebKit, uname: "ben" },
])("In $engine a member logs in, drinks a beer, chooses a picture and leaves", async (member, { onTestFinished }) => {
  const { name, password } = pub.members.find(({ uname }) => uname === member.uname)!;
  const browser = await member.open(phone);
  onTestFinished(async ({ task }) => {
    try {
      if (task.result?.state === "fail") writeFileSync(`${tmpdir()}/${member.engine}.png`, await browser.screenshot());
    } finally {
      await browser.close();
    }
  });
  const look = (selector: string, title?: string) => see(browser, selector, title);
  const count = async (whose: "own" | "group") => Number((await look(`[data-counter=${whose}]`))?.text);

  await browser.goto(`${pub.url}/login`);
  await startRecord(browser);
  await fill(browser, "Benutzername", member.uname);
  await fill(browser, "Passwort", password);
  await click(browser, "main button", "Login");
  await expect.poll(() => look("[data-counter=own]")).toMatchObject({ text: "0" });
  await click(browser, "button", "Nicht jetzt");
  // A tap is lost while one starts, so the page must not start a second one after the login.
  expect((await readRecord(browser)).viewTransitions).toBe(1);
  const before = await count("group");

  await click(browser, "button", "Bier trinken");
  const flash = await whenTappable(browser, "[data-flash]");
  const header = await look("header");
  expect(flash).toMatchObject({ isInWindow: true });
  expect(flash.height).toBeGreaterThan(40);
  expect(flash.height).toBeLessThan(120);
  expect(flash.y).toBeGreaterThanOrEqual(header!.y + header!.height);
  await expect.poll(() => count("own")).toBe(1);
  await expect.poll(() => count("group")).toBe(before + 1);
  await expect.poll(() => look("[data-flash]")).toBeNull();

  await click(browser, "header button", name);
  for (const item of ["Profil", "Logout"]) {
    expect(await whenTappable(browser, "[role=menuitem]", item)).toMatchObject({ isInWindow: true });
  }
  await expect.poll(() => look("[role=menu]")).toMatchObject({ opacity: 1 });
  await click(browser, "[role=menuitem]", "Profil");

  await click(browser, "button", "Profilbild ändern");
  const dialog = await whenTappable(browser, "dialog", "Profilbild auswählen");
  expect(dialog).toMatchObject({ opacity: 1, isInWindow: true });
  await browser.setFile("dialog input[type=file]", picture);
  await click(browser, "dialog button", "Hochladen");
  await click(browser, "dialog button", "OK");
  await expect.poll(() => look("dialog")).toBeNull();
  await expect.poll(() => look("header img")).toMatchObject({ isInWindow: true });

  await click(browser, "header button", name);
  await click(browser, "[role=menuitem]", "Logout");
  await whenTappable(browser, "header a", "Login");
  expect(await browser.evaluate(() => location.pathname)).toBe("/");
  expect((await readRecord(browser)).complaints).toEqual([]);
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
    const change = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      record.viewTransitions += 1;
      return change(update);
    };
  });
}

const readRecord = (browser: Browser) => browser.evaluate(() => (globalThis as Recorded).record);
