import type { BrowserContext, Page, ViewportSize } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { calendarDays } from "#server/features/christmas-calendar/rules.ts";
import { createE2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { memberPaths } from "#test/e2e/page-checks.ts";

const app = await createE2eApp({ withDemo: true });

describe("layout shift on a phone and a laptop", () => {
  const options = { reducedMotion: "no-preference" } as const;
  const visited: Record<"visitor" | "member", Page | undefined> = { visitor: undefined, member: undefined };
  beforeAll(async () => {
    visited.visitor = await app.newPage(options);
    // Opens the counter once, so that the browser has stored the member.
    visited.member = await app.loggedInPage("anna", options);
  });

  test.each([
    ...["/login", "/register", "/height-calculator"].map((path) => ["visitor", path] as const),
    ...[...memberPaths, "/party/1", "/members/2"].map((path) => ["member", path] as const),
  ])("a %s sees no layout shift while %s loads", async (who, path) => {
    const context = visited[who]!.context();
    const [narrow, wide] = await Promise.all([findShifts(context, path, phone), findShifts(context, path, laptop)]);
    expect({ narrow, wide }).toEqual({ narrow: [], wide: [] });
  });

  const empty = { images: [], year: 2026, years: [], today: "2026-11-23", own_doors: [] };
  const images = calendarDays(2026).map((date) => ({ date, url: "" }));
  const own_doors = [{ date: "2026-12-05", picture: null }];
  test.each([
    ["/christmas-calendar", "/opened-images", empty],
    ["/game-servers", "", []],
    // Calendars of 24 doors without pictures, one of them assigned to the member: first visible,
    // then hidden, as in October.
    ["/christmas-calendar", "/opened-images", { ...empty, images, own_doors }],
    ["/christmas-calendar", "/opened-images", { ...empty, own_doors }],
  ])("a member of an empty group sees no layout shift while %s loads", async (path, call, json) => {
    const context = visited.member!.context();
    let isAsked = false;
    await context.route(`**/api${path}${call}`, async (route) => {
      isAsked = true;
      await route.fulfill({ json });
    });
    const shifts = await Promise.all([phone, laptop].map((size) => findShifts(context, path, size)));
    expect({ shifts, isAsked }).toEqual({ shifts: [[], []], isAsked: true });
  });

  async function findShifts(context: BrowserContext, path: string, viewport: ViewportSize): Promise<unknown[]> {
    const opened = await context.newPage();
    await opened.setViewportSize(viewport);
    await opened.addInitScript(recordShifts);
    // Blocks the web font: its width differs slightly from the fallback font, and it may load late
    // on a busy machine.
    await opened.route("**/*.woff2", (route) => route.abort());
    // Delays the API's answers until the page has painted its loading state.
    await opened.route(/\/api\/(?!checkLoginStatus)/, async (route) => {
      await opened.locator("#placeholder").waitFor({ state: "detached" });
      await opened.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      await route.fallback();
    });
    await opened.goto(path);
    await opened.locator("#placeholder").waitFor({ state: "detached" });
    await expect.poll(() => opened.locator("main :is([aria-busy=true], [data-skeleton])").count()).toBe(0);
    await opened.waitForLoadState("networkidle");
    await opened.unrouteAll({ behavior: "ignoreErrors" });
    const shifts = await opened.evaluate(() => globalThis.layoutShifts);
    await opened.close();
    return shifts;
  }
});

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
