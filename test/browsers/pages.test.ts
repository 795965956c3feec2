import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import {
  allViews,
  findCoveredControls,
  guestPaths,
  memberPaths,
  openAndCheck,
  seriousViolations,
} from "#test/e2e/page-checks.ts";

test.use({ installation: { withDemo: true } });

test("the layout and accessibility checks cover pages of guests and of members", () => {
  expect(guestPaths).toContain("/login");
  expect(memberPaths).toContain("/beercounter");
});

test.describe("pages for guests", () => {
  for (const path of guestPaths)
    test(`the guest page ${path} passes the layout and accessibility checks, and requests no member data`, async ({
      app,
    }) => {
      const page = await app.keptPage(null);
      const refused: string[] = [];
      page.on("response", (answer) => {
        if (answer.status() === 401) refused.push(answer.url());
      });
      await openAndCheck(page, path, { chosen: path === "/login" ? allViews : undefined });
      expect(new URL(page.url()).pathname).toBe(path);
      expect(refused).toEqual([]);
    });

  test("the accessibility check reports a button without an accessible name", async ({ app }) => {
    const page = await app.keptPage(null);
    await page.goto("/login");
    await page.evaluate(() => document.querySelector("main")!.append(document.createElement("button")));
    expect(await seriousViolations(page)).toEqual(["button-name: <button></button>"]);
  });

  test("a page that violates the Content-Security-Policy fails its test", async ({ app }) => {
    const page = await app.keptPage(null);
    await page.goto("/login");
    const blocked = page.waitForEvent("console");
    await page.evaluate(() => (document.body.appendChild(new Image()).src = "http://example.org/"));
    await blocked;
    await expect(app.closePages()).rejects.toThrow("violates the following Content Security Policy directive");
  });
});

test.describe("pages for members", () => {
  let page: Page;
  test.beforeEach(async ({ app }) => {
    page = await app.keptPage("anna");
  });

  for (const path of memberPaths)
    test(`the member page ${path} passes the layout and accessibility checks`, async () => {
      await openAndCheck(page, path, {
        // The header and the sidebar are the same on all pages.
        chosen: path === "/beercounter" ? allViews : undefined,
        // The headings of all pages have the same left edge, but two are centered.
        inspect: async ({ width }) => {
          if (width !== 1280) return;
          const edge = await page.locator("main h1").evaluate(leftEdgeOfText);
          expect(
            ["/christmas-calendar", "/welcome"].includes(path) ? edge > 96 : edge === 96,
            `left edge ${edge}`,
          ).toBe(true);
        },
      });
    });

  test("the check for covered controls reports a control below an invisible box", async () => {
    await page.goto("/beercounter");
    await page.locator("#drink-beer").evaluate((button) => {
      const box = button.parentElement!.appendChild(document.createElement("div"));
      box.style.cssText = "position: absolute; inset: 0 50% 50% 0";
    });
    const faults = await page.evaluate(findCoveredControls);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^"Bier trinken" is covered at /);
  });

  test("the page that a member without permission sees passes the layout and accessibility checks", async ({ app }) => {
    const greta = await app.loggedInPage("greta", { path: "about:blank" });
    await openAndCheck(greta, "/game-servers");
    expect(await greta.getByRole("main").textContent()).toContain("Nope.");
  });
});

function leftEdgeOfText(heading: Element): number {
  const element = heading.querySelector("button > span") ?? heading;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left;
}
