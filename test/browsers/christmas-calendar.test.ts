import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { laptop, createE2eApp, phone, type E2eApp } from "#test/e2e/e2e-app.ts";
import { findAxeViolations } from "#test/e2e/page-checks.ts";
import { createFakeClock } from "#test/faults/fake-clock.ts";

const beforeMidnight = "2026-11-30T22:59:59Z";
const clock = await createFakeClock(beforeMidnight);
clock.stopAt(beforeMidnight);
const app = await createE2eApp({ withDemo: true, env: { ...clock.env, TZ: "UTC", HEIGHT_REQUESTED_BY: "Opa Karl" } });

const moving = { reducedMotion: "no-preference" } as const;

async function openCalendar(uname: string, options: Parameters<E2eApp["newPage"]>[0] = {}): Promise<Page> {
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

describe("calendar doors", () => {
  test("a calendar door opens at midnight in Berlin, and only members who opened it can load its picture", async () => {
    // Members can always see their own pictures, so the other member must not be the author.
    const { doors } = (await (await app.loggedInClient("ben")).get("/api/christmas-calendar/own-doors")).json;
    const isBens = (doors as { date: string }[]).some(({ date }) => date === "2026-12-01");
    const anna = await openCalendar("anna");
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

    const other = await openCalendar(isBens ? "carla" : "ben");
    await door(other, 1).waitFor();
    expect((await anna.request.get(source)).status()).toBe(200);
    expect((await other.request.get(source)).status()).toBe(404);
  });

  test("opening the calendar page, or tapping its notice about closed doors, scrolls to today's door if that is closed", async () => {
    clock.stopAt("2026-12-23T12:00:00Z");
    const page = await openCalendar("david");
    await expect.poll(() => isInView(door(page, 23))).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("button", { name: "23 Türchen warten auf dich." }).click();
    await expect.poll(() => isInView(door(page, 23))).toBe(true);
    expect(await door(page, 23).evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test("the calendar has three doors per row at 320 px and four on a laptop, without overflow", async () => {
    const page = await openCalendar("carla", { viewport: { width: 320, height: 640 } });
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

test("a calendar door on a phone opens and enlarges its picture without console messages", async () => {
  clock.stopAt("2026-12-23T12:00:00Z");
  const page = await openCalendar("frieda", moving);
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  await door(page, 23).click();
  const picture = page.getByRole("dialog", { name: "23. Dezember" }).getByRole("img");
  await picture.waitFor();
  await picture.evaluate((image) => Promise.all(image.getAnimations().map(({ finished }) => finished)));
  // Playwright may log its own message about the service worker at any time.
  expect(messages.filter((text) => !text.startsWith("Service Worker"))).toEqual([]);
});

test("the text on a calendar door on a phone has at least 12 px and does not overlap the next door", async () => {
  clock.stopAt("2026-12-23T12:00:00Z");
  const page = await openCalendar("david");
  await door(page, 22).click();
  await page.getByRole("dialog", { name: "22. Dezember" }).waitFor();
  await page.keyboard.press("Escape");
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const writings = await page.locator("#tuerchen-2026-12-22").evaluate((place) =>
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

describe("snow and music of the calendar", () => {
  test("the calendar's snow and music can be turned off, and the music fades out on leaving the page", async () => {
    const page = await openCalendar("emil", moving);
    await expect.poll(() => page.locator("[data-flake]").count()).toBe(11);
    const audio = await page.locator("audio").elementHandle();
    const volume = () => audio.evaluate((element) => (element as HTMLAudioElement).volume);
    const clefs = page.getByRole("button", { name: "Musik", exact: true });
    await expect.poll(() => clefs.first().isEnabled()).toBe(true);
    expect(await clefs.count()).toBe(2);
    await expect.poll(volume).toBe(1);

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
    const left = await page.evaluate(async () => {
      const start = performance.now();
      const music = document.querySelector("audio")!;
      const steps: number[] = [];
      let silentAfter = 0;
      music.addEventListener("pause", () => (silentAfter = performance.now() - start));
      [...document.querySelectorAll("a")].find((link) => link.textContent === "Größenrechner")!.click();
      while (!document.body.textContent.includes("Deine Größe in cm")) {
        steps.push(music.volume);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return { silentAfter, steps: [...new Set(steps)], isPaused: music.paused };
    });
    expect(left.isPaused).toBe(true);
    expect(left.silentAfter).toBeGreaterThan(900);
    expect(left.silentAfter).toBeLessThan(1500);
    expect(left.steps.length).toBeGreaterThan(3);
    expect(left.steps).toEqual(left.steps.toSorted((one, other) => other - one));
  });

  test("reduced motion disables the calendar's snow, and its music starts only when a clef is pressed", async () => {
    const page = await openCalendar("greta", { reducedMotion: "reduce" });
    await door(page, 24).waitFor();
    expect(await page.locator("[data-flake]").count()).toBe(0);
    expect(await page.locator("audio").evaluate((element) => (element as HTMLAudioElement).paused)).toBe(true);
    await page.getByRole("button", { name: "Musik", exact: true }).first().click();
    await expect
      .poll(() => page.locator("audio").evaluate(({ paused, muted }: HTMLAudioElement) => [paused, muted]))
      .toEqual([false, false]);
  });

  test("a member can log out while the calendar's music is playing", async () => {
    const page = await openCalendar("hannes", moving);
    await page.getByRole("button", { name: "Hannes" }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Login" }).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/");
  });
});

test("a guest can use the height calculator, which sends no request that requires a login", async () => {
  const page = await app.newPage();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await page.goto("/height-calculator");
  await page.getByRole("heading", { name: "Der Fabulöse Größenrechner" }).waitFor();
  const field = page.getByLabel("Deine Größe in cm");
  const button = page.getByRole("button", { name: "Berechnen" });
  expect(await button.isDisabled()).toBe(true);
  await field.fill("180");
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Deine Größe" });
  await expect.poll(() => dialog.textContent()).toContain("Du bist 1,80 m groß!");
  expect(await dialog.textContent()).toContain("(Good to know: In Amerika sind das 5,91 Fuß.)");
  await dialog.getByRole("button", { name: "OK cool." }).click();
  const flash = page.locator("[data-flash=warning]");
  await expect.poll(() => flash.textContent()).toBe("Diese Funktion wurde angefragt von Opa Karl ...");
  expect(calls.filter((path) => path.startsWith("/api/user"))).toEqual([]);

  const member = await app.loggedInPage("anna");
  await member.getByRole("button", { name: "Menü" }).click();
  await member.getByRole("link", { name: "Größenrechner" }).click();
  await member.getByLabel("Deine Größe in cm").fill("0");
  await member.keyboard.press("Enter");
  await expect.poll(() => member.getByRole("dialog").textContent()).toContain("Du bist 0,00 m groß!");
  await member.getByRole("button", { name: "OK cool." }).click();
  await expect.poll(() => member.locator("[data-flash=warning]").textContent()).toContain("angefragt von Ben ...");
  await member.locator("[data-flash=warning] img").waitFor();
});
