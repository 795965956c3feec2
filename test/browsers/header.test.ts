import { expect } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import {
  findHeaderFaults,
  findOverhang,
  groupNames,
  isMemberNameShortened,
  readHeaderLinks,
  showGroupName,
} from "#test/e2e/page-checks.ts";

test.use({ people: { anna: "Anna-Katharina Obermoser", ben: "Ben", carla: "Carla" } });

test.beforeAll(async ({ app }) => {
  await app.grant("anna", "admin", "see-game-servers");
  await app.grant("ben", "admin", "see-game-servers");
});

const mainLinks = ["Bier-Counter", "Partys", "Adventskalender"];
const widths = [320, 500, 900, 1024, 1280, 1440];

test(
  "no control in the header of a member with a long name and all links is cut off or covered, at every width",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("anna");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      if (width >= 900) expect(await page.evaluate(readHeaderLinks)).toEqual([...mainLinks, "Game-Server"]);
      for (const textSize of ["100%", "200%"]) {
        await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize);
        for (const name of groupNames) {
          await page.evaluate(showGroupName, name);
          const where = `${name} at ${width} px, text ${textSize}`;
          expect(await page.evaluate(findHeaderFaults), where).toEqual([]);
          expect(await page.evaluate(findOverhang), where).toEqual([]);
        }
      }
      await page.evaluate(() => (document.documentElement.style.fontSize = ""));
    }
  },
);

for (const { key, links } of [
  { key: "ben", links: [...mainLinks, "Game-Server"] },
  { key: "carla", links: mainLinks },
])
  test(`the header of ${key} shows the whole name and ${links.length} links, at every width and with any group name`, async ({
    app,
  }) => {
    const page = await app.loggedInPage(key);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of groupNames) {
        await page.evaluate(showGroupName, name);
        const where = `${name} at ${width} px`;
        expect(await page.evaluate(findHeaderFaults), where).toEqual([]);
        expect(await page.evaluate(isMemberNameShortened), where).toBe(false);
        if (width >= 900) expect(await page.evaluate(readHeaderLinks), where).toEqual(links);
      }
    }
  });
