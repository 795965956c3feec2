import { expect, test } from "vitest";

import { createE2eApp } from "./e2e-app.ts";
import {
  findHeaderFaults,
  findOverhang,
  groupNames,
  isMemberNameShortened,
  readHeaderLinks,
  showGroupName,
} from "./page-checks.ts";

const app = await createE2eApp();
await app.registerMembers(
  { uname: "anna", name: "Anna-Katharina Obermoser" },
  { uname: "ben", name: "Ben" },
  { uname: "carla", name: "Carla" },
);
await app.runCommand("user", "grant", "anna", "admin", "see-game-servers");
await app.runCommand("user", "grant", "ben", "see-game-servers");

const mainLinks = ["Bier-Counter", "Partys", "Adventskalender"];

test.each([
  { uname: "anna", links: [...mainLinks, "Game-Server"] },
  { uname: "ben", links: [...mainLinks, "Game-Server"] },
  { uname: "carla", links: mainLinks },
])(
  "no control in the header of $uname is cut off or covered, at every width and with any group name",
  async ({ uname, links }) => {
    const page = await app.loggedInPage(uname);
    for (const width of [320, 500, 900, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const textSize of ["100%", "200%"]) {
        await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize);
        for (const name of groupNames) {
          await page.evaluate(showGroupName, name);
          const where = `${name} at ${width} px, text ${textSize}`;
          expect(await page.evaluate(findHeaderFaults), where).toEqual([]);
          expect(await page.evaluate(findOverhang), where).toEqual([]);
          if (textSize === "200%") continue;
          if (uname !== "anna") expect(await page.evaluate(isMemberNameShortened), where).toBe(false);
          if (width >= 900) expect(await page.evaluate(readHeaderLinks), where).toEqual(links);
        }
      }
    }
  },
);

test("the sidebar lists all pages in order, including the year review only in December and January", async () => {
  const page = await app.loggedInPage("anna", { path: "about:blank" });
  for (const [day, review] of [
    ["2026-11-30T12:00:00Z", []],
    ["2026-12-01T12:00:00Z", ["Jahresrückblick"]],
    ["2027-01-31T12:00:00Z", ["Jahresrückblick"]],
    ["2027-02-01T12:00:00Z", []],
  ] as const) {
    await page.clock.setFixedTime(day);
    await page.goto("/beercounter");
    const links = page.locator("#seitenleiste a");
    const expected = [...mainLinks, "Game-Server", "Statistik", ...review, "Größenrechner", "Verwaltung"];
    expect(await links.allTextContents()).toEqual(expected);
  }
});

test("the header and the sidebar of a guest list only pages that are open to everyone", async () => {
  const page = await app.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto("/login");
  expect(await page.evaluate(readHeaderLinks)).toEqual(["Adventskalender"]);
  expect(await page.locator("#seitenleiste a").allTextContents()).toEqual(["Adventskalender", "Größenrechner"]);
});
