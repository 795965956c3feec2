import { join } from "node:path";

import { expect } from "@playwright/test";
import { Key, type WebDriver } from "selenium-webdriver";
import sharp from "sharp";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { E2eApp } from "#test/e2e/e2e-app.ts";
import { readTapDelay, startTapWatch } from "#test/e2e/page-checks.ts";
import { clock, december } from "./december.ts";
import { expectSoundLayout } from "./layout.ts";
import {
  click,
  type ElementState,
  evaluate,
  fill,
  findElement,
  logIn,
  open,
  press,
  type Recorded,
  tap,
  waitUntilSeen,
  waitUntilTappable,
} from "./webkit-user.ts";
import { test as base } from "./webkit.ts";

/** Actions of a member in the only window of WebKit. */
interface Window {
  readonly browser: WebDriver;
  look(selector: string, name?: string): Promise<ElementState | null>;
  press(selector: string, name?: string): Promise<void>;
  type(...keys: string[]): Promise<void>;
  /** Opens a page with a link of the sidebar. */
  follow(link: string): Promise<void>;
  goBack(): Promise<void>;
  path(): Promise<string>;
  /** Approximate accessible name of the focused element. */
  focused(): Promise<string | null | undefined>;
  count(whose: "own" | "group"): Promise<number>;
  checkLayout(): Promise<void>;
}

const test = base.extend<{ window: Window }>({
  async window({ webKit: browser }, give) {
    const look = (selector: string, name?: string) => findElement(browser, selector, name);
    const checkLayout = () => expectSoundLayout((find) => evaluate(browser, find));
    await give({
      browser,
      look,
      press: (selector, name) => click(browser, selector, name),
      type: (...keys) => press(browser, ...keys),
      async follow(link) {
        await click(browser, "header button", "Menü");
        await click(browser, "#sidebar a", link);
      },
      goBack: () => evaluate(browser, () => history.back()),
      path: () => evaluate(browser, () => location.pathname),
      focused: () => evaluate(browser, () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent),
      count: async (whose) => Number((await look(`[data-counter=${whose}]`))?.text.replace(".", "")),
      checkLayout,
    });
    await checkLayout();
    expect(await evaluate(browser, () => (globalThis as Recorded).messages ?? [])).toEqual([]);
  },
});

test.use({ installation: december });
test.beforeEach(() => clock.set("2026-12-24T17:00:00Z"));

const countBeers = async (app: E2eApp, uname: string) =>
  (await app.runCommand<{ uname: string }[]>("beers", "export")).filter((beer) => beer.uname === uname).length;

test("after registration and login, a tap books a beer as soon as the button is visible", async ({ app, window }) => {
  const { browser, look } = window;
  const password = "kurz-Hopfen-und-Malz";
  const { url } = await app.runCommand<{ url: string }>("invite", "create");
  await open(browser, url);
  await test.step("all errors of a registration are shown at once", async () => {
    await fill(browser, "Passwort", "kurz");
    await window.press("main button", "Account erstellen");
    const errors = () =>
      evaluate(browser, () => [...document.querySelectorAll("form li")].map((item) => item.textContent));
    await expect
      .poll(errors)
      .toEqual([
        "Benutzername muss ausgefüllt werden.",
        "Name muss ausgefüllt werden.",
        "E-Mail-Adresse muss ausgefüllt werden.",
        "Passwort muss mindestens 8 Zeichen lang sein.",
        "Passwort bestätigen muss ausgefüllt werden.",
      ]);
    await window.checkLayout();
  });

  await test.step("the login is filled in after a registration", async () => {
    await fill(browser, "Benutzername", "nora");
    await fill(browser, "Name", "Nora");
    await fill(browser, "E-Mail-Adresse", "nora@stammtisch.example");
    await fill(browser, "Passwort", password.slice("kurz".length));
    await fill(browser, "Passwort bestätigen", password);
    await window.press("main button", "Account erstellen");
    const login = () =>
      evaluate(browser, () => [
        location.pathname + location.hash,
        document.querySelector<HTMLInputElement>("[name=uname]")?.value,
        document.activeElement?.getAttribute("name"),
      ]);
    await expect.poll(login).toEqual(["/login", "nora", "password"]);
  });

  await test.step("a tap books a beer as soon as the beer button is visible", async () => {
    await window.type(password);
    await window.press("main button", "Login");
    await tap(browser, await waitUntilSeen(browser, "#drink-beer"));
    await expect.poll(() => window.count("own")).toBe(1);
    await expect.poll(() => look("[data-flash]")).toBeNull();
  });
});

