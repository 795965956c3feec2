import { readFileSync } from "node:fs";
import { join } from "node:path";

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openPub, type Pub } from "./pub.ts";

const widths = [320, 390, 1280];
const schemes = ["light", "dark"] as const;

/** Every address of the route table with who may see it, so that a new page is looked at without anybody thinking of it. */
const routes = [
  ...readFileSync(join(import.meta.dirname, "../../web/routes.tsx"), "utf8").matchAll(
    /path: "([^"]+)",\s+who: ("\w+"|\[[^\]]+\])/g,
  ),
].map(([, path, who]) => ({ path: path!, who: who! }));
const unknown = "/gibt/es/nicht";
const forVisitors = [...routes.filter(({ who }) => /guest|everyone/.test(who)).map(({ path }) => path), unknown];
const forMembers = routes.filter(({ who }) => !/guest|everyone/.test(who)).map(({ path }) => path);

let pub: Pub;
beforeAll(async () => {
  pub = await openPub({ withDemo: true, env: { RATE_LIMIT_FACTOR: "100" } });
});
afterAll(() => pub.close());

test("The route table was read", () => {
  expect(forVisitors).toContain("/login");
  expect(forMembers).toContain("/beercounter");
});

describe("narrow and wide, light and dark: nothing scrolls sideways, nothing is refused by the policy, everybody can use", () => {
  let visitor: Page;
  let member: Page;
  let stranger: Page;
  beforeAll(async () => {
    visitor = await pub.page({ reducedMotion: "reduce" });
    member = await pub.pageOf("anna", { reducedMotion: "reduce" });
    stranger = await pub.pageOf("greta", { reducedMotion: "reduce" });
    for (const page of [visitor, member, stranger]) await watchPolicy(page);
  });

  test.each(forVisitors)("%s, as a visitor", (path) => look(visitor, path));
  test.each(forMembers)("%s, as a member", (path) => look(member, path));
  test("/game-servers, as a member without the permission", () => look(stranger, "/game-servers"));
  test("the counter with its sidebar open", async () => {
    await member.goto("/beercounter");
    await member.getByRole("button", { name: "Menü" }).click();
    await inspect(member, "the sidebar");
  });
  test("the counter with the account menu open", async () => {
    await member.goto("/beercounter");
    await member.getByRole("button", { name: "Anna", exact: true }).click();
    await inspect(member, "the account menu");
  });
});

async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await expect.poll(() => page.title()).toMatch(/^.+ – Stammtisch$/);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await inspect(page, path);
}

async function inspect(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const where = `${what} at ${width} px, ${colorScheme}`;
      expect(await overhang(page), where).toEqual([0, 0]);
      // Colours hang on the scheme and layout on the width; looking closely at every pair would only take longer.
      if ((width === 390) === (colorScheme === "light")) expect(await grave(page), where).toEqual([]);
    }
  }
  expect(await page.evaluate(() => (window as Watched).violations), what).toEqual([]);
}

/** By how many pixels the document and its body are wider than the window. */
function overhang(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [document.documentElement, document.body].map(({ scrollWidth }) => Math.max(0, scrollWidth - innerWidth)),
  );
}

/** What keeps people out, with the place where it is. */
async function grave(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

type Watched = typeof window & { violations: string[] };

async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    (window as Watched).violations = violations;
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective}: ${blockedURI}`),
    );
  });
}
