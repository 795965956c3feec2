import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, type Locator, type Page } from "@playwright/test";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { type E2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

test.use({
  installation: { own: "charts" },
  people: { first: "Gast 1", second: "Gast 2", reader: "Gast 40" },
});

let page: Page;
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("reader");
  await page.setViewportSize(phone);
});

test.describe("charts of a group without beers", () => {
  test("the text of a counter without beers does not overlap the beer button at double text size", async () => {
    await page.goto("/beercounter");
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    const { y, height } = (await page.getByText("Noch kein Strich auf deinem Deckel.").boundingBox())!;
    expect(y + height).toBeLessThanOrEqual((await page.getByRole("button", { name: "Bier trinken" }).boundingBox())!.y);
  });

  test("the weekly chart without beers shows a message instead of bars, and is lower than a chart with beers", async () => {
    await page.goto("/beercounter");
    const week = page.getByRole("region", { name: "Der Suff der Woche" });
    await expect.poll(() => week.textContent()).toContain("Noch nichts getrunken diese Woche!");
    const heights = await Promise.all([barHeights("Die Säufer"), barHeights("Der Suff der Woche")]);
    expect(new Set(heights.flat())).toEqual(new Set(["0%"]));
    const empty = (await week.getByRole("list").boundingBox())!.height;
    await page.getByRole("button", { name: "Bier trinken" }).click();
    await expect.poll(() => week.textContent()).not.toContain("Noch nichts getrunken");
    expect((await week.getByRole("list").boundingBox())!.height - empty).toBe(80);
  });
});

test("an open counter page refetches its charts when a new day begins", async ({ app }) => {
  const left = await app.loggedInPage("first", { path: "about:blank" });
  await left.clock.install();
  await left.goto("/beercounter");
  const today = left
    .getByRole("region", { name: "Der Suff der Woche" })
    .getByRole("listitem")
    .filter({ hasText: "heute" });
  const evening = await today.textContent();
  const asked = left.waitForResponse("**/api/beercounter/stats/timely");
  await left.clock.fastForward("24:00:00");
  await asked;
  await expect.poll(() => today.textContent()).not.toBe(evening);
});