test("the controls of the next page can be tapped from the first frame in which the page is visible", async ({
  app,
  window,
}) => {
  const { browser } = window;
  await logIn(browser, app, "anna", "/profile");
  for (const { link, ...target } of [
    { link: "Größenrechner", heading: "Der Fabulöse Größenrechner", control: "main input" },
    { link: "Partys", heading: "Partys", control: "main button" },
    { link: "Bier-Counter", heading: "Bier-Counter", control: "#drink-beer" },
  ]) {
    await evaluate(browser, startTapWatch, target);
    await window.follow(link);
    expect(await evaluate(browser, readTapDelay), link).toBe(0);
  }
});

test("tapping and undoing a beer does not move the beer button, and another member's beer appears without a reload", async ({
  app,
  window,
}) => {
  const { browser, look, count } = window;
  await logIn(browser, app, "anna");
  // The counter shows no numbers until its data has loaded.
  await expect.poll(() => count("group")).not.toBeNaN();
  const before = { own: await count("own"), group: await count("group") };
  const { x, y } = await waitUntilTappable(browser, "button", "Bier trinken");
  await window.press("button", "Bier trinken");
  const flash = await waitUntilTappable(browser, "[data-flash]");
  expect(flash).toMatchObject({ isInWindow: true });
  expect(flash.height).toBeGreaterThan(30);
  expect(flash.height).toBeLessThan(120);
  await expect.poll(() => count("own")).toBe(before.own + 1);
  await expect.poll(() => count("group")).toBe(before.group + 1);
  await window.checkLayout();
  expect(await waitUntilTappable(browser, "button", "Bier trinken")).toMatchObject({ x, y });

  await window.press("button", "Rückgängig");
  await expect.poll(() => count("own")).toBe(before.own);
  await expect.poll(() => count("group")).toBe(before.group);
  await expect.poll(() => look("[data-flash]")).toBeNull();

  await (await app.loggedInClient("carla")).post("/api/beercounter/counters");
  await expect.poll(() => look("p", "Prost von Carla!")).toMatchObject({ isInWindow: true });
  await window.checkLayout();
  await expect.poll(() => count("group")).toBe(before.group + 1);
});

test("closing a dialog restores the focus of its opener, after a tap without a focus ring", async ({ app, window }) => {
  const { browser, look, focused } = window;
  await logIn(browser, app, "anna");
  await window.press("button", "Verlauf");
  expect(await waitUntilTappable(browser, "dialog", "Verlauf")).toMatchObject({ opacity: 1 });
  expect(await evaluate(browser, () => document.activeElement?.localName)).toBe("h2");
  await window.checkLayout();
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("dialog")).toBeNull();
  expect(await focused()).toBe("Verlauf");

  await window.press("button", "Verlauf");
  await window.press("dialog button", "Fertig");
  await expect.poll(() => look("dialog")).toBeNull();
  expect(await focused()).toBe("Verlauf");
  expect(await evaluate(browser, () => document.activeElement!.matches(":focus-visible"))).toBe(false);
});

