import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { Client } from "#test/client.ts";
import { createE2eApp, type E2eMember, phone } from "#test/e2e/e2e-app.ts";
import { findCoveredControls, memberPaths, readTapDelay, startTapWatch } from "#test/e2e/page-checks.ts";
import { createFakeClock } from "#test/faults/fake-clock.ts";
import type { Browser } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { expectSoundLayout } from "./layout.ts";
import { click, fill, findElement, keys, press as pressKeys, tap, waitUntilSeen, waitUntilTappable } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const folder = createTemporaryFolder();
const picture = join(folder, "wappen.png");

const clock = await createFakeClock("2026-12-24T17:00:00Z");
const app = await createE2eApp({ withDemo: true, env: { ...clock.env, TZ: "UTC", RATE_LIMIT_FACTOR: "100" } });
await app.runCommand("game-server", "add", "Im Keller", "--command", "sleep 1000");
const carla = new Client(app.url, {});
const { password } = app.members.find((member) => member.uname === "carla")!;
await carla.post("/api/login", { uname: "carla", password });
const red = { create: { width: 300, height: 400, channels: 3, background: "#f00" } } as const;
const blue = await sharp({ create: { ...red.create, background: "#00f" } })
  .png()
  .toBuffer();
await sharp(red)
  .extend({ right: 300 })
  .composite([{ input: blue, left: 300, top: 0 }])
  .toFile(picture);

const engines = [
  { engine: "Firefox", open: openFirefox, uname: "ben" },
  { engine: "WebKit", open: openWebKit, uname: "anna" },
];

