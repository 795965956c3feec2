import { expect, type Page } from "@playwright/test";

import type { Client } from "#test/client.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna", ben: "Ben", carla: "Carla" } });

let anna: Page;
let ben: Client;
test.beforeEach(async ({ app }) => {
  anna = await app.loggedInPage("anna", { hasTouch: true, isMobile: true, channel: "private-beercounter" });
  await anna.clock.install();
  ben = await app.loggedInClient("ben");
});

test("the beer button does not move when flash messages, notices, pending beers or present members appear", async ({
  app,
}) => {
  /** Returns the button's position relative to the document, because a click scrolls the page. */
  const findPlace = () =>
    beerButton(anna).evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return { left: left + scrollX, top: top + scrollY, width, height };
    });
  const place = await findPlace();
  const isInPlace = async () => expect(await findPlace()).toEqual(place);
  const page = await app.loggedInPage("ben", { path: "/profile" });
  await card(anna).getByText("Gerade hier: Ben").waitFor();
  await isInPlace();
  await page.getByRole("radio", { name: "Still" }).click();
  await card(anna).getByText("Gerade hier: Ben").waitFor({ state: "detached" });
  await isInPlace();
  await page.getByRole("radio", { name: "Sichtbar", exact: true }).click();
  await card(anna).getByText("Gerade hier: Ben").waitFor();
  await page.context().close();

  await drink(ben);
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
  // The buttons of a dialog can be tapped while a flash message is visible.
  await drink(ben);
  await anna.locator("[data-flash]", { hasText: "Prost von Ben!" }).waitFor();
  await anna.getByRole("button", { name: "Fertig" }).tap();
  await passFlash();
  await isInPlace();
});

test("a flash message is not replaced while a finger holds it", async ({ app }) => {
  const carla = await app.loggedInClient("carla");
  const thumb = await anna.context().newCDPSession(anna);
  await drink(ben);
  const flash = anna.locator("[data-flash]").filter({ hasText: "Prost von Ben!" });
  const { x, y, width, height } = (await flash.locator("p").boundingBox())!;
  const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    thumb.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: x + width / 2, y: y + height / 2 }]);
  await anna.clock.fastForward(3500);
  const before = await shown(anna);
  await drink(carla);
  await expect.poll(() => shown(anna)).not.toBe(before);
  expect(await anna.getByRole("button", { name: "Prost zurück" }).isVisible()).toBe(true);
  await touch("touchEnd", []);
  await anna.locator("[data-flash]").getByText("Prost von Carla!").waitFor();
});

/** Advances the page's clock by more than a flash message lasts. */
async function passFlash(): Promise<void> {
  await anna.clock.fastForward(3500);
  await anna.locator("[data-flash]").waitFor({ state: "detached" });
}

const card = (page: Page) => page.getByRole("region", { name: "Zähler" });
const drink = (client: Client) => client.post("/api/beercounter/counters");
const beerButton = (page: Page) => page.getByRole("button", { name: "Bier trinken" });
const shown = (page: Page) => page.locator('[data-counter="group"]').textContent();
