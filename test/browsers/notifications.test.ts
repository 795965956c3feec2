import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type CDPSession, expect, type Page } from "@playwright/test";

import { createCertificates } from "#test/certificates.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { browserPath, chromiumFlags, type E2eApp, logIn } from "#test/e2e/e2e-app.ts";
import { test as journey } from "#test/e2e/journey.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";

interface WorkerFixtures {
  service: FakePushService;
  /** File with the certificate authority of the push service. */
  authority: string;
}

const test = journey.extend<object, WorkerFixtures>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const service = await createFakePushService();
      await give(service);
      await service.close();
    },
    { scope: "worker" },
  ],
  authority: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const file = join(createTemporaryFolder(), "ca.crt");
      writeFileSync(file, createCertificates().authority);
      await give(file);
    },
    { scope: "worker" },
  ],
  installation: ({ authority }, give) =>
    give({ env: { PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost", NODE_EXTRA_CA_CERTS: authority } }),
});

test.use({
  launchOptions: { executablePath: browserPath(true), args: chromiumFlags },
  serviceWorkers: "allow",
  people: { anna: "Anna", david: "David", emil: "Emil", frieda: "Frieda", greta: "Greta" },
});

type Stubbed = typeof window & { asked: number; cancelled: number };

/**
 * Opens a page whose browser subscribes to the fake push service instead of its vendor's. The first
 * `failures` attempts to subscribe fail because of an existing subscription.
 */
async function openPushable(
  app: E2eApp,
  subscription: ReturnType<FakePushService["subscription"]>,
  permission: "granted" | "denied" = "granted",
  failures = 0,
): Promise<Page> {
  const page = await app.newPage({ permissions: permission === "granted" ? ["notifications"] : [] });
  await page.addInitScript(
    ({ subscription: known, permission: answer, failures: refusals }) => {
      const stubbed = window as Stubbed;
      Object.assign(stubbed, { asked: 0, cancelled: 0 });
      if (answer === "denied") Object.defineProperty(Notification, "permission", { value: answer });
      const given = {
        toJSON: () => known,
        options: { applicationServerKey: null },
        unsubscribe: async () => ++stubbed.cancelled > 0,
      };
      PushManager.prototype.getSubscription = async () => (stubbed.asked > 0 ? given : null) as never;
      PushManager.prototype.subscribe = async () => {
        if (stubbed.asked++ < refusals) throw new DOMException("Another one is in the way.", "InvalidStateError");
        return given as never;
      };
    },
    { subscription, permission, failures },
  );
  return page;
}

/** Logs in with the form, because pages subscribe after a login. */
async function enter(page: Page, app: E2eApp, key: string): Promise<void> {
  const { uname, password } = app.members.find((member) => member.key === key)!;
  await page.goto("/login");
  await logIn(page, uname, password);
  await page.waitForURL("**/beercounter");
}

const counts = (page: Page) =>
  page.evaluate(() => {
    const { asked, cancelled } = window as Stubbed;
    return { asked, cancelled };
  });

test("a member receives pushes while the page is closed, and can turn pushes off permanently", async ({
  app,
  service,
}) => {
  const greta = await openPushable(app, service.subscription("greta"));
  await enter(greta, app, "greta");
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

test("a page replaces an existing push subscription, and cancels one that the server refuses", async ({
  app,
  service,
}) => {
  const emil = await openPushable(app, service.subscription("emil"), "granted", 1);
  await enter(emil, app, "emil");
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

test("a page without permission does not subscribe to pushes and explains how to allow notifications", async ({
  app,
  service,
}) => {
  const david = await openPushable(app, service.subscription("david"), "denied");
  await enter(david, app, "david");
  await david.goto("/notifications");
  await david.getByText("Vom Browser blockiert").waitFor();
  expect(await counts(david)).toEqual({ asked: 0, cancelled: 0 });
});

interface ServiceWorkerGlobalScopeLike extends EventTarget {
  registration: ServiceWorkerRegistration;
  countShown: number;
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
}

test("the service worker shows pushes until they are replaced or clicked, or the member logs out", async ({
  app,
  service,
}) => {
  const page = await openPushable(app, service.subscription("frieda"));
  await enter(page, app, "frieda");
  const push = await createPusher(page, app.url);
  const worker = page.context().serviceWorkers()[0]!;
  const prost = { title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter", silent: true };

  /** Returns the notifications on the screen. */
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications.map(({ title, body, tag, silent }) => ({ title, body, tag, silent }));
    });
  /** Simulates a click on the only notification. */
  const click = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike;
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification: notification! }));
    });

  // The browser may close a notification late, together with others of the same tag. Therefore no
  // step reuses the tag of a closed notification.
  await test.step("the notification of a beer is replaced with that of the next beer", async () => {
    await push(JSON.stringify({ ...prost, url: "/beercounter" }));
    await expect.poll(shown).toEqual([prost]);
    await push(JSON.stringify({ ...prost, body: "3 × Prost von Ben", url: "/beercounter" }));
    await expect.poll(shown).toEqual([{ ...prost, body: "3 × Prost von Ben" }]);
    await click();
    await expect.poll(shown).toEqual([]);
  });

  await test.step("HTML and URLs in a push are shown as plain text, and a click opens the page of the push", async () => {
    const body = '<img src=x onerror=alert(1)> <a href="https://evil.example">klick</a>';
    await push(JSON.stringify({ ...prost, tag: "letters", body, url: "/game-servers" }));
    await expect.poll(shown).toEqual([{ ...prost, tag: "letters", body }]);
    await click();
    await page.waitForURL("**/game-servers");
    await expect.poll(shown).toEqual([]);
  });

  await test.step("a neutral notification is shown for a push with a URL of another site, and a click opens the start page", async () => {
    await push(JSON.stringify({ ...prost, url: "https://evil.example/" }));
    const neutral = { title: "Neuigkeiten", body: "Schau mal wieder rein.", tag: "news", silent: true };
    await expect.poll(shown).toEqual([neutral]);
    await click();
    await page.waitForURL("**/beercounter");
    const pages = page.context().pages();
    expect(pages.map((one) => new URL(one.url()).origin)).toEqual([app.url]);
  });

  await test.step("a push subscription that the browser has changed is sent to the server", async () => {
    await worker.evaluate((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as never;
      const scope = globalThis as unknown as { ExtendableEvent: typeof Event };
      globalThis.dispatchEvent(new scope.ExtendableEvent("pushsubscriptionchange"));
    }, service.subscription("frieda, moved"));
    const devices = async () => (await (await page.request.get("/api/push/devices")).json()) as unknown[];
    await expect.poll(async () => (await devices()).length).toBe(2);
  });

  await test.step("a logout removes the member's notifications from the screen", async () => {
    await push(JSON.stringify({ ...prost, tag: "last", url: "/beercounter" }));
    await expect.poll(shown).toContainEqual({ ...prost, tag: "last" });
    await page.getByRole("button", { name: "Frieda", exact: true }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Login" }).waitFor();
    await expect.poll(shown).toEqual([]);
  });
});

/** Returns a function that delivers a push to the page's service worker and waits until it is shown. */
async function createPusher(page: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registrationId = readRegistrationId(session);
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
  return async (data) => {
    const before = await countShown();
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registrationId, data });
    // Counts calls instead of notifications, because listing notifications makes Chromium drop one
    // that is about to be shown.
    await expect.poll(countShown).toBe(before + 1);
  };
}

async function readRegistrationId(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  return found;
}
