import { describe, expect, test } from "vitest";

import { createE2eApp } from "#test/e2e/e2e-app.ts";
import { findHeaderFaults, findOverhang, groupNames, readHeaderLinks, showGroupName } from "#test/e2e/page-checks.ts";
import type { Browser } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { click, findElement, keys, press } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const name = "Anna-Katharina Obermoser";

const app = await createE2eApp({ env: { RATE_LIMIT_FACTOR: "100" } });
await app.registerMembers({ uname: "anna", name }, "Ben");
await app.runCommand("user", "grant", "anna", "admin", "see-game-servers");

describe.each([
  { engine: "Firefox", open: openFirefox },
  { engine: "WebKit", open: openWebKit },
])("header in $engine", ({ open }) => {
  test.each([1024, 1280, 1440])("no control in the header is cut off or covered at %i px", async (width) => {
    const browser = await open({ width, height: 800 });
    try {
      await logIn(browser);
      for (const textSize of ["100%", "200%"]) {
        await browser.evaluate((size) => void (document.documentElement.style.fontSize = size), textSize);
        for (const groupName of groupNames) {
          await browser.evaluate(showGroupName, groupName);
          const where = `${groupName}, text ${textSize}`;
          expect(await browser.evaluate(findHeaderFaults), where).toEqual([]);
          expect(await browser.evaluate(findOverhang), where).toEqual([]);
        }
        const links = ["Bier-Counter", "Partys", "Adventskalender", "Game-Server"];
        if (textSize === "100%") expect(await browser.evaluate(readHeaderLinks)).toEqual(links);
      }
    } finally {
      await browser.close();
    }
  });

  test("the last link of the sidebar and the logout are visible on a phone in landscape", async () => {
    const browser = await open({ width: 740, height: 340 });
    try {
      await logIn(browser);
      const isInView = { isInWindow: true, isTappable: true };
      await click(browser, "header button", "Menü");
      await expect.poll(() => findElement(browser, "#seitenleiste a", "Verwaltung")).toMatchObject(isInView);
      await press(browser, keys.escape);
      await click(browser, "header button", name);
      await expect.poll(() => findElement(browser, "[role=menuitem]", "Logout")).toMatchObject(isInView);
    } finally {
      await browser.close();
    }
  });
});

async function logIn(browser: Browser): Promise<void> {
  await browser.goto(`${app.url}/login`);
  // Waits until the app has started: during its start, the app fetches a CSRF token that would
  // replace the test's token.
  await expect.poll(() => browser.evaluate(() => document.querySelector("#placeholder"))).toBeNull();
  const { uname, password } = app.members[0]!;
  const status = await browser.evaluate(
    async (credentials) => {
      await fetch("/sanctum/csrf-cookie");
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)![1]!);
      const headers = { "Content-Type": "application/json", "X-XSRF-TOKEN": token };
      return (await fetch("/api/login", { method: "POST", headers, body: JSON.stringify(credentials) })).status;
    },
    { uname, password },
  );
  expect(status).toBe(200);
  await browser.goto(`${app.url}/beercounter`);
  await expect
    .poll(() => browser.evaluate(() => document.querySelector("header button .one-line")?.textContent))
    .toBe(name);
}
