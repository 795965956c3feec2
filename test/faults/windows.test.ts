import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { laptop, logIn, createE2eApp, waitForSubscription } from "#test/e2e/e2e-app.ts";

const app = await createE2eApp({ withDemo: true, withServiceWorker: true });

describe("one tap", () => {
  test("a tap shows different flash messages in its window, in the member's other window and to other members", async () => {
    const phone = await app.loggedInPage("anna");
    const tablet = await livePage("anna");
    const ben = await livePage("ben");
    await phone.getByRole("button", { name: "Bier trinken" }).click();
    // Checks all windows in parallel: a flash lasts three seconds, in which a busy machine may
    // manage only one check.
    const [said, prost, picture] = await Promise.all([
      flashOf(phone),
      tablet.locator("[data-flash]").evaluate((flash) => [flash.textContent, flash.querySelectorAll("img").length]),
      ben.locator("[data-flash]:has-text('Prost von Anna!') img").evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ]);
    expect(said).toMatch(/^.{5,}!$/);
    expect(said).not.toMatch(/^Prost( von .*)?!$/);
    expect(prost).toEqual(["Prost!", 0]);
    expect(picture).toBeGreaterThan(0);

    // All three windows show the same total, and both of Anna's windows show her own count.
    const total = await phone.locator('[data-counter="group"]').textContent();
    for (const page of [tablet, ben])
      await expect.poll(() => page.locator('[data-counter="group"]').textContent()).toBe(total);
    const own = await phone.locator('[data-counter="own"]').textContent();
    await expect.poll(() => tablet.locator('[data-counter="own"]').textContent()).toBe(own);

    // The flash closes automatically after three seconds.
    await expect.poll(() => ben.locator("[data-flash]").count()).toBe(0);
  });
});

describe("permission for notifications", () => {
  test("the button “Nicht jetzt” permanently hides the app's question about notifications", async () => {
    const page = await pageWithNotifications("default");
    await enter(page, "greta");
    const question = page.getByRole("region", { name: "Benachrichtigungen" });
    await question.getByText("Benachrichtigungen erlauben?").waitFor();
    await question.getByRole("button", { name: "Nicht jetzt" }).click();
    await expect.poll(() => question.count()).toBe(0);
    await page.reload();
    await page.getByRole("button", { name: "Bier trinken" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await question.count()).toBe(0);
    expect(await page.evaluate(() => (window as Stubbed).questions)).toBe(0);
  });

  test("the button “Erlauben” opens the browser's prompt for notifications, and guests see no question about notifications", async () => {
    const page = await pageWithNotifications("default");
    await page.goto("/login");
    await page.waitForLoadState("networkidle");
    const question = page.getByRole("region", { name: "Benachrichtigungen" });
    expect(await question.count()).toBe(0);
    await enter(page, "greta");
    await question.getByRole("button", { name: "Erlauben" }).click();
    await expect.poll(() => question.count()).toBe(0);
    expect(await page.evaluate(() => (window as Stubbed).questions)).toBe(1);
  });
});

test("another member's beer shows a notification only to members who are not looking at the page", async () => {
  const away = await pageWithNotifications("granted");
  await away.context().grantPermissions(["notifications"], { origin: app.url });
  await enter(away, "greta");
  const ben = await app.loggedInPage("ben");

  await ben.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => flashOf(away)).toBe("Prost von Ben!");
  expect(await shown(away)).toEqual([]);

  // Overrides hasFocus(), because headless browsers always claim to have the focus.
  await away.evaluate(() => (document.hasFocus = () => false));
  await ben.getByRole("button", { name: "Bier trinken" }).click();
  const notification = { title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter" };
  await expect.poll(() => shown(away)).toEqual([notification]);

  // A member's own beer shows no notification.
  await away.getByRole("button", { name: "Bier trinken" }).click();
  await expect.poll(() => flashOf(ben)).toBe("Prost von Greta!");
  expect(await shown(away)).toEqual([notification]);
});

const flashOf = (page: Page) => page.locator("[data-flash] p").textContent();

const livePage = (uname: string) => app.loggedInPage(uname, { viewport: laptop, channel: "private-beercounter" });

async function enter(page: Page, uname: string): Promise<void> {
  const isLive = waitForSubscription(page);
  await page.goto("/login");
  await logIn(page, uname, app.members.find((member) => member.uname === uname)!.password);
  await page.waitForURL("**/beercounter");
  await isLive;
}

type Stubbed = typeof window & { questions: number; notifications: { title: string; body?: string; tag?: string }[] };

const shown = (page: Page) => page.evaluate(() => (window as Stubbed).notifications);

/**
 * Opens a page with the given notification permission, and records notifications instead of showing
 * them.
 */
async function pageWithNotifications(permission: NotificationPermission): Promise<Page> {
  const page = await app.newPage();
  await page.addInitScript((given) => {
    const stubbed = window as Stubbed;
    stubbed.questions = 0;
    stubbed.notifications = [];
    const note = (title: string, { body, tag }: NotificationOptions = {}): void => {
      stubbed.notifications.push({ title, ...(body && { body }), ...(tag && { tag }) });
    };
    class Recorded extends EventTarget {
      static permission = given;
      static async requestPermission(): Promise<NotificationPermission> {
        stubbed.questions += 1;
        return "granted";
      }
      constructor(title: string, options?: NotificationOptions) {
        super();
        note(title, options);
      }
    }
    Object.defineProperty(window, "Notification", { value: Recorded });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => note(title, options);
  }, permission);
  return page;
}
