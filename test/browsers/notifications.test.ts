import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { createCertificates } from "#test/certificates.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { logIn, createE2eApp } from "#test/e2e/e2e-app.ts";
import { createFakePushService } from "#test/fake-push-service.ts";

const service = await createFakePushService();
const authority = join(createTemporaryFolder(), "ca.crt");
writeFileSync(authority, createCertificates().authority);
const app = await createE2eApp({
  withServiceWorker: true,
  needsFullBrowser: true,
  withDemo: true,
  env: {
    PUSH_ALLOW_PRIVATE: "1",
    PUSH_ALLOWED_HOSTS: "localhost",
    NODE_EXTRA_CA_CERTS: authority,
    RATE_LIMIT_FACTOR: "100",
  },
});

beforeEach(() => {
  service.calls.length = 0;
  service.received.length = 0;
});

type Stubbed = typeof window & { asked: number; cancelled: number };

/**
 * Opens a page whose browser subscribes to the fake push service instead of its vendor's. The first
 * `failures` attempts to subscribe fail because of an existing subscription.
 */
async function pushable(browser: string, permission: "granted" | "denied" = "granted", failures = 0): Promise<Page> {
  const page = await app.newPage({ permissions: permission === "granted" ? ["notifications"] : [] });
  await page.addInitScript(
    ({ subscription, permission: answer, failures: refusals }) => {
      const stubbed = window as Stubbed;
      Object.assign(stubbed, { asked: 0, cancelled: 0 });
      if (answer === "denied") Object.defineProperty(Notification, "permission", { value: answer });
      const given = {
        toJSON: () => subscription,
        options: { applicationServerKey: null },
        unsubscribe: async () => ++stubbed.cancelled > 0,
      };
      PushManager.prototype.getSubscription = async () => (stubbed.asked > 0 ? given : null) as never;
      PushManager.prototype.subscribe = async () => {
        if (stubbed.asked++ < refusals) throw new DOMException("Another one is in the way.", "InvalidStateError");
        return given as never;
      };
    },
    { subscription: service.subscription(browser), permission, failures },
  );
  return page;
}

async function enter(page: Page, uname: string): Promise<void> {
  await page.goto("/login");
  await logIn(page, uname, app.members.find((member) => member.uname === uname)!.password);
  await page.waitForURL("**/beercounter");
}

const counts = (page: Page) =>
  page.evaluate(() => {
    const { asked, cancelled } = window as Stubbed;
    return { asked, cancelled };
  });

test("a member receives pushes while the page is closed, and can turn pushes off permanently", async () => {
  const greta = await pushable("greta");
  await enter(greta, "greta");
  await greta.getByRole("button", { name: "Greta", exact: true }).click();
  await greta.getByRole("menuitem", { name: "Benachrichtigungen" }).click();
  await greta.getByRole("heading", { name: "Benachrichtigungen", level: 1 }).waitFor();
  await greta.getByText("Eingeschaltet").waitFor();
  const devices = greta.getByRole("region", { name: "Deine Geräte" });
  await devices.getByText("Chrome auf Linux").waitFor();

  await devices.getByRole("button", { name: "Test senden" }).click();
  await devices.getByText("Chrome auf Linux: angenommen, müsste gleich da sein.").waitFor();
  expect(service.received.at(-1)!.payload).toMatchObject({ title: "Stammtisch: Test", tag: "test" });

  await greta.goto("about:blank");
  const anna = await app.loggedInPage("anna");
  await anna.getByRole("button", { name: "Bier trinken" }).click();
  await expect
    .poll(() => service.received.at(-1)?.payload)
    .toMatchObject({ body: "Prost von Anna!", tag: "beercounter" });

  await greta.goto("/notifications");
  await greta.getByText("Eingeschaltet").waitFor();
  await devices.getByRole("button", { name: "Benachrichtigungen für Chrome auf Linux ausschalten" }).click();
  await greta.getByText("Ausgeschaltet").waitFor();
  await devices.getByText("Noch bekommt keins deiner Geräte Benachrichtigungen.").waitFor();
  await expect.poll(async () => (await counts(greta)).cancelled).toBe(1);
  await greta.reload();
  await greta.getByText("Ausgeschaltet").waitFor();
  expect(await counts(greta)).toEqual({ asked: 0, cancelled: 0 });

  await greta.getByRole("button", { name: "Einschalten" }).click();
  await greta.getByText("Eingeschaltet").waitFor();
  await devices.getByText("Chrome auf Linux").waitFor();
});

test("a page replaces an existing push subscription, and cancels one that the server refuses", async () => {
  const emil = await pushable("emil", "granted", 1);
  await enter(emil, "emil");
  await expect.poll(() => counts(emil)).toEqual({ asked: 2, cancelled: 1 });
  await emil.goto("/notifications");
  await emil.getByText("Eingeschaltet").waitFor();

  await emil.route("**/api/push", (route) => route.fulfill({ status: 503, json: { message: "Gerade nicht." } }));
  await emil.reload();
  await emil.getByText("Das hat nicht geklappt").waitFor();
  await expect.poll(() => counts(emil)).toEqual({ asked: 2, cancelled: 2 });
  await emil.unroute("**/api/push");
  await emil.getByRole("button", { name: "Nochmal versuchen" }).click();
  await emil.getByText("Eingeschaltet").waitFor();
});

test("a page without permission does not subscribe to pushes and explains how to allow notifications", async () => {
  const david = await pushable("david", "denied");
  await enter(david, "david");
  await david.goto("/notifications");
  await david.getByText("Vom Browser blockiert").waitFor();
  expect(await counts(david)).toEqual({ asked: 0, cancelled: 0 });
});

