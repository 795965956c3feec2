import { screen } from "@testing-library/dom";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { allAnswered, counts, messageText, openPage } from "./open-page.tsx";

const counters = "/api/beercounter/counters";
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

describe("one tap", () => {
  test("a tap shows different flash messages in its window, in the member's other window and to other members", async () => {
    const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
    const picture = { user_id: 1, id: "annas-picture-00000000", png: fixtures.png, created_at: 0 };
    await app.db.insertInto("pictures").values(picture).execute();
    await app.db.updateTable("users").set({ avatar_id: picture.id }).where("uname", "=", "anna").execute();
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await anna.post(counters);
    await expect.poll(messageText).toMatch(/^Prost!/);
    expect(document.querySelector("[data-flash] img")).toBeNull();
    await expect.poll(counts).toEqual({ group: "1", own: "1" });

    await page.press("Bier trinken");
    await expect.poll(counts).toEqual({ group: "2", own: "2" });
    await allAnswered();
    expect(messageText()).toMatch(/^(?!Prost( von .*)?!).{5,}!/);

    await (await openPage(ben, "/beercounter")).isLive();
    const toFake = ["setTimeout", "clearTimeout", "performance", "Date"] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: Date.now(), shouldAdvanceTime: true });
    await anna.post(counters);
    await expect.poll(messageText).toContain("Prost von Anna!");
    const { src } = document.querySelector<HTMLImageElement>("[data-flash] img")!;
    expect((await ben.get(new URL(src).pathname)).headers["content-type"]).toMatch(/^image\//);
    await expect.poll(counts).toEqual({ group: "3", own: "0" });
    await vi.advanceTimersByTimeAsync(4000);
    await expect.poll(messageText).toBe("");
  });
});

/** Returns the notifications that the page shows through its service worker. */
function stubNotifications(permission: NotificationPermission) {
  const shown: object[] = [];
  const requestPermission = vi.fn(async () => "granted");
  vi.stubGlobal("Notification", { permission, requestPermission });
  const registration = {
    showNotification: async (title: string, { body, tag }: NotificationOptions) =>
      void shown.push({ title, body, tag }),
    getNotifications: async () => [],
  };
  Object.assign(navigator, { serviceWorker: { getRegistration: async () => registration, addEventListener() {} } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "serviceWorker"));
  return { shown, requestPermission };
}

const question = () => screen.queryByRole("region", { name: "Benachrichtigungen" });

describe("permission for notifications", () => {
  test("the app asks about notifications after the first beer of somebody else, until the button “Nicht jetzt” is pressed", async () => {
    const { requestPermission } = stubNotifications("default");
    const [greta, ben] = [await app.createMember("greta"), await app.createMember("ben")];
    const page = await openPage(greta, "/beercounter");
    await page.isLive();
    await page.press("Bier trinken");
    await expect.poll(counts).toEqual({ group: "1", own: "1" });
    await allAnswered();
    expect(question()).toBeNull();
    await ben.post(counters);
    await screen.findByText("Benachrichtigungen erlauben?");
    await page.press("Nicht jetzt");
    await expect.poll(question).toBeNull();
    // openPage() deletes what the previous page has stored.
    const kept = localStorage.getItem("notifications-later");
    const reopened = openPage(greta, "/beercounter");
    localStorage.setItem("notifications-later", kept!);
    await reopened;
    await screen.findByRole("button", { name: "Bier trinken" });
    await allAnswered();
    expect(question()).toBeNull();
    expect(requestPermission).not.toHaveBeenCalled();
  });

  test("the button “Erlauben” opens the browser's prompt for notifications, and guests see no question about notifications", async () => {
    const { requestPermission } = stubNotifications("default");
    await openPage(app.createClient(), "/login");
    await screen.findByRole("heading", { name: "Login" });
    await allAnswered();
    expect(question()).toBeNull();
    const [greta, ben] = [await app.createMember("greta"), await app.createMember("ben")];
    const page = await openPage(greta, "/beercounter");
    await page.isLive();
    await ben.post(counters);
    await page.press("Erlauben");
    await expect.poll(question).toBeNull();
    expect(requestPermission).toHaveBeenCalledTimes(1);
  });
});

test("an opened dialog moves the message of a tap away from the mat, where the dialog has its text", async () => {
  const page = await openPage(await app.createMember("anna"), "/beercounter");
  const place = () => document.querySelector<HTMLElement>("[data-flash]")?.parentElement?.dataset["place"];
  await page.press("Bier trinken");
  await expect.poll(place).toBe("below");
  await page.press("Verlauf");
  await screen.findByRole("dialog", { name: "Verlauf" });
  await expect.poll(place).toBeUndefined();
  expect(messageText()).not.toBe("");
});

test("another member's beer shows a notification only to members who are not looking at the page", async () => {
  const { shown } = stubNotifications("granted");
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(true);
  const [greta, ben] = [await app.createMember("greta"), await app.createMember("ben")];
  const page = await openPage(greta, "/beercounter");
  await page.isLive();
  await ben.post(counters);
  await expect.poll(messageText).toContain("Prost von Ben!");
  expect(shown).toEqual([]);

  hasFocus.mockReturnValue(false);
  await ben.post(counters);
  const notification = { title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter" };
  await expect.poll(() => shown).toEqual([notification]);

  // A member's own beer shows no notification.
  await greta.post(counters);
  await expect.poll(messageText).toMatch(/^Prost!/);
  expect(shown).toEqual([notification]);
});
