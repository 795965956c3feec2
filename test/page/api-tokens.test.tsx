import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage, pageText } from "./open-page.tsx";

test("a member creates an API token in the profile, sees the token once, and revokes it", async () => {
  const app = await createTestApp();
  const page = await openPage(await app.createMember("ben"), "/profile");
  await page.press("API-Token anlegen");
  const dialog = await screen.findByRole("dialog", { name: "API-Token anlegen" });
  await page.fill("Name", "Bier-Knopf", dialog);
  await page.press("Anlegen", dialog);
  await page.press("Fertig", dialog);
  const token = await app.db.selectFrom("api_tokens").select(["name", "scope"]).executeTakeFirst();
  expect(token).toEqual({ name: "Bier-Knopf", scope: "read" });
  await within(screen.getByRole("region", { name: "API-Tokens" })).findByText("Bier-Knopf");
  expect(pageText()).not.toMatch(/st_[\w-]{43}/);

  await page.press("Bier-Knopf widerrufen");
  await page.press("Widerrufen", await screen.findByRole("dialog", { name: "API-Token widerrufen" }));
  await expect.poll(messageText).toContain("API-Token widerrufen.");
  expect(await app.db.selectFrom("api_tokens").select("id").execute()).toEqual([]);
});

test("the admin area lists the endpoints that API tokens can call", async () => {
  const app = await createTestApp();
  await openPage(await app.createMember("anna", ["admin"]), "/admin/api");
  const opened = await screen.findByRole("list", { name: "Für eigene Programme" });
  expect(opened.textContent).toContain("POST /api/beercounter/countersEintragen");
  expect(screen.getByRole("list", { name: "Nur für die App" }).textContent).toContain("GET /api/user/export");
});
