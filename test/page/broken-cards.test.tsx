import { screen, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { counts, openPage } from "./open-page.tsx";

test("A card that throws while rendering leaves the other cards usable, and renders again after a retry", async () => {
  const write = vi.mocked(console.error).mockImplementation(() => {});
  // Only the card with the week's beers asks for the weekday.
  const weekday = vi.spyOn(Temporal.Instant, "fromEpochMilliseconds").mockImplementation(() => {
    throw new Error("The week is broken.");
  });
  const app = await createTestApp();
  await app.createMember("ben");
  const page = await openPage(await app.createMember("anna"), "/beercounter");

  const failure = await screen.findByRole("alert");
  expect(failure.textContent).toContain("Hier ist etwas umgekippt.");
  await screen.findByRole("heading", { name: "Der Tagesdurchschnitt" });
  expect(screen.queryByRole("heading", { name: "Der Suff der Woche" })).toBeNull();
  await page.press("Bier trinken");
  await expect.poll(counts).toMatchObject({ group: "1", own: "1" });
  expect(String(write.mock.calls)).toContain("The week is broken.");
  write.mockClear();

  weekday.mockRestore();
  await page.press("Nochmal versuchen", within(screen.getByRole("main")).getByRole("alert"));
  await screen.findByRole("heading", { name: "Der Suff der Woche" });
});