// The browser may close a notification late, together with others of the same tag. Therefore no
// test reuses the tag of a closed notification.
describe("notifications of the service worker", () => {
  let page: Page;
  let push: (data: string) => Promise<void>;

  const unknown = { title: "Neuigkeiten", body: "Schau mal wieder rein.", tag: "news", silent: true };
  const prost = { title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter", silent: true };

  beforeAll(async () => {
    page = await pushable("frieda");
    await enter(page, "frieda");
    const session = await page.context().newCDPSession(page);
    const registrationId = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      });
    });
    await session.send("ServiceWorker.enable");
    await page.evaluate(() => navigator.serviceWorker.ready);
    const worker = page.context().serviceWorkers()[0]!;
    await worker.evaluate(() => {
      const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
      const show = scope.registration.showNotification.bind(scope.registration);
      scope.countShown = 0;
      scope.registration.showNotification = async (...notification) => {
        await show(...notification);
        scope.countShown += 1;
      };
    });
    const countShown = () => worker.evaluate(() => (globalThis as unknown as ServiceWorkerGlobalScopeLike).countShown);
    push = async (data) => {
      const before = await countShown();
      const to = { origin: app.url, registrationId: await registrationId };
      await session.send("ServiceWorker.deliverPushMessage", { ...to, data });
      // Counts calls instead of notifications, because listing notifications makes Chromium drop
      // one that is about to be shown.
      await expect.poll(countShown).toBe(before + 1);
    };
  });

  /**
   * Returns the notifications on the screen that arrived at `since` (milliseconds since the epoch)
   * or later.
   */
  const shown = (since = 0) =>
    page.evaluate(async (earliest) => {
      const registration = await navigator.serviceWorker.ready;
      const notifications = (await registration.getNotifications()) as (Notification & { timestamp: number })[];
      return notifications
        .filter(({ timestamp }) => timestamp >= earliest)
        .map(({ title, body, tag, silent }) => ({ title, body, tag, silent }));
    }, since);
  /**
   * Simulates a click on the first notification. Resolves to `true` if the service worker closes
   * the notification; with `isKept`, the notification stays on the screen nevertheless.
   */
  const tap = async (isKept = false): Promise<boolean> => {
    const worker = page.context().serviceWorkers()[0]!;
    return worker.evaluate(async (kept) => {
      const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
      const [notification] = await scope.registration.getNotifications();
      const close = notification!.close.bind(notification);
      let isClosed = false;
      notification!.close = () => {
        isClosed = true;
        if (!kept) close();
      };
      scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification: notification! }));
      return isClosed;
    }, isKept);
  };
  interface ServiceWorkerGlobalScopeLike extends EventTarget {
    registration: ServiceWorkerRegistration;
    countShown: number;
    NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
  }

  test("the service worker replaces the notification of a beer with that of the next beer", async () => {
    await push(JSON.stringify({ ...prost, url: "/beercounter" }));
    await expect.poll(() => shown()).toEqual([prost]);
    await push(JSON.stringify({ ...prost, body: "3 × Prost von Ben", url: "/beercounter" }));
    await expect.poll(() => shown()).toEqual([{ ...prost, body: "3 × Prost von Ben" }]);
    await tap();
    await expect.poll(() => shown()).toEqual([]);
  });

  test("the service worker shows HTML and URLs in a push as plain text", async () => {
    const body = '<img src=x onerror=alert(1)> <a href="https://evil.example">klick</a>';
    await push(JSON.stringify({ ...prost, tag: "letters", body, url: "/game-servers" }));
    await expect.poll(() => shown()).toEqual([{ ...prost, tag: "letters", body }]);
    await tap();
    await page.waitForURL("**/game-servers");
    await expect.poll(() => shown()).toEqual([]);
  });

  test("the service worker sends a push subscription that the browser has changed to the server", async () => {
    const worker = page.context().serviceWorkers()[0]!;
    await worker.evaluate((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as never;
      const scope = globalThis as unknown as { ExtendableEvent: typeof Event };
      globalThis.dispatchEvent(new scope.ExtendableEvent("pushsubscriptionchange"));
    }, service.subscription("frieda, moved"));
    const devices = async () => (await (await page.request.get("/api/push/devices")).json()) as unknown[];
    await expect.poll(async () => (await devices()).length).toBe(2);
  });

  test.each([
    ["a push with a URL of another site", JSON.stringify({ ...prost, url: "https://evil.example/" })],
    ["a push with a protocol-relative URL", JSON.stringify({ ...prost, url: "//evil.example" })],
    ["a push with a script URL", JSON.stringify({ ...prost, url: "javascript:alert(1)" })],
    ["a push that is not JSON", "<html>"],
    ["an empty push", ""],
    ["a push with a title of 5000 letters", JSON.stringify({ ...prost, title: "x".repeat(5000), url: "/beercounter" })],
  ])("the service worker shows a neutral notification for %s, and a click opens the start page", async (_, data) => {
    await page.goto("/profile");
    await page.getByRole("heading", { name: "Profil" }).waitFor();
    const before = await page.evaluate(() => Date.now());
    await push(data);
    await expect.poll(() => shown(before)).toEqual([unknown]);
    expect(await tap(true)).toBe(true);
    await page.waitForURL("**/beercounter");
    expect(
      page
        .context()
        .pages()
        .map((one) => new URL(one.url()).origin),
    ).toEqual([app.url]);
  });

  test("a logout removes the member's notifications from the screen", async () => {
    await push(JSON.stringify({ ...prost, tag: "last", url: "/beercounter" }));
    await expect.poll(() => shown()).toContainEqual({ ...prost, tag: "last" });
    await page.getByRole("button", { name: "Frieda", exact: true }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Login" }).waitFor();
    await expect.poll(() => shown()).toEqual([]);
  });
});
