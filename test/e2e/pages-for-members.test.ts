import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { memberPaths, checkPage, openAndCheck, recordPolicyViolations } from "./page-checks.ts";
import { createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
let page: Page;
beforeAll(async () => {
  app = await createE2eApp({ withDemo: true });
  page = await app.loggedInPage("anna", { reducedMotion: "reduce" });
  await recordPolicyViolations(page);
});
afterAll(() => app.close());

test("The route table was read", () => expect(memberPaths).toContain("/beercounter"));

describe("Narrow and wide, light and dark, a member can use", () => {
  const edges = new Map<string, number>();

  test.each(memberPaths)("%s", async (path) => {
    await openAndCheck(page, path);
    edges.set(path, await page.locator("main h1").evaluate(leftEdgeOfText));
  });

  test("every page, with the heading at the same left edge at 1280 px; the calendar's stands in the middle of its sky", () => {
    const { "/christmas-calendar": inTheSky, ...onTheTable } = Object.fromEntries(edges);
    expect(new Set(Object.values(onTheTable))).toEqual(new Set([96]));
    expect(inTheSky).toBeGreaterThan(96);
  });

  test("the counter with its sidebar open", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Menü" }).click();
    await checkPage(page, "the sidebar");
  });

  test("the counter with the account menu open", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Anna", exact: true }).click();
    await checkPage(page, "the account menu");
  });

  test("the pictures to choose from, and the question before one of them is deleted", async () => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Profilbild ändern" }).click();
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).waitFor();
    await checkPage(page, "the pictures");
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).click();
    await page.getByRole("dialog", { name: "Profilbild 1 löschen?" }).waitFor();
    await checkPage(page, "the question");
  });

  test("the page that a permission is missing for", async () => {
    const greta = await app.loggedInPage("greta", { reducedMotion: "reduce" });
    await recordPolicyViolations(greta);
    await openAndCheck(greta, "/game-servers");
    expect(await greta.getByRole("main").textContent()).toContain("Nope.");
  });
});

function leftEdgeOfText(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left;
}
