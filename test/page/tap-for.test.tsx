import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { counts, messageText, openPage } from "./open-page.tsx";

test("A member books a beer for another one and undoes it in the history, in which the other sees it too", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  const ben = await app.createMember("ben");
  let page = await openPage(anna, "/beercounter");
  await page.isLive();
  await page.press("Ein Strich für …");
  const dialog = await screen.findByRole("dialog", { name: "Ein Strich für …" });
  await within(dialog).findByText("Ben");
  await page.press("Bier für Ben", dialog);
  expect(messageText()).toContain("Ein Strich für Ben.");
  await expect.poll(() => counts()).toMatchObject({ group: "1", own: "0" });
  await page.press("Verlauf");
  const history = await screen.findByRole("dialog", { name: "Verlauf" });
  await within(history).findByText("für Ben");
  page = await openPage(ben, "/beercounter");
  await expect.poll(() => counts()).toMatchObject({ own: "1" });
  await page.press("Verlauf");
  const bens = await screen.findByRole("dialog", { name: "Verlauf" });
  await within(bens).findByText("von Anna");
  page = await openPage(anna, "/beercounter");
  await page.press("Verlauf");
  const again = await screen.findByRole("dialog", { name: "Verlauf" });
  await page.press(/^Bier von .* entfernen$/, again);
  await expect.poll(async () => (await ben.get("/api/beercounter/counters")).json.userCounterVal).toBe(0);
});

test("A member who allows no beers by others is missing from the list", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  const ben = await app.createMember("ben");
  const settings = await openPage(ben, "/profile");
  const toggle = await screen.findByRole("switch", { name: "Andere dürfen einen Strich für mich machen" });
  await settings.user.click(toggle);
  await expect.poll(async () => (await ben.get("/api/user/tap-settings")).json.is_tappable).toBe(false);
  const page = await openPage(anna, "/beercounter");
  await page.press("Ein Strich für …");
  await screen.findByText("Gerade lässt niemand andere für sich tippen.");
});

test("A member sets a PIN for tablets and removes it", async () => {
  const app = await createTestApp();
  const ben = await app.createMember("ben");
  const page = await openPage(ben, "/profile");
  const hasPin = async () => (await ben.get("/api/user/tap-settings")).json.has_pin as boolean;
  await page.press("PIN festlegen");
  const dialog = await screen.findByRole("dialog", { name: "PIN für Zapfstellen" });
  await page.fill("PIN mit vier Ziffern", "12", dialog);
  await page.press("Speichern", dialog);
  await within(dialog).findByText("Eine PIN hat genau vier Ziffern.");
  await page.fill("PIN mit vier Ziffern", "1793", dialog);
  await page.press("Speichern", dialog);
  await expect.poll(hasPin).toBe(true);
  await page.press("PIN entfernen");
  await expect.poll(hasPin).toBe(false);
});
