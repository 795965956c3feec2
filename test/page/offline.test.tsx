import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage } from "./open-page.tsx";

let anna: Client;
beforeEach(async () => {
  const app = await createTestApp();
  anna = await app.createMember("anna");
  await anna.post("/api/beercounter/counters");
});

const warnings = (): readonly (string | null)[] =>
  [...screen.queryAllByRole("alert"), ...screen.queryAllByRole("status")]
    .map(({ textContent }) => textContent)
    .filter((text) => /konnte|Verbindung|Empfang/.test(text));

test.each([
  ["/statistics", "radio", "Monat"],
  ["/game-servers", "heading", "Game-Server"],
  ["/party", "button", "Party starten"],
  ["/member", "heading", "Mein Deckel"],
  ["/profile", "button", "Profilbild ändern"],
  ["/notifications", "heading", "Benachrichtigungen"],
  ["/wrapped", "heading", "Jahresrückblick"],
])(
  "the page %s shows a single offline warning without a connection, and its data after reconnecting",
  async (path, role, name) => {
    const { router } = await openPage(anna, "/install");
    const lost = vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
    void router.navigate({ href: path });
    await screen.findByRole(role, { name });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now(), shouldAdvanceTime: true });
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(warnings).toEqual(["Keine Verbindung. Wir versuchen es weiter."]);
    lost.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(warnings).toEqual([]);
    await expect.poll(() => document.querySelectorAll("[data-skeleton]")).toHaveLength(0);
  },
);

test("A tap without a connection shows one message in the counter card beside the offline warning", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now(), shouldAdvanceTime: true });
  await page.press("Bier trinken");
  const flashes: string[] = [];
  for (let tenths = 0; tenths < 100; tenths++) {
    await vi.advanceTimersByTimeAsync(100);
    flashes.push(messageText());
  }
  expect(flashes.filter((text) => text.includes("Empfang"))).toEqual([]);
  await screen.findByText("1 Bier wartet auf Empfang. Lass die Seite offen!");
  await expect.poll(warnings).toEqual(["Keine Verbindung. Wir versuchen es weiter."]);
  within(screen.getByRole("region", { name: "Die Säufer" })).getByText("Anna");
});

test("the icon of the installed app shows the number of waiting beers, and none after the logout", async () => {
  const setAppBadge = vi.fn<(count: number) => Promise<void>>(async () => {});
  const clearAppBadge = vi.fn<() => Promise<void>>(async () => {});
  Object.assign(navigator, { setAppBadge, clearAppBadge });
  onTestFinished(() => {
    for (const name of ["setAppBadge", "clearAppBadge"]) Reflect.deleteProperty(navigator, name);
  });
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  const lost = vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await page.press("Bier trinken");
  await expect.poll(() => setAppBadge.mock.lastCall).toEqual([1]);
  lost.mockRestore();
  await expect.poll(() => setAppBadge.mock.lastCall).toEqual([0]);
  await page.user.click(await screen.findByRole("menuitem", { name: "Logout" }));
  await expect.poll(() => clearAppBadge.mock.calls.length).toBe(1);
});
