import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { guestPaths, openAndCheck, recordPolicyViolations, seriousViolations } from "./page-checks.ts";
import { createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
let page: Page;
const refused: string[] = [];
beforeAll(async () => {
  app = await createE2eApp();
  page = await app.newPage({ reducedMotion: "reduce" });
  await recordPolicyViolations(page);
  page.on("response", (answer) => {
    if (answer.status() === 401) refused.push(answer.url());
  });
});
afterAll(() => app.close());

test("The route table was read", () => expect(guestPaths).toContain("/login"));

describe("Narrow and wide, light and dark, a visitor can use", () => {
  test.each(guestPaths)("%s", async (path) => {
    await openAndCheck(page, path);
    expect(new URL(page.url()).pathname).toBe(path);
  });
});

test("An address of no page is an error page", async () => {
  await page.goto("/gibt/es/nicht");
  await page.getByRole("main").getByText("ERROR 404 | Site not found").waitFor();
});

test("A button without a name is found", async () => {
  await page.goto("/login");
  await page.getByRole("main").waitFor();
  await page.evaluate(() => document.querySelector("main")!.append(document.createElement("button")));
  expect(await seriousViolations(page)).toEqual(["button-name: <button></button>"]);
});

test("No page asked for what only members get", () => expect(refused).toEqual([]));
