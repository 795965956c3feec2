import { screen } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage } from "./open-page.tsx";

test("the only member of a group invites others with one tap", async () => {
  const anna = await (await createTestApp()).createMember("anna");
  const page = await openPage(anna, "/beercounter");
  await page.press("Einladung machen");
  await screen.findByRole("img", { name: "Einladung als QR-Code" });
  expect((await anna.get("/api/admin/invitations")).json.invitations).toMatchObject([
    { permissions: [], uses_left: 20 },
  ]);
});

test("the admin page of the game servers shows and copies the commands that add scripts, programs and systemd units", async () => {
  const anna = await (await createTestApp()).createMember("anna");
  const page = await openPage(anna, "/admin/game-servers");
  await page.user.click(await screen.findByText("Dienst, Skript oder Programm hinzufügen"));
  await page.press("Befehl kopieren: Skript");
  await expect.poll(messageText).toContain("Befehl kopiert.");
  expect(await navigator.clipboard.readText()).toBe("bin/stammtisch game-server add NAME --script DATEI");
});