// All tests share one login. Each test starts on the counter, or on the page where the previous
// test ended.
describe.each(engines)("$engine", ({ engine, open, uname }) => {
  let browser: Browser;
  let member: E2eMember;
  const look = (selector: string, name?: string) => findElement(browser, selector, name);
  const press = (selector: string, name?: string) => click(browser, selector, name);
  const type = (...values: string[]) => pressKeys(browser, ...values);
  // Reads `activeElement`, because `:focus` never matches in a browser without a window.
  const focused = () =>
    browser.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  const count = async (whose: "own" | "group") => {
    const shown = await look(`[data-counter=${whose}]`);
    return Number(shown?.text.replace(".", ""));
  };
  const booked = async () =>
    (await app.runCommand<{ uname: string }[]>("beers", "export")).filter((beer) => beer.uname === uname).length;

  beforeAll(async () => {
    member = app.members.find((one) => one.uname === uname)!;
    browser = await open(phone);
  });
  afterAll(() => browser.close());
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => writeFileSync(`${tmpdir()}/${engine}.png`, await browser.screenshot()));
  });
  afterEach(() => expectSoundLayout(browser));

  test("a tap on the beer button books a beer as soon as the button is visible after a login", async () => {
    await browser.goto(`${app.url}/login`);
    await startRecord(browser);
    await fill(browser, "Benutzername", uname);
    await fill(browser, "Passwort", member.password);
    const before = await booked();
    await press("main button", "Login");
    await tap(browser, await waitUntilSeen(browser, "#bier-trinken"));
    await expect.poll(() => count("own")).toBe(before + 1);
    await press("button", "Nicht jetzt");
    await expect.poll(() => look("[data-flash]")).toBeNull();
  });

  test.each([
    { link: "Größenrechner", heading: "Der Fabulöse Größenrechner", control: "main input" },
    { link: "Partys", heading: "Partys", control: "main button" },
    { link: "Bier-Counter", heading: "Bier-Counter", control: "#bier-trinken" },
  ])(
    "a control on the page $link can be tapped within 100 ms after the page becomes visible",
    async ({ link, ...target }) => {
      await browser.evaluate(startTapWatch, target);
      await openPage(link);
      expect(await browser.evaluate(readTapDelay)).toBeLessThan(100);
    },
  );

  test("tapping and undoing a beer changes the counts and does not move the beer button", async () => {
    // The counter shows no numbers until its data has loaded.
    await expect.poll(() => count("group")).not.toBeNaN();
    const before = { own: await count("own"), group: await count("group") };
    const { x, y } = await waitUntilTappable(browser, "button", "Bier trinken");
    await press("button", "Bier trinken");
    const flash = await waitUntilTappable(browser, "[data-flash]");
    expect(flash).toMatchObject({ isInWindow: true });
    expect(flash.height).toBeGreaterThan(30);
    expect(flash.height).toBeLessThan(120);
    await expect.poll(() => count("own")).toBe(before.own + 1);
    await expect.poll(() => count("group")).toBe(before.group + 1);
    await expectSoundLayout(browser);
    expect(await waitUntilTappable(browser, "button", "Bier trinken")).toMatchObject({ x, y });

    await press("button", "Rückgängig");
    await expect.poll(() => count("own")).toBe(before.own);
    await expect.poll(() => count("group")).toBe(before.group);
    await expect.poll(() => look("[data-flash]")).toBeNull();
  });

  test("another member's beer appears on the counter without a reload", async () => {
    const before = await count("group");
    await carla.post("/api/beercounter/counters");
    await expect.poll(() => look("p", "Prost von Carla!")).toMatchObject({ isInWindow: true });
    await expectSoundLayout(browser);
    await expect.poll(() => count("group")).toBe(before + 1);
    await press("button", "Prost zurück");
    await expect.poll(() => look("[data-flash]")).toBeNull();
  });

  test("the beer history opens as a dialog, and closing the dialog restores the focus", async () => {
    await press("button", "Verlauf");
    expect(await waitUntilTappable(browser, "dialog", "Verlauf")).toMatchObject({ opacity: 1 });
    expect(await browser.evaluate(() => document.activeElement?.localName)).toBe("h2");
    await expectSoundLayout(browser);
    await type(keys.escape);
    await expect.poll(() => look("dialog")).toBeNull();
    expect(await focused()).toBe("Verlauf");
  });

  test("after a dialog is closed with a tap, its opener has the focus without a focus ring", async () => {
    await press("button", "Verlauf");
    await press("dialog button", "Fertig");
    await expect.poll(() => look("dialog")).toBeNull();
    expect(await focused()).toBe("Verlauf");
    expect(await browser.evaluate(() => document.activeElement!.matches(":focus-visible"))).toBe(false);
  });

  test("going back closes the sidebar, the account menu and a dialog before it leaves the page", async () => {
    await openPage("Größenrechner");
    await openPage("Bier-Counter");
    for (const [button, layer] of [
      ["Menü", "#seitenleiste"],
      [member.name, "[role=menu]"],
      ["Verlauf", "dialog"],
    ] as const) {
      await press("button", button);
      await expect.poll(() => look(layer)).not.toBeNull();
      await goBack();
      await expect.poll(() => look(layer)).toBeNull();
      expect(await currentPath()).toBe("/beercounter");
    }
    await press("button", "Verlauf");
    await press("dialog button", "Fertig");
    await expect.poll(() => look("dialog")).toBeNull();
    await goBack();
    await expect.poll(currentPath).toBe("/height-calculator");
    await openPage("Bier-Counter");
  });

  test("a picture that a member rotates before uploading it is stored rotated", async () => {
    await press("header button", member.name);
    for (const item of ["Profil", "Logout"]) {
      expect(await waitUntilTappable(browser, "[role=menuitem]", item)).toMatchObject({ isInWindow: true });
    }
    await expect.poll(() => look("[role=menu]")).toMatchObject({ opacity: 1 });
    await expectSoundLayout(browser);
    await press("[role=menuitem]", "Profil");

    await press("button", "Profilbild ändern");
    expect(await waitUntilTappable(browser, "dialog", "Profilbild auswählen")).toMatchObject({ opacity: 1 });
    await browser.setFile("dialog input[type=file]", picture);
    await press("dialog button", "Nach rechts drehen");
    await expectSoundLayout(browser);
    await press("dialog button", "Hochladen");
    await press("dialog button", "OK");
    await expect.poll(() => look("dialog")).toBeNull();
    // The rotation to the right moves the left, red half of the picture to the top.
    await expect.poll(() => browser.evaluate(readOwnPicture)).toEqual(["255,0,0", "0,0,255"]);
  });

  test("an element of the profile that is focused with the keyboard is entirely visible", async () => {
    await press("input", "Benutzername");
    for (let stops = 0; stops < 9; stops++) {
      await type(keys.tab);
      await expect.poll(() => browser.evaluate(isFocusInSight)).toBe(true);
    }
    expect(await browser.evaluate(() => scrollY)).toBeGreaterThan(0);
  });

  test("a dialog that is higher than the window shows its title first", async () => {
    await browser.evaluate(() => void (document.documentElement.style.fontSize = "200%"));
    await press("summary h2", "Sicherheit und Daten");
    await press("button", "Account löschen …");
    expect(await waitUntilTappable(browser, "dialog", "Account löschen")).toMatchObject({ opacity: 1 });
    expect(await look("dialog h2", "Account löschen")).toMatchObject({ isInWindow: true });
    await type(keys.escape);
    await expect.poll(() => look("dialog")).toBeNull();
    await browser.evaluate(() => void (document.documentElement.style.fontSize = ""));
  });

  test("a member starts and stops a game server", async () => {
    await openPage("Game-Server");
    const server = "li:last-child";
    await press(`${server} button`, "starten");
    await expect.poll(() => look(`${server} p`, "Läuft")).not.toBeNull();
    await expectSoundLayout(browser);
    await press(`${server} button`, "herunterfahren");
    await expect.poll(() => look(`${server} p`, "Aus")).not.toBeNull();
  });

  test("a calendar door enlarges its picture when it is opened, and the calendar's music plays", async () => {
    await openPage("Adventskalender");
    await press("button", "24 Memechen Nr.");
    expect(await waitUntilTappable(browser, "dialog", "24. Dezember")).toMatchObject({ opacity: 1 });
    await expectSoundLayout(browser);
    await type(keys.escape);
    await expect.poll(() => look("dialog")).toBeNull();
    expect(await focused()).toBe("24. Dezember groß ansehen");
    await expect.poll(() => browser.evaluate(() => document.querySelector("audio")!.currentTime)).toBeGreaterThan(0);
  });

  test("arrow keys navigate through the year review to its picture for sharing", async () => {
    await openPage("Bier-Counter");
    await press("main a[href='/wrapped']");
    await waitUntilTappable(browser, "dialog h2", "Jahresrückblick");
    const heading = () => browser.evaluate(() => document.querySelector("dialog h2")?.textContent);
    for (let shown = await heading(); shown !== "Teilen"; shown = await heading()) {
      await type(keys.right);
      await expect.poll(heading).not.toBe(shown);
      await expectSoundLayout(browser);
    }
    const pictureWidth = () =>
      browser.evaluate(() => document.querySelector<HTMLImageElement>("dialog img")?.naturalWidth);
    await expect.poll(pictureWidth).toBe(1080);
    await goBack();
    await expect.poll(() => look("dialog")).toBeNull();
    expect(await currentPath()).toBe("/wrapped");
  });

  test("no member page has content wider than the window or a covered control", async () => {
    expect((await readRecord(browser)).messages).toEqual([]);
    for (const path of memberPaths) {
      await browser.goto(`${app.url}${path}`);
      await expect.poll(() => browser.evaluate(() => document.querySelector("#placeholder"))).toBeNull();
      await expect.poll(() => look("h1, h2")).not.toBeNull();
      await expect.poll(() => look("[aria-busy=true]")).toBeNull();
      await expectSoundLayout(browser);
      await expect.poll(() => browser.evaluate(findCoveredControls), { message: path }).toEqual([]);
    }
  });

  test("the long label of a switch is wrapped only between words", async () => {
    await browser.goto(`${app.url}/notifications`);
    await expect.poll(() => look("label", "An einem Game-Server tut sich etwas")).not.toBeNull();
    const lines = await browser.evaluate(() => {
      const labels = [...document.querySelectorAll("label")];
      const text = labels.find((label) => label.textContent.includes("Game-Server"))!.lastChild!;
      const word = document.createRange();
      word.setStart(text, text.textContent!.indexOf("Game-Server"));
      word.setEnd(text, word.startOffset + "Game-Server".length);
      return new Set([...word.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines).toBe(1);
  });

  test("a member can use the counter and both menus with only a keyboard", async () => {
    await browser.goto(`${app.url}/beercounter`);
    await expect.poll(() => count("own")).toBeGreaterThan(0);
    const before = await count("own");
    await waitUntilSeen(browser, "[data-counter=party-own]");
    await type(keys.tab);
    await expect.poll(focused).toBe("Zum Inhalt springen");
    // The beer button follows two links to the running party.
    await type(keys.enter, keys.tab, keys.tab, keys.tab);
    expect(await focused()).toBe("Bier trinken");

    await focus(`header [aria-label=${member.name}]`);
    await type(keys.down);
    await expect.poll(focused).toBe("Mein Deckel");
    await type(keys.end);
    expect(await focused()).toBe("Logout");
    await type(keys.escape);
    await expect.poll(() => look("[role=menu]")).toBeNull();
    expect(await focused()).toBe(member.name);

    // Skips the rest in a Firefox without windows: it never has the focus, so keys do not press
    // buttons.
    if (!(await browser.evaluate(() => document.hasFocus()))) return;
    await focus("header [aria-label=Menü]");
    await type(keys.enter);
    await waitUntilTappable(browser, "#seitenleiste a", "Bier-Counter");
    await type(keys.tab);
    expect(await focused()).toBe("Bier-Counter");
    await type(keys.escape);
    await expect.poll(() => look("#seitenleiste")).toBeNull();
    expect(await focused()).toBe("Menü");

    await focus("#bier-trinken");
    await type(keys.enter, " ");
    await expect.poll(() => count("own")).toBe(before + 2);
  });

  test("two taps on the beer button book two beers, although the connection is lost in between", async () => {
    await browser.goto(`${app.url}/beercounter`);
    // Without the server, the app could no longer be loaded.
    await expect.poll(() => look("#placeholder h1")).toBeNull();
    const button = await waitUntilTappable(browser, "button", "Bier trinken");
    const before = await booked();
    await app.kill();
    await tap(browser, button);
    const advice = " auf Empfang. Öffne dann die App!";
    await expect.poll(() => look("p", `1 Bier wartet${advice}`)).not.toBeNull();
    await expect.poll(() => look("p", "Keine Verbindung. Wir versuchen es weiter.")).not.toBeNull();
    await tap(browser, button);
    await expect.poll(() => look("p", `2 Biere warten${advice}`)).not.toBeNull();
    const { x, y } = await waitUntilTappable(browser, "button", "Bier trinken");
    expect([x, y]).toEqual([button.x, button.y]);
    await app.start();
    await expect.poll(booked, { timeout: 30_000 }).toBe(before + 2);
    await expect.poll(() => look("p", `2 Biere warten${advice}`)).toBeNull();
  });

  test("a member can log out, and the browser's console remains empty", async () => {
    await startRecord(browser);
    await press("header button", member.name);
    await press("[role=menuitem]", "Logout");
    await waitUntilTappable(browser, "header a", "Login");
    expect(await browser.evaluate(() => location.pathname)).toBe("/");
    expect((await readRecord(browser)).messages).toEqual([]);
  });

  function goBack(): Promise<void> {
    return browser.evaluate(() => history.back());
  }

  function currentPath(): Promise<string> {
    return browser.evaluate(() => location.pathname);
  }

  async function openPage(link: string): Promise<void> {
    await press("header button", "Menü");
    await press("#seitenleiste a", link);
  }

  function focus(selector: string): Promise<void> {
    return browser.evaluate((where) => document.querySelector<HTMLElement>(where)!.focus(), selector);
  }
});

interface PageRecord {
  readonly messages: string[];
}

type Recorded = typeof globalThis & { record: PageRecord };

/** Records console messages until the next page load. */
async function startRecord(browser: Browser): Promise<void> {
  await browser.evaluate(() => {
    const record: PageRecord = { messages: [] };
    (globalThis as Recorded).record = record;
    const recordMessage = (...words: unknown[]): void => void record.messages.push(words.join(" "));
    Object.assign(console, { error: recordMessage, warn: recordMessage });
    addEventListener("error", ({ message }) => recordMessage(message));
    addEventListener("unhandledrejection", ({ reason }) => recordMessage(reason));
  });
}

/** Returns the RGB colours of the upper and lower half of the member's own picture. Runs in the page. */
function readOwnPicture(): string[] {
  const image = document.querySelector<HTMLImageElement>("header img");
  if (!image?.complete) return [];
  const canvas = new OffscreenCanvas(1, 4).getContext("2d")!;
  canvas.drawImage(image, 0, 0, 1, 4);
  return [0, 3].map((y) => canvas.getImageData(0, y, 1, 1).data.slice(0, 3).join());
}

const readRecord = (browser: Browser) => browser.evaluate(() => (globalThis as Recorded).record);

/** Returns `true` if the focused element is between the header and the end of the window. Runs in the page. */
function isFocusInSight(): boolean {
  const { top, bottom } = document.activeElement!.getBoundingClientRect();
  return top >= document.querySelector("header")!.getBoundingClientRect().bottom && bottom <= innerHeight;
}
