import { screen, waitFor } from "@testing-library/dom";
import { expect, onTestFinished, test, vi } from "vitest";

import { createFakePushService } from "#test/fake-push-service.ts";
import { createTestApp, password } from "#test/test-app.ts";
import { messageText, openPage } from "./open-page.tsx";

test("A test notification lists its results on two devices with the same name separately", async () => {
  const app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  const service = await createFakePushService();
  const [carla, other] = [await app.createMember("carla"), app.createClient()];
  await other.post("/api/login", { uname: "carla", password });
  await carla.post("/api/push", { pushSubscription: service.subscription("one") });
  await other.post("/api/push", { pushSubscription: service.subscription("other") });
  const page = await openPage(carla, "/notifications");
  await page.press("Test senden");
  await waitFor(() => expect(screen.getAllByText(/^Unbekanntes Gerät: angenommen/)).toHaveLength(2));
});

test("The notifications page shows on return that the member has revoked the browser's permission", async () => {
  const app = await createTestApp();
  const browser = { permission: "default" };
  vi.stubGlobal("Notification", browser);
  vi.stubGlobal("PushManager", vi.fn());
  Object.assign(navigator, { serviceWorker: { getRegistration: async () => undefined } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "serviceWorker"));
  await openPage(await app.createMember("carla"), "/notifications");
  await screen.findByText("Ausgeschaltet");
  browser.permission = "denied";
  document.dispatchEvent(new Event("visibilitychange"));
  await screen.findByText("Vom Browser blockiert");
});

test("The notifications page without a connection shows a message and no endless loading", async () => {
  const carla = await (await createTestApp()).createMember("carla");
  const { user } = (await carla.get("/api/checkLoginStatus")).json;
  localStorage.setItem("stammtisch.mine.user", JSON.stringify(user));
  vi.spyOn(carla, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await openPage(carla, "/notifications", { inSameBrowser: true });
  await screen.findByText("Ohne Verbindung lässt sich das gerade nicht feststellen.");
  expect(await screen.findAllByText("Das kommt, sobald die Verbindung wieder da ist.")).toHaveLength(2);
  await expect.poll(() => document.querySelector("main [data-skeleton]")).toBeNull();
});

test("A member saves the kinds of notifications and the quiet hours", async () => {
  const carla = await (await createTestApp()).createMember("carla");
  const page = await openPage(carla, "/notifications");
  await page.user.click(await screen.findByLabelText("Jemand trinkt ein Bier"));
  await page.user.click(screen.getByLabelText("Ruhezeit einhalten"));
  await page.fill("Von", "22:30");
  await page.fill("Bis", "07:00");
  await page.press("Speichern");
  await expect.poll(messageText).toContain("Ruhezeit gespeichert.");
  await openPage(carla, "/notifications");
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  await waitFor(() => expect(field("Jemand trinkt ein Bier").checked).toBe(false));
  expect(field("An einem Game-Server tut sich etwas").checked).toBe(true);
  expect([field("Von").value, field("Bis").value]).toEqual(["22:30", "07:00"]);
});

test("an open notifications page shows changes from another device, and a pressed switch keeps these changes", async () => {
  const carla = await (await createTestApp()).createMember("carla");
  const page = await openPage(carla, "/notifications");
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  await screen.findByLabelText("Mit Ton und Vibration");
  const quiet_hours = { from: "22:30", until: "07:00" };
  const elsewhere = { beers: false, game_servers: true, sound: false, quiet_hours };
  expect((await carla.post("/api/push/settings", elsewhere)).status).toBe(200);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await waitFor(() => expect(field("Jemand trinkt ein Bier").checked).toBe(false));
  expect([field("Von").value, field("Mit Ton und Vibration").checked]).toEqual(["22:30", false]);
  await page.user.click(field("Mit Ton und Vibration"));
  const saved = async () => (await carla.get("/api/push/settings")).json;
  await expect.poll(saved).toMatchObject({ ...elsewhere, sound: true });
});
