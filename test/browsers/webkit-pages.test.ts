import { expect } from "@playwright/test";
import { Key, type WebDriver } from "selenium-webdriver";

import {
  findCoveredControls,
  findHeaderFaults,
  findOverhang,
  groupNames,
  memberPaths,
  readHeaderLinks,
  showGroupName,
} from "#test/e2e/page-checks.ts";
import { clock, december } from "./december.ts";
import { countLinesOfGameServer, expectSoundLayout } from "./layout.ts";
import { click, evaluate, findElement, logIn, open, press } from "./webkit-user.ts";
import { test } from "./webkit.ts";

const name = "Anna-Katharina Obermoser";

test.use({ installation: december, people: { longest: name } });
test.beforeEach(() => clock.set("2026-12-24T17:00:00Z"));

test("no member page has content wider than the window or a covered control, and words are not broken", async ({
  app,
  webKit: browser,
}) => {
  await logIn(browser, app, "ben");
  for (const path of memberPaths) {
    await test.step(path, async () => {
      await open(browser, app.url + path);
      await expect.poll(() => findElement(browser, "h1, h2")).not.toBeNull();
      await expect.poll(() => findElement(browser, "[aria-busy=true]")).toBeNull();
      await expectSoundLayout((find) => evaluate(browser, find));
      await expect.poll(() => evaluate(browser, findCoveredControls)).toEqual([]);
      if (path === "/notifications") expect(await evaluate(browser, countLinesOfGameServer)).toBe(1);
    });
  }
});

test("every control is visible in the header from 1024 to 1440 px, and in the sidebar on a phone in landscape", async ({
  app,
  webKit: browser,
}) => {
  await app.runCommand("user", "grant", app.members.at(-1)!.uname, "admin", "see-game-servers");
  await logIn(browser, app, "longest");
  for (const width of [1024, 1280, 1440]) {
    await resize(browser, width, 800);
    for (const textSize of ["100%", "200%"]) {
      await evaluate(browser, (size) => void (document.documentElement.style.fontSize = size), textSize);
      for (const groupName of groupNames) {
        await evaluate(browser, showGroupName, groupName);
        const where = `${groupName} at ${width} px, text ${textSize}`;
        expect(await evaluate(browser, findHeaderFaults), where).toEqual([]);
        expect(await evaluate(browser, findOverhang), where).toEqual([]);
      }
      const links = ["Bier-Counter", "Partys", "Adventskalender", "Game-Server"];
      if (textSize === "100%") expect(await evaluate(browser, readHeaderLinks)).toEqual(links);
    }
  }
  await evaluate(browser, () => void (document.documentElement.style.fontSize = ""));

  await resize(browser, 740, 340);
  const isInView = { isInWindow: true, isTappable: true };
  await click(browser, "header button", "Menü");
  await expect.poll(() => findElement(browser, "#sidebar a", "Verwaltung")).toMatchObject(isInView);
  await press(browser, Key.ESCAPE);
  await click(browser, "header button", name);
  await expect.poll(() => findElement(browser, "[role=menuitem]", "Logout")).toMatchObject(isInView);
});

test("a TV shows a code, and shows beers once the code has been entered", async ({ app, webKit: browser }) => {
  await resize(browser, 1280, 720);
  await open(browser, `${app.url}/tv`);
  const read = (selector: string) =>
    evaluate(browser, (found: string) => document.querySelector(found)?.textContent ?? "", selector);
  await expect.poll(() => read("[data-tv-code]")).toHaveLength(6);
  const anna = await app.loggedInClient("anna");
  const connected = await anna.post("/api/admin/tv-code", { code: await read("[data-tv-code]"), name: "Theke" });
  expect(connected.status).toBe(201);
  await expect.poll(() => read("[data-counter=group]")).toMatch(/\d/);
  const before = await read("[data-counter=group]");
  await anna.post("/api/beercounter/counters");
  await expect.poll(() => read("[data-counter=group]")).not.toBe(before);
});

test("a tablet books a beer by a tap on a face, and undoes it", async ({ app, webKit: browser }) => {
  await resize(browser, 768, 1024);
  await open(browser, `${app.url}/tablet`);
  const readCode = () => evaluate(browser, () => document.querySelector("[data-tv-code]")?.textContent ?? "");
  await expect.poll(readCode).toHaveLength(6);
  const anna = await app.loggedInClient("anna");
  await anna.post("/api/admin/tv-code", { code: await readCode(), name: "Kühlschrank", scope: "tablet" });
  const own = async () => (await anna.get("/api/beercounter/counters")).json.userCounterVal as number;
  const before = await own();
  await expect
    .poll(() => findElement(browser, "main li > button", "Bier für Anna"))
    .toMatchObject({ isTappable: true });
  await click(browser, "main li > button", "Bier für Anna");
  await expect.poll(own).toBe(before + 1);
  await click(browser, "main button", "Rückgängig: Anna");
  await expect.poll(own).toBe(before);
});

async function resize(browser: WebDriver, width: number, height: number): Promise<void> {
  await browser.manage().window().setRect({ x: 0, y: 0, width, height });
}
