import { expect, type Page } from "@playwright/test";

import { browserPath, chromiumFlags, type E2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

/** Maximum sum of the layout shift scores while a page opens; Web Vitals rates 0.1 as good. */
const mostShift = 0.001;

test.use({
  // The full browser, so that the page also shows its question about notifications.
  launchOptions: { executablePath: browserPath(true), args: chromiumFlags },
});

/** Windows, the wide one at night. */
const windows = [
  [phone, {}],
  [laptop, { tag: "@nightly" }],
] as const;

/** A server on which a group of this size is alone. */
function group(size: number) {
  const people = Array.from({ length: size }, (_, index) => [`gast-${index + 1}`, `Gast ${index + 1}`]);
  return { installation: { own: `a group of ${size}` }, people: Object.fromEntries(people) as Record<string, string> };
}

for (const [size, details] of [
  [8, {}],
  [1, { tag: "@nightly" }],
  [3, { tag: "@nightly" }],
  [40, { tag: "@nightly" }],
] as const)
  test.describe(`counter of a group of ${size}`, () => {
    test.use(group(size));

    for (const [viewport, when] of windows)
      test(
        `the counter of ${size} loads without layout shift at ${viewport.width} px`,
        { ...details, ...when },
        async ({ app }) => {
          const page = await app.loggedInPage("gast-1", { viewport });
          expect(await shiftsOfOpening(page)).toEqual([]);

          // Waits until the beer is booked, because the page would otherwise open with the previous
          // numbers.
          const booked = page.waitForResponse(
            (answer) => answer.url().endsWith("/counters") && answer.request().method() === "POST",
          );
          await page.getByRole("button", { name: "Bier trinken" }).click();
          expect((await booked).status()).toBe(200);
          expect(await shiftsOfOpening(page)).toEqual([]);
        },
      );
  });

for (const [viewport, when] of windows)
  test.describe(`counter at ${viewport.width} px`, when, () => {
    test.use(group(8));

    test(`the beer button does not move at ${viewport.width} px while taps are pending, refused or booked`, async ({
      app,
    }) => {
      const page = await app.loggedInPage("gast-1", { viewport });
      const button = page.getByRole("button", { name: "Bier trinken" });
      await page.getByRole("region", { name: "Die Säufer" }).getByText("Gast 1", { exact: true }).waitFor();
      await watchPosition(page);

      await page.context().setOffline(true);
      await button.click();
      await page.getByText("1 Bier wartet auf Empfang.").waitFor();
      await page.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor();
      await button.click();
      await page.getByText("2 Biere warten auf Empfang.").waitFor();

      const tap = "**/api/beercounter/counters";
      await page.route(tap, (route) => route.fulfill({ status: 422, json: { message: "Nein." } }));
      await page.context().setOffline(false);
      await page.getByText("2 Biere nicht gebucht.").waitFor();
      await page.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor({ state: "detached" });

      await page.unroute(tap);
      await page.getByRole("button", { name: "Nochmal versuchen" }).click();
      await page.getByText("2 Biere nicht gebucht.").waitFor({ state: "detached" });
      expect(await positions(page)).toHaveLength(1);
    });

    test(`the beer button does not move at ${viewport.width} px when a party starts, is joined or ends`, async ({
      app,
    }) => {
      // A member who has drunk before is asked which beers count.
      await (await app.loggedInClient("gast-1")).post("/api/beercounter/counters");
      const host = await app.loggedInClient("gast-2");
      const page = await app.loggedInPage("gast-1", { viewport, channel: "private-beercounter" });
      await page.getByRole("region", { name: "Die Säufer" }).getByText("Gast 1", { exact: true }).waitFor();
      await watchPosition(page);
      const { id } = (await host.post("/api/parties", { name: "Grillen im Garten bei Gast 2 mit sehr vielen Leuten" }))
        .json;
      const parties = page.getByRole("list", { name: "Andere Partys, die gerade laufen" });
      await parties.waitFor();
      expect(await positions(page)).toHaveLength(1);
      expect(await shiftsOfOpening(page)).toEqual([]);
      await watchPosition(page);
      await parties.getByRole("button", { name: "Dabei sein" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Ab jetzt" }).click();
      await page.locator("[data-counter=party-group]").waitFor();
      expect(await positions(page)).toHaveLength(1);
      expect(await shiftsOfOpening(page)).toEqual([]);
      await watchPosition(page);
      await host.post("/api/parties", { name: "Balkon" });
      await parties.getByText("Balkon").waitFor();
      for (const { id: running } of (await host.get("/api/running-parties")).json.parties)
        await host.post(`/api/parties/${running}/end`);
      await parties.waitFor({ state: "detached" });
      expect(await positions(page)).toHaveLength(1);
      expect((await host.delete(`/api/parties/${id}`)).status).toBe(200);
    });

    test(`the counter loads without layout shift at ${viewport.width} px while the member's calendar doors need pictures`, async ({
      app,
    }) => {
      await app.grant("gast-1", "admin");
      const administrator = await app.loggedInClient("gast-1");
      const thisYear = new Date().getFullYear();
      for (const year of [thisYear, thisYear + 1]) await administrator.post("/api/admin/calendar/lottery", { year });
      const page = await app.loggedInPage(await findMemberWithDoor(app), { viewport });
      expect(await shiftsOfOpening(page)).toEqual([]);
      await page.getByRole("link", { name: /auf (dein Bild|deine Bilder)/ }).waitFor();
    });
  });

/** Returns the key of a member with a calendar door. */
async function findMemberWithDoor(app: E2eApp): Promise<string> {
  for (const { key } of app.members) {
    const client = await app.loggedInClient(key);
    if ((await client.get("/api/christmas-calendar/own-doors")).json.doors.length > 0) return key;
  }
  throw new Error("No member has a door.");
}

/**
 * Opens the counter as on a first visit, with its numbers delayed until the first paint. Returns
 * the layout shifts, or an empty list if their sum is small enough.
 */
async function shiftsOfOpening(page: Page): Promise<string[]> {
  const { promise: isPainted, resolve: sendNumbers } = Promise.withResolvers<void>();
  await page.route(/\/api\/(beercounter|running-parties)/, (route) => isPainted.then(() => route.continue()));
  // Blocks the web font: its width differs slightly from the fallback font, and it may load late on
  // a busy machine.
  await page.route("**/*.woff2", (route) => route.abort());
  await page.addInitScript(watchShifts);
  await page.goto("/beercounter");
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
  await page.evaluate(nextPaint);
  sendNumbers();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await page.locator("[data-counter=group]").waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(nextPaint);
  await page.unrouteAll({ behavior: "wait" });
  const shifts = await page.evaluate(() => (window as Watched).shifts);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  return sum < mostShift ? [] : shifts.map(({ value, what }) => `${value.toFixed(4)} ${what}`);
}

type Watched = typeof window & { shifts: { value: number; what: string }[]; tops: Set<number> };

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

function watchShifts(): void {
  const shifts: Watched["shifts"] = [];
  (window as Watched).shifts = shifts;
  localStorage.clear();
  const name = (node: Node | null) => (node instanceof Element ? `${node.localName}.${node.className}` : "text");
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      const moved = sources.map(
        ({ node, previousRect: from, currentRect: to }) =>
          `${name(node)} (${from.x},${from.y} ${from.width}×${from.height} → ${to.x},${to.y} ${to.width}×${to.height})`,
      );
      shifts.push({ value, what: moved.join(", ") });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Resolves after the current frame has been painted. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/**
 * Records the beer button's position in every frame. Measures the parent, because the button itself
 * moves a few pixels when pressed.
 */
async function watchPosition(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).evaluate((button) => {
    const tops = new Set<number>();
    (window as Watched).tops = tops;
    const look = (): void => {
      tops.add(Math.round(button.parentElement!.getBoundingClientRect().top));
      requestAnimationFrame(look);
    };
    look();
  });
}

const positions = (page: Page) => page.evaluate(() => [...(window as Watched).tops]);
