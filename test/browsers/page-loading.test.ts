import { expect, type Page, type Route } from "@playwright/test";

import { calendarDays } from "#server/features/calendar/rules.ts";
import { laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { memberPaths } from "#test/e2e/page-checks.ts";

const moving = { reducedMotion: "no-preference" } as const;
const visitorPaths = ["/login", "/register", "/height-calculator"];
const empty = { images: [], year: 2026, years: [], today: "2026-11-23", own_doors: [] };
const images = calendarDays(2026).map((date) => ({ date, url: "" }));
const own_doors = [{ date: "2026-12-05", picture: null }];

test.use({ installation: { withDemo: true } });
test.describe.configure({ mode: "parallel" });

for (const [device, viewport, details] of [
  ["phone", phone, {}],
  ["laptop", laptop, { tag: "@nightly" }],
] as const) {
  test(`a visitor sees no layout shift while a page loads on a ${device}`, details, async ({ app }) => {
    const page = await app.newPage({ ...moving, viewport });
    await expectNoShifts(page, visitorPaths);
  });

  for (const [half, pick] of [
    ["a page of the first half of the route table", (index: number) => index % 2 === 0],
    ["a page of the second half of the route table", (index: number) => index % 2 === 1],
  ] as const)
    test(`a member sees no layout shift while ${half} loads on a ${device}`, details, async ({ app }) => {
      // Opens the counter once, so that the browser has stored the member.
      const page = await app.loggedInPage("anna", { ...moving, viewport });
      const paths = [...memberPaths, "/members/2"].filter((_, index) => pick(index));
      await expectNoShifts(page, paths);
    });

  test(`a page of an empty group loads without layout shift on a ${device}`, details, async ({ app }) => {
    const page = await app.loggedInPage("anna", { ...moving, viewport });
    for (const [what, path, call, json] of [
      ["an empty calendar", "/christmas-calendar", "/opened-images", empty],
      ["no game servers", "/game-servers", "", []],
      // Calendars of 24 doors without pictures, one of them assigned to the member: first visible,
      // then hidden, as in October.
      ["a calendar without pictures", "/christmas-calendar", "/opened-images", { ...empty, images, own_doors }],
      ["a hidden calendar", "/christmas-calendar", "/opened-images", { ...empty, own_doors }],
    ] as const)
      await test.step(what, async () => {
        let isAsked = false;
        const answer = async (route: Route): Promise<void> => {
          isAsked = true;
          await route.fulfill({ json });
        };
        await page.context().route(`**/api${path}${call}`, answer);
        await expectNoShifts(page, [path]);
        await page.context().unroute(`**/api${path}${call}`, answer);
        expect(isAsked).toBe(true);
      });
  });
}

/** Opens the pages in a new tab, and checks that nothing moves. */
async function expectNoShifts(opener: Page, paths: readonly string[]): Promise<void> {
  const page = await opener.context().newPage();
  await page.addInitScript(recordShifts);
  // Blocks the web font: its width differs slightly from the fallback font, and it may load late on
  // a busy machine.
  await page.route("**/*.woff2", (route) => route.abort());
  // Delays the API's answers until the page has painted its loading state.
  await page.route(/\/api\/(?!checkLoginStatus)/, async (route) => {
    await page.locator("#skeleton").waitFor({ state: "detached" });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await route.fallback();
  });
  for (const path of paths) await test.step(path, async () => expect(await findShifts(page, path), path).toEqual([]));
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
}

async function findShifts(page: Page, path: string): Promise<unknown[]> {
  await page.goto(path);
  await page.locator("#skeleton").waitFor({ state: "detached" });
  await expect.poll(() => page.locator("main :is([aria-busy=true], [data-skeleton])").count()).toBe(0);
  await page.waitForLoadState("networkidle");
  return page.evaluate(() => globalThis.layoutShifts);
}

declare global {
  /** Score of each layout shift, followed by the class names of the shifted elements. */
  var layoutShifts: unknown[];
}

function recordShifts(): void {
  interface Shift extends PerformanceEntry {
    readonly value: number;
    readonly sources: readonly { node: Element | null }[];
  }
  globalThis.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      globalThis.layoutShifts.push([value, ...sources.map(({ node }) => node?.className)]);
  }).observe({ type: "layout-shift", buffered: true });
}
