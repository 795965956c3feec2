import type { BrowserContext, Page, ViewportSize } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { calendarDays } from "#server/features/christmas-calendar/rules.ts";
import { createE2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { memberPaths } from "#test/e2e/page-checks.ts";

const app = await createE2eApp({ withDemo: true });

describe("layout shift while data load, narrow and wide", () => {
  const options = { reducedMotion: "no-preference" } as const;
  const visited: Record<"visitor" | "member", Page | undefined> = { visitor: undefined, member: undefined };
  beforeAll(async () => {
    visited.visitor = await app.newPage(options);
    // From the counter on, the device knows the member.
    visited.member = await app.loggedInPage("anna", options);
  });

  test.each([
    ...["/login", "/register", "/height-calculator"].map((path) => ["visitor", path] as const),
    ...[...memberPaths, "/party?id=1", "/member?id=2"].map((path) => ["member", path] as const),
  ])("a %s sees none on %s", async (who, path) => {
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
    // Only empty doors, one of them the member's own; in October they are hidden.
    ["/christmas-calendar", "/opened-images", { ...empty, images, own_doors }],
    ["/christmas-calendar", "/opened-images", { ...empty, own_doors }],
  ])("a member of an empty group sees none on %s", async (path, call, json) => {
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
    // The web font is a little wider or narrower than its fallback, and may load late on a busy machine.
    await opened.route("**/*.woff2", (route) => route.abort());
    // Waits until the loading state has been painted.
    await opened.route(/\/api\/(?!checkLoginStatus)/, async (route) => {
      await opened.locator(".skeleton").waitFor({ state: "detached" });
      await opened.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      await route.fallback();
    });
    await opened.goto(path, { waitUntil: "networkidle" });
    await opened.unrouteAll({ behavior: "ignoreErrors" });
    const shifts = await opened.evaluate(() => globalThis.layoutShifts);
    await opened.close();
    return shifts;
  }
});

declare global {
  /** The layout shifts: the score of each, followed by the class names of its elements. */
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