test("going back leaves the page, and the sidebar, the account menu and a dialog are closed", async ({
  app,
  window,
}) => {
  const { browser, look, path, goBack } = window;
  await logIn(browser, app, "anna", "/height-calculator");
  await window.follow("Bier-Counter");
  for (const [button, layer] of [
    ["Menü", "#sidebar"],
    ["Anna", "[role=menu]"],
    ["Verlauf", "dialog"],
  ] as const) {
    await window.press("button", button);
    await expect.poll(() => look(layer)).not.toBeNull();
    await goBack();
    await expect.poll(path).toBe("/height-calculator");
    await expect.poll(() => look(layer)).toBeNull();
    await window.follow("Bier-Counter");
  }
});

test("a picture that a member rotates before uploading it is stored rotated", async ({ app, window }) => {
  const { browser, look } = window;
  await logIn(browser, app, "anna");
  await window.press("header button", "Anna");
  for (const item of ["Profil", "Logout"]) {
    expect(await waitUntilTappable(browser, "[role=menuitem]", item)).toMatchObject({ isInWindow: true });
  }
  await expect.poll(() => look("[role=menu]")).toMatchObject({ opacity: 1 });
  await window.checkLayout();
  await window.press("[role=menuitem]", "Profil");

  await window.press("button", "Profilbild ändern");
  expect(await waitUntilTappable(browser, "dialog", "Profilbild auswählen")).toMatchObject({ opacity: 1 });
  await browser.findElement({ css: "dialog input[type=file]" }).sendKeys(await drawPicture());
  await window.press("dialog button", "Nach rechts drehen");
  await window.checkLayout();
  await window.press("dialog button", "Hochladen");
  await window.press("dialog button", "OK");
  await expect.poll(() => look("dialog")).toBeNull();
  // The rotation to the right moves the left, red half of the picture to the top.
  await expect.poll(() => evaluate(browser, readOwnPicture)).toEqual(["255,0,0", "0,0,255"]);
});

test("a focused element is entirely visible, and a dialog that is higher than the window shows its title first", async ({
  app,
  window,
}) => {
  const { browser, look } = window;
  await logIn(browser, app, "anna", "/profile");
  await window.press("input", "Benutzername");
  for (let stops = 0; stops < 9; stops++) {
    await window.type(Key.TAB);
    await expect.poll(() => evaluate(browser, isFocusInSight)).toBe(true);
  }
  expect(await evaluate(browser, () => scrollY)).toBeGreaterThan(0);

  await evaluate(browser, () => void (document.documentElement.style.fontSize = "200%"));
  await window.press("summary h2", "Sicherheit und Daten");
  await window.press("button", "Account löschen …");
  expect(await waitUntilTappable(browser, "dialog", "Account löschen")).toMatchObject({ opacity: 1 });
  expect(await look("dialog h2", "Account löschen")).toMatchObject({ isInWindow: true });
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("dialog")).toBeNull();
});

test("a calendar door enlarges its picture when it is opened, and the calendar's music plays", async ({
  app,
  window,
}) => {
  const { browser, look } = window;
  await logIn(browser, app, "anna");
  await window.follow("Adventskalender");
  await window.press("button", "24 Memechen Nr.");
  expect(await waitUntilTappable(browser, "dialog", "24. Dezember")).toMatchObject({ opacity: 1 });
  await window.checkLayout();
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("dialog")).toBeNull();
  expect(await window.focused()).toBe("24. Dezember groß ansehen");
  await expect.poll(() => evaluate(browser, () => document.querySelector("audio")!.currentTime)).toBeGreaterThan(0);
});

test("arrow keys navigate through the year review to its picture for sharing", async ({ app, window }) => {
  const { browser, look } = window;
  await logIn(browser, app, "anna", "/wrapped");
  await waitUntilTappable(browser, "dialog h2", "Jahresrückblick");
  const heading = () => evaluate(browser, () => document.querySelector("dialog h2")?.textContent);
  for (let shown = await heading(); shown !== "Teilen"; shown = await heading()) {
    await window.type(Key.ARROW_RIGHT);
    await expect.poll(heading).not.toBe(shown);
    await window.checkLayout();
  }
  const pictureWidth = () =>
    evaluate(browser, () => document.querySelector<HTMLImageElement>("dialog img")?.naturalWidth);
  await expect.poll(pictureWidth).toBe(1080);
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("dialog")).toBeNull();
  expect(await window.path()).toBe("/wrapped");
});

