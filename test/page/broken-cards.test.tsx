import { screen, within } from "@testing-library/dom";
import { expect, onTestFinished, test, vi } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import type * as weekCardModule from "#web/features/beercounter/components/week-card.tsx";
import { counts, openPage } from "./open-page.tsx";

const weekCard = "#web/features/beercounter/components/week-card.tsx";

test("A card that throws while rendering leaves the other cards usable, and renders again after a retry", async () => {
  const write = vi.mocked(console.error).mockImplementation(() => {});
  let isBroken = true;
  vi.doMock(weekCard, async (importOriginal) => {
    const { WeekCard } = await importOriginal<typeof weekCardModule>();
    return {
      WeekCard: (props: Parameters<typeof WeekCard>[0]) => {
        if (isBroken) throw new Error("The week is broken.");
        return WeekCard(props);
      },
    };
  });
  onTestFinished(() => vi.doUnmock(weekCard));
  const app = await createTestApp();
  await app.createMember("ben");
  const page = await openPage(await app.createMember("anna"), "/beercounter");

  const failure = await screen.findByRole("alert");
  expect(failure.textContent).toContain("Hier ist etwas umgekippt.");
  await screen.findByRole("heading", { name: "Der Tagesdurchschnitt" });
  await page.press("Bier trinken");
  await expect.poll(counts).toMatchObject({ group: "1", own: "1" });
  expect(String(write.mock.calls)).toContain("The week is broken.");
  write.mockClear();

  isBroken = false;
  await page.press("Nochmal versuchen", within(screen.getByRole("main")).getByRole("alert"));
  await screen.findByRole("heading", { name: "Der Suff der Woche" });
});
