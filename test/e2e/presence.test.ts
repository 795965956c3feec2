import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
let anna: Page;
let ben: Page;
beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Anna", "Ben", "Carla");
  [anna, ben] = [
    await app.loggedInPage("anna", { hasTouch: true, isMobile: true, channel: "private-beercounter" }),
    await app.loggedInPage("ben"),
  ];
  await here(anna, "Ben").waitFor();
  await anna.clock.install();
});
afterAll(() => app.close());

test("The yellow button never moves: for no flash, no missed Prost, and no beer that waits; a 0,0 is one, too", async () => {
  /** On the page, which is scrolled to buttons that are pressed. */
  const findPlace = () =>
    beerButton(anna).evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return { left: left + scrollX, top: top + scrollY, width, height };
    });
  const place = await findPlace();
  const isInPlace = async () => expect(await findPlace()).toEqual(place);
  await beerButton(ben).click();
  await anna.locator("[data-flash]", { hasText: "Prost von Ben!" }).waitFor();
  await isInPlace();
  await passFlash();
  await card(anna).getByRole("button", { name: "Prost zurück" }).waitFor();
  await isInPlace();

  await anna.context().setOffline(true);
  await anna.getByRole("button", { name: "0,0 trinken" }).tap();
  await anna.getByText("1 Bier wartet auf Empfang.").waitFor();
  await anna.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor();
  await isInPlace();
  await anna.context().setOffline(false);
  await anna.getByText("1 Bier wartet auf Empfang.").waitFor({ state: "detached" });
  await anna.getByRole("button", { name: "Verlauf" }).tap();
  await expect.poll(() => anna.getByRole("dialog").getByRole("listitem").first().textContent()).toContain("0,0");
  // A flash keeps off the buttons of a dialog.
  await beerButton(ben).click();
  await anna.locator("[data-flash]", { hasText: "Prost von Ben!" }).waitFor();
  await anna.getByRole("button", { name: "Fertig" }).tap();
  await passFlash();
  await isInPlace();
});

test("A flash stays under the thumb that holds it, whatever else comes", async () => {
  const carla = await app.loggedInPage("carla");
  await beerButton(ben).click();
  const flash = anna.locator("[data-flash]").filter({ hasText: "Prost von Ben!" });
  const { x, y, width, height } = (await flash.locator("p").boundingBox())!;
  const thumb = await anna.context().newCDPSession(anna);
  const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    thumb.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: x + width / 2, y: y + height / 2 }]);
  await anna.clock.fastForward(3500);
  const before = await shown(anna);
  await beerButton(carla).click();
  await expect.poll(() => shown(anna)).not.toBe(before);
  expect(await anna.getByRole("button", { name: "Prost zurück" }).isVisible()).toBe(true);
  await touch("touchEnd", []);
  await anna.locator("[data-flash]").getByText("Prost von Carla!").waitFor();
  await carla.context().close();
});

test("Who does not want to be seen is gone for the others, where nothing moves, and sees nobody; a toast looks as always and goes nowhere", async () => {
  const second = await app.loggedInPage("ben");
  await here(second, "Anna").waitFor();
  await ben.goto("/profile");
  const shownSwitch = ben.getByRole("switch", { name: "Zeigen, wenn ich hier bin" });
  const place = await beerButton(anna).boundingBox();
  await shownSwitch.click();
  await here(anna, "Ben").waitFor({ state: "detached" });
  expect(await beerButton(anna).boundingBox()).toEqual(place);
  // Another open page of the same member follows.
  await here(second, "Anna").waitFor({ state: "detached" });
  await beerButton(second).click();
  await anna.locator("[data-flash]").filter({ hasText: "Prost von Ben!" }).waitFor();
  await anna.getByRole("button", { name: "Prost zurück" }).tap();
  await anna.locator("[data-flash]").getByText("Prost, Ben!").waitFor();

  await shownSwitch.click();
  await here(anna, "Ben").waitFor();
  expect(await ben.getByText("Anna prostet zurück!").count()).toBe(0);
  await here(second, "Anna").waitFor();
  await second.context().close();
});

/** Lets the time pass for which a flash stands on Anna's page. */
async function passFlash(): Promise<void> {
  await anna.clock.fastForward(3500);
  await anna.locator("[data-flash]").waitFor({ state: "detached" });
}

const card = (page: Page) => page.getByRole("region", { name: "Zähler" });
const here = (page: Page, names: string) => card(page).getByText(`Gerade hier: ${names}`, { exact: true });
const beerButton = (page: Page) => page.getByRole("button", { name: "Bier trinken" });
const shown = (page: Page) => page.locator('[data-counter="group"]').textContent();