test("a member can use the counter, both menus and the logout with only a keyboard", async ({ app, window }) => {
  const { browser, look, count, focused } = window;
  await logIn(browser, app, "anna");
  await expect.poll(() => count("group")).not.toBeNaN();
  const before = await countBeers(app, "anna");
  await window.type(Key.TAB);
  await expect.poll(focused).toBe("Zum Inhalt springen");
  await window.type(Key.ENTER);
  // A few links and buttons, e.g. about today's door, may precede the beer button.
  for (let stops = 0; stops < 6 && (await focused()) !== "Bier trinken"; stops++) await window.type(Key.TAB);
  expect(await focused()).toBe("Bier trinken");
  await window.type(Key.ENTER, " ");
  await expect.poll(() => countBeers(app, "anna")).toBe(before + 2);

  const focus = (selector: string) =>
    evaluate(browser, (where) => document.querySelector<HTMLElement>(where)!.focus(), selector);
  await focus("header [aria-label=Anna]");
  await window.type(Key.ARROW_DOWN);
  await expect.poll(focused).toBe("Mein Deckel");
  await window.type(Key.END);
  expect(await focused()).toBe("Logout");
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("[role=menu]")).toBeNull();
  expect(await focused()).toBe("Anna");

  await focus("header [aria-label=Menü]");
  await window.type(Key.ENTER);
  await waitUntilTappable(browser, "#sidebar a", "Bier-Counter");
  await window.type(Key.TAB);
  expect(await focused()).toBe("Bier-Counter");
  await window.type(Key.ESCAPE);
  await expect.poll(() => look("#sidebar")).toBeNull();
  expect(await focused()).toBe("Menü");

  await focus("header [aria-label=Anna]");
  await window.type(Key.ARROW_UP);
  await expect.poll(focused).toBe("Logout");
  await window.type(Key.ENTER);
  await expect.poll(window.path).toBe("/");
  await waitUntilTappable(browser, "header a", "Login");
});

test("two taps on the beer button book two beers, although the connection is lost in between", async ({
  app,
  window,
}) => {
  const { browser, look } = window;
  await logIn(browser, app, "anna");
  const button = await waitUntilTappable(browser, "button", "Bier trinken");
  const before = await countBeers(app, "anna");
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
  await expect.poll(() => countBeers(app, "anna"), { timeout: 30_000 }).toBe(before + 2);
  await expect.poll(() => look("p", `2 Biere warten${advice}`)).toBeNull();
});

/** Stores a picture whose left half is red and whose right half is blue; returns its path. */
async function drawPicture(): Promise<string> {
  const path = join(createTemporaryFolder(), "wappen.png");
  const half = (background: string) => ({ create: { width: 300, height: 400, channels: 3, background } }) as const;
  const blue = await sharp(half("#00f")).png().toBuffer();
  await sharp(half("#f00"))
    .extend({ right: 300 })
    .composite([{ input: blue, left: 300, top: 0 }])
    .toFile(path);
  return path;
}

/** Returns the RGB colours of the upper and lower half of the member's own picture. Runs in the page. */
function readOwnPicture(): string[] {
  const image = document.querySelector<HTMLImageElement>("header img");
  if (!image?.complete) return [];
  const canvas = new OffscreenCanvas(1, 4).getContext("2d")!;
  canvas.drawImage(image, 0, 0, 1, 4);
  return [0, 3].map((y) => canvas.getImageData(0, y, 1, 1).data.slice(0, 3).join());
}

/** Returns `true` if the focused element is between the header and the end of the window. Runs in the page. */
function isFocusInSight(): boolean {
  const { top, bottom } = document.activeElement!.getBoundingClientRect();
  return top >= document.querySelector("header")!.getBoundingClientRect().bottom && bottom <= innerHeight;
}
