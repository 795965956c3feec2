import { expect, type Locator, type Page } from "@playwright/test";

import { type E2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { findAxeViolations } from "#test/e2e/page-checks.ts";
import { clock, december } from "./december.ts";

test.use({ installation: { ...december, own: "calendar" } });
test.beforeEach(() => clock.stopAt("2026-12-23T12:00:00Z"));

const moving = { reducedMotion: "no-preference" } as const;

async function openCalendar(app: E2eApp, uname: string, options: Parameters<E2eApp["newPage"]>[0] = {}): Promise<Page> {
  const page = await app.loggedInPage(uname, options);
  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("link", { name: "Adventskalender" }).click();
  await page.getByRole("heading", { name: "Weihnachten im KSK" }).waitFor();
  return page;
}

const door = (page: Page, number: number) => page.getByRole("button", { name: `${number} Memechen Nr.`, exact: true });

const isInView = (element: Locator) =>
  element.evaluate((button) => {
    const { top, bottom } = button.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

test.describe("calendar doors", () => {
  test("a calendar door opens at midnight in Berlin, and only members who opened it can load its picture", async ({
    app,
  }) => {
    clock.stopAt("2026-11-30T22:59:59Z");
    // Members can always see their own pictures, so the other member must not be the author.
    const { doors } = (await (await app.loggedInClient("ben")).get("/api/christmas-calendar/own-doors")).json;
    const isBens = (doors as { date: string }[]).some(({ date }) => date === "2026-12-01");
    const anna = await openCalendar(app, "anna");
    await expect.poll(() => anna.getByRole("button", { name: /^\d+ Memechen Nr\.$/ }).count()).toBe(24);
    await door(anna, 1).click();
    const flash = anna.locator("[data-flash=info]");
    await expect.poll(() => flash.textContent()).toBe("Dieses Türchen ist noch zu. Komm am 1. Dezember wieder!");

    clock.stopAt("2026-11-30T23:00:00Z");
    const picture = anna.getByRole("img", { name: "Bild vom 1. Dezember", exact: true });
    await door(anna, 1).click();
    await expect.poll(() => picture.getAttribute("src")).toMatch(/^\/internal\/images\/calendar\//);
    const source = (await picture.getAttribute("src"))!;

    // On a phone, opening the door enlarges the picture automatically; a later tap enlarges it
    // again.
    const large = anna.getByRole("dialog", { name: "1. Dezember" }).getByRole("img");
    await large.waitFor();
    await anna.keyboard.press("Escape");
    await large.waitFor({ state: "detached" });
    await anna.getByRole("button", { name: "1. Dezember groß ansehen" }).click();
    await large.waitFor();
    await anna.keyboard.press("Escape");

    // Last year's doors are available, and all are closed until the member opens them.
    await anna.getByRole("navigation", { name: "Archiv" }).getByRole("button", { name: "2025" }).click();
    await expect.poll(() => anna.getByRole("button", { name: /^\d+ Memechen Nr\.$/ }).count()).toBe(24);
    await door(anna, 24).click();
    await anna.getByRole("dialog", { name: "24. Dezember" }).getByRole("img").waitFor();
    await anna.keyboard.press("Escape");
    await anna.getByRole("img", { name: "Bild vom 24. Dezember", exact: true }).waitFor();

    const other = await openCalendar(app, isBens ? "carla" : "ben");
    await door(other, 1).waitFor();
    expect((await anna.request.get(source)).status()).toBe(200);
    expect((await other.request.get(source)).status()).toBe(404);
  });

  test("opening the calendar page, or tapping its notice about closed doors, scrolls to today's door if that is closed", async ({
    app,
  }) => {
    const page = await openCalendar(app, "david");
    await expect.poll(() => isInView(door(page, 23))).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("button", { name: "23 Türchen warten auf dich." }).click();
    await expect.poll(() => isInView(door(page, 23))).toBe(true);
    expect(await door(page, 23).evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("the calendar has three doors per row at 320 px and four on a laptop, without overflow", async ({ app }) => {
    const page = await openCalendar(app, "carla", { viewport: { width: 320, height: 640 } });
    await door(page, 24).waitFor();
    const columns = () =>
      door(page, 24).evaluate((last) => {
        const list = last.closest("ul")!;
        return getComputedStyle(list).gridTemplateColumns.split(" ").length;
      });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([await columns(), await overflow()]).toEqual([3, 0]);
    for (const size of [phone, laptop]) {
      await page.setViewportSize(size);
      expect(await overflow()).toBe(0);
    }
    expect(await columns()).toBe(4);
    const violations = await findAxeViolations(page);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
});

test(
  "a calendar door on a phone opens and enlarges its picture without console messages",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await openCalendar(app, "frieda", moving);
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    await door(page, 23).click();
    const picture = page.getByRole("dialog", { name: "23. Dezember" }).getByRole("img");
    await picture.waitFor();
    await picture.evaluate((image) => Promise.all(image.getAnimations().map(({ finished }) => finished)));
    // Playwright may log its own message about the service worker at any time.
    expect(messages.filter((text) => !text.startsWith("Service Worker"))).toEqual([]);
  },
);

test("a calendar door's text on a phone has at least 12 px and does not overlap the next door", async ({ app }) => {
  const page = await openCalendar(app, "david");
  await door(page, 22).click();
  await page.getByRole("dialog", { name: "22. Dezember" }).waitFor();
  await page.keyboard.press("Escape");
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const writings = await page.locator("#door-2026-12-22").evaluate((place) =>
      [...place.querySelectorAll("span, p")]
        .filter((element) => [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ""))
        .map((element) => ({
          size: Number.parseFloat(getComputedStyle(element).fontSize),
          overhang: element.getBoundingClientRect().width - place.getBoundingClientRect().width,
        })),
    );
    expect(writings.length).toBeGreaterThanOrEqual(3);
    for (const { size, overhang } of writings) {
      expect(size).toBeGreaterThanOrEqual(12);
      // Doors are 12 px apart, and the text may overflow on both sides.
      expect(overhang).toBeLessThan(12);
    }
  }
});

test.describe("snow and music of the calendar", () => {
  test("the calendar's snow and music can be turned off, and the music stops on leaving the page", async ({ app }) => {
    const page = await openCalendar(app, "emil", moving);
    await expect.poll(() => page.locator("[data-flake]").count()).toBe(11);
    const audio = await page.locator("audio").elementHandle();
    const clefs = page.getByRole("button", { name: "Musik", exact: true });
    await expect.poll(() => clefs.first().isEnabled()).toBe(true);
    expect(await clefs.count()).toBe(2);
    expect(await audio.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(false);

    await clefs.first().click();
    expect(await audio.evaluate((element) => (element as HTMLAudioElement).muted)).toBe(true);
    await clefs.last().click();
    expect(await audio.evaluate((element) => (element as HTMLAudioElement).muted)).toBe(false);
    const snow = page.getByRole("switch", { name: "Schnee", exact: true });
    expect([await snow.isChecked(), await snow.textContent()]).toEqual([true, "Schnee an"]);
    await snow.click();
    expect(await page.locator("[data-flake]").count()).toBe(0);
    expect([await snow.isChecked(), await snow.textContent()]).toEqual([false, "Schnee aus"]);
    await snow.click();
    expect(await page.locator("[data-flake]").count()).toBe(11);

    await page.getByRole("button", { name: "Menü" }).click();
    await page.getByRole("link", { name: "Größenrechner" }).click();
    await page.getByText("Deine Größe in cm").waitFor();
    expect(await audio.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(true);
  });

  test("reduced motion disables the calendar's snow, and its music starts only when a clef is pressed", async ({
    app,
  }) => {
    const page = await openCalendar(app, "greta", { reducedMotion: "reduce" });
    await door(page, 24).waitFor();
    expect(await page.locator("[data-flake]").count()).toBe(0);
    expect(await page.locator("audio").evaluate((element) => (element as HTMLAudioElement).paused)).toBe(true);
    await page.getByRole("button", { name: "Musik", exact: true }).first().click();
    await expect
      .poll(() => page.locator("audio").evaluate(({ paused, muted }: HTMLAudioElement) => [paused, muted]))
      .toEqual([false, false]);
  });

  test("a member can log out while the calendar's music is playing", { tag: "@firefox" }, async ({ app }) => {
    const page = await openCalendar(app, "hannes", moving);
    const playedSeconds = () => page.locator("audio").evaluate((music: HTMLAudioElement) => music.currentTime);
    await expect.poll(playedSeconds).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Hannes" }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Login" }).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/");
  });
});