test.describe("charts of forty members", () => {
  test.beforeAll(async ({ app }) => createCrowd(app));

  test("a ranking of eight members on a phone shows the bars of the first member and of the reader, who is last, unscrolled", async () => {
    await page.setViewportSize(phone);
    await showOnly([...guests(7), "Gast 40"]);
    await page.goto("/beercounter");
    const ranking = page.getByRole("region", { name: "Die Säufer" });
    await expect.poll(() => ranking.getByRole("listitem").count()).toBe(8);
    await expect.poll(isOwnInView).toBe(true);
    const [list, leader] = [ranking.getByRole("list"), ranking.getByRole("listitem").first()];
    expect(await leader.textContent()).toContain("Gast 1");
    const { x, width } = (await leader.boundingBox())!;
    expect(x + width).toBeCloseTo((await list.boundingBox())!.x);
    expect(await findHiddenBars(ranking)).not.toContain("Gast 1");
  });

  for (const { count, ...size } of [
    { count: 1, ...phone },
    { count: 7, ...phone },
    { count: 7, ...laptop },
  ]) {
    test(`a ranking of ${count} members with the reader next to last shows every bar at ${size.width} px`, async () => {
      await page.setViewportSize(size);
      const others = guests(count - 1);
      await showOnly(["Gast 40", ...others], { last: others.at(-1) });
      await page.goto("/beercounter");
      const ranking = page.getByRole("region", { name: "Die Säufer" });
      await expect.poll(() => ranking.getByRole("listitem").count()).toBe(count);
      expect(await findHiddenBars(ranking)).toEqual([]);
      expect(await countSeparateValues(ranking)).toBe(count);
      expect(await overhang()).toBe(0);
    });
  }

  test("the second place is visible to the member in sixth place of seven at 320 px", async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await showOnly(["Gast 40", ...guests(6)], { last: "Gast 6" });
    await page.goto("/beercounter");
    const ranking = page.getByRole("region", { name: "Die Säufer" });
    await expect.poll(isOwnInView).toBe(true);
    expect(await findHiddenBars(ranking)).not.toContain("Gast 2");
  });

  for (const viewport of [phone, { width: 320, height: 640 }, laptop]) {
    test(`the ranking at ${viewport.width} px scrolls inside its card to the member's own last-place bar`, async () => {
      await page.setViewportSize(viewport);
      await page.goto("/beercounter");
      const ranking = page.getByRole("region", { name: "Die Säufer" });
      await expect.poll(() => ranking.getByRole("listitem").count()).toBe(40);
      await expect.poll(isOwnInView).toBe(true);
      expect(await ranking.getByRole("list").evaluate((list) => list.scrollWidth > list.clientWidth)).toBe(true);
      expect(await overhang()).toBe(0);

      // The leader's bar stays at the left edge; the buttons scroll to both ends of the ranking.
      const leader = ranking.getByRole("listitem").first();
      const edge = (await leader.boundingBox())!.x;
      await page.getByRole("button", { name: "Nach vorn" }).click();
      await expect.poll(isOwnInView).toBe(false);
      const second = ranking.getByRole("listitem").nth(1);
      expect((await second.boundingBox())!.x).toBeCloseTo(edge + (await leader.boundingBox())!.width);
      await page.getByRole("button", { name: "Zu mir" }).click();
      await expect.poll(isOwnInView).toBe(true);
      expect((await leader.boundingBox())!.x).toBe(edge);

      await page.getByRole("button", { name: "Nach vorn" }).click();
      expect(await countSeparateValues(ranking)).toBe(40);
    });
  }

  test("a ranking that the user has scrolled keeps its scroll position when a beer arrives", async ({ app }) => {
    await page.setViewportSize(phone);
    await page.goto("/beercounter");
    await expect.poll(isOwnInView).toBe(true);
    const ranking = page.getByRole("region", { name: "Die Säufer" });
    await ranking.getByRole("button", { name: "Nach vorn" }).click();
    const place = () => ranking.getByRole("list").evaluate((list) => list.scrollLeft);
    await expect.poll(place).toBe(0);
    const leader = ranking.getByRole("listitem").first();
    const before = await leader.textContent();
    await (await app.loggedInClient("first")).post("/api/beercounter/counters");
    await expect.poll(() => leader.textContent()).not.toBe(before);
    expect(await place()).toBe(0);
  });

  test("the charts per day and month on a phone scroll inside their card without overlapping labels", async () => {
    await page.setViewportSize(phone);
    const chart = page.getByRole("region", { name: "Tag für Tag" });
    await page.goto("/statistics?zeitraum=monat");
    await chart.getByText("heute").waitFor();
    const [card, today] = [(await chart.boundingBox())!, (await chart.getByText("heute").boundingBox())!];
    expect(today.x).toBeGreaterThanOrEqual(card.x);
    expect(today.x + today.width).toBeLessThanOrEqual(card.x + card.width);

    await page.goto("/statistics?zeitraum=monat&am=2025-05-14");
    await isPeriod("Mai 2025");
    expect(await countSeparateValues(chart)).toBe(31);
    expect(await overhang()).toBe(0);

    // No month's name is wrapped, not even the bold name of the current month.
    await page.goto("/statistics?zeitraum=jahr");
    const months = page.getByRole("region", { name: "Monat für Monat" });
    await months.getByText("jetzt").waitFor();
    const heights = await months
      .getByRole("listitem")
      .evaluateAll((all) => all.map((month) => month.firstElementChild!.clientHeight));
    expect(new Set(heights).size).toBe(1);
  });

  test("the statistics button for the previous period keeps the focus once disabled, and going back shows the later periods", async () => {
    await page.goto("/statistics?zeitraum=monat&am=2025-06-02");
    const earlier = page.getByRole("button", { name: "Zeitraum davor" });
    for (const month of ["Mai 2025", "April 2025"]) {
      await earlier.click();
      await isPeriod(month);
    }
    await expect.poll(() => earlier.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Enter");
    await isPeriod("April 2025");
    for (const month of ["Mai 2025", "Juni 2025"]) {
      await page.goBack();
      await isPeriod(month);
    }
  });

  test("a picture in the ranking is enlarged on hover or focus until Escape is pressed", async () => {
    await page.setViewportSize(laptop);
    await page.goto("/beercounter");
    const large = page.getByRole("tooltip");
    await page.getByRole("link", { name: "Deckel von Gast 2", exact: true }).hover();
    await large.waitFor();
    expect(await large.textContent()).toContain("Gast 2");
    await isInside(page);
    await page.mouse.move(5, 400);
    await expect.poll(() => popups(page)).toEqual([]);

    await focusByKey();
    await large.waitFor();
    await isInside(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => popups(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await large.waitFor();

    // Tabs until the list scrolls, to cover pictures that are initially out of view.
    const place = () =>
      page
        .getByRole("region", { name: "Die Säufer" })
        .getByRole("list")
        .evaluate((list) => list.scrollLeft);
    const left = await place();
    while ((await place()) === left) await page.keyboard.press("Tab");
    const name = await page.locator(":focus").getAttribute("aria-label");
    await expect.poll(() => popups(page)).toEqual([`${/Gast \d+/.exec(name!)![0]}: true`]);
    await isInside(page);
  });

  test("a tap on a picture in the ranking opens the member's page without enlarging the picture", async ({ app }) => {
    const touched = await app.loggedInPage("second", { hasTouch: true });
    await touched.getByRole("link", { name: "Deckel von Gast 1", exact: true }).tap();
    await touched.getByRole("heading", { name: "Deckel von Gast 1" }).waitFor();
    expect(await popups(touched)).toEqual([]);
  });
});

const rankingUrl = "**/api/beercounter/stats/user**";

/** Returns the names of the first members of the ranking. */
const guests = (count: number) => Array.from({ length: count }, (_, index) => `Gast ${index + 1}`);

/** Makes the ranking show only these members; `last` has no beers. */
async function showOnly(names: readonly string[], { last }: { last?: string | undefined } = {}): Promise<void> {
  await page.route(rankingUrl, async (route) => {
    // Without the version that the page has, because an unchanged ranking has no body.
    const { "if-none-match": _, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    const { users } = (await response.json()) as { users: { name: string }[] };
    const some = users.filter(({ name }) => names.includes(name));
    const json = { users: some.map((one) => (one.name === last ? { ...one, beercounter_entries_count: 0 } : one)) };
    await route.fulfill({ response, json });
  });
}

/** Returns the names of the members whose columns are not entirely visible in the ranking. */
function findHiddenBars(ranking: Locator): Promise<string[]> {
  return ranking.getByRole("listitem").evaluateAll((columns) => {
    columns[0]!.scrollIntoView({ block: "center", inline: "nearest" });
    const isHit = (column: Element, x: number): boolean => {
      const { top, height } = column.getBoundingClientRect();
      return column.contains(document.elementFromPoint(x, top + height / 2));
    };
    const hidden = columns.filter((column) => {
      const { left, right } = column.getBoundingClientRect();
      return !isHit(column, left + 2) || !isHit(column, right - 2);
    });
    return hidden.map((column) => column.firstElementChild!.textContent);
  });
}

/**
 * Returns `true` if the member's own bar is inside the ranking's card and not covered by the
 * leader's.
 */
async function isOwnInView(): Promise<boolean> {
  const ranking = page.getByRole("region", { name: "Die Säufer" });
  const card = (await ranking.boundingBox())!;
  const leader = (await ranking.getByRole("listitem").first().boundingBox())!;
  const own = (await ranking.locator("[data-own]").boundingBox())!;
  return own.x >= leader.x + leader.width && own.x + own.width <= card.x + card.width;
}

/** Returns the number of values in a chart that do not overlap the value to their left. */
function countSeparateValues(chart: Locator): Promise<number> {
  return chart.getByRole("listitem").evaluateAll((items) => {
    const edges = items.map((item) => {
      const range = document.createRange();
      range.selectNodeContents(item.querySelector("[data-bar]")!.previousElementSibling!);
      return range.getBoundingClientRect();
    });
    return edges.filter(({ left }, index) => index === 0 || left > edges[index - 1]!.right).length;
  });
}

async function isPeriod(name: string): Promise<void> {
  const heading = page.getByRole("region", { name: "Zeitraum" }).getByRole("heading");
  await expect.poll(() => heading.textContent()).toBe(name);
}

const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const barHeights = (region: string) =>
  page
    .getByRole("region", { name: region })
    .locator("[data-bar]")
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).style.height));

