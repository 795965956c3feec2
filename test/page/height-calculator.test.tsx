import { screen } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { updateAvatar } from "#server/features/members/store.ts";
import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage } from "./open-page.tsx";

test("A guest can use the height calculator, which sends no request that requires a login", async () => {
  const app = await createTestApp({ HEIGHT_REQUESTED_BY: "Opa Karl" });
  const page = await openPage(app.createClient(), "/height-calculator");
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Berechnen" })).disabled).toBe(true);
  await page.fill("Deine Größe in cm", "180");
  await page.press("Berechnen");
  const dialog = await screen.findByRole("dialog", { name: "Deine Größe" });
  expect(dialog.textContent).toContain("Du bist 1,80 m groß!");
  expect(dialog.textContent).toContain("(Good to know: In Amerika sind das 5,91 Fuß.)");
  await page.press("OK cool.");
  await expect.poll(messageText).toContain("Diese Funktion wurde angefragt von Opa Karl ...");
  expect(vi.mocked(fetch).mock.calls.filter(([url]) => (url as string).includes("/api/user"))).toEqual([]);
});

test("The height calculator names the member who asked for it, with the member's picture, to members", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  await updateAvatar(app.db, await app.createUser("ben"), "bens-picture");
  // happy-dom loads no pictures.
  vi.spyOn(HTMLImageElement.prototype, "src", "set").mockImplementation(function (this: HTMLImageElement, src) {
    this.setAttribute("src", src);
    this.dispatchEvent(new Event("load"));
  });
  const page = await openPage(anna, "/height-calculator");
  await page.fill("Deine Größe in cm", "0");
  await page.user.keyboard("{Enter}");
  await screen.findByText("Du bist 0,00 m groß!", { exact: false });
  await page.press("OK cool.");
  await expect.poll(messageText).toContain("angefragt von Ben ...");
  expect(document.querySelector("[data-flash] img")?.getAttribute("src")).toBe("/internal/images/avatar/bens-picture");
});