/**
 * Adds 37 members, and books beers. This summer, the nth member drinks 400 - 10 n, so that the last
 * member is in last place; in May 2025, the first member drinks 111 beers on each of three days.
 */
async function createCrowd(app: E2eApp): Promise<void> {
  const unames = [...app.members.slice(0, 2).map(({ uname }) => uname), ...copyMember(app), app.members[2]!.uname];
  const start = Date.parse("2026-07-01T18:00:00Z");
  const summer = unames.flatMap((uname, index) =>
    Array.from({ length: 400 - 10 * index - 9 }, (_, beer) => ({
      uname,
      at: new Date(start + beer * 600_000).toISOString(),
    })),
  );
  const may = ["2025-05-14", "2025-05-15", "2025-05-16"].flatMap((day) => Array.from({ length: 111 }, () => day));
  const evenings = ["2025-04-30", ...may].map((day) => ({ uname: unames[0], at: `${day}T18:00:00Z` }));
  const file = join(createTemporaryFolder(), "beers.jsonl");
  const beers = [...summer, ...evenings];
  writeFileSync(file, beers.map((beer) => JSON.stringify({ ...beer, key: null })).join("\n"));
  await app.runCommand("beers", "import", file);
}

/** Copies a member, because registering 37 would take seconds. Returns the user names of "Gast 3" to "Gast 39". */
function copyMember({ dataDir, members }: E2eApp): string[] {
  const db = new DatabaseSync(join(dataDir, "stammtisch.db"), { timeout: 5000 });
  const { id: _, ...original } = db.prepare("select * from users where uname = ?").get(members[0]!.uname)!;
  const unames: string[] = [];
  for (let number = 3; number < 40; number++) {
    const uname = `gast-${number}`;
    const copy = { ...original, uname, name: `Gast ${number}`, email: `${uname}@stammtisch.example` };
    Object.assign(copy, { uname_key: uname, email_key: copy.email });
    const values = Object.values(copy);
    db.prepare(`insert into users (${Object.keys(copy).join()}) values (${values.map(() => "?").join()})`).run(
      ...values,
    );
    unames.push(uname);
  }
  db.close();
  return unames;
}

async function focusByKey(): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).focus();
  for (let stops = 0; stops < 50; stops++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    if (name?.startsWith("Deckel von")) return;
  }
  throw new Error("No picture can be reached with the Tab key.");
}

async function isInside(shown: Page): Promise<void> {
  const { width, height } = shown.viewportSize()!;
  const box = (await shown.getByRole("tooltip").boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  expect(box.y + box.height).toBeLessThanOrEqual(height);
}

/** Returns the name and the `data-open` value of each popup on the page. */
const popups = (shown: Page) =>
  shown.getByRole("tooltip").evaluateAll((all) => all.map((popup) => `${popup.textContent}: ${popup.dataset["open"]}`));
