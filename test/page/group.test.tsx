import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import { version } from "#server/version.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { openPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
});

test("an administrator changes the group's name and links, and all open pages show them", async () => {
  const page = await openPage(anna, "/admin/group");
  await page.fill("Name der Gruppe", "Die Runde");
  await page.press("Link hinzufügen");
  await page.fill("Text", "Impressum");
  await page.fill("Adresse", "javascript:alert(1)");
  await page.press("Speichern");
  await expect.poll(pageText).toContain("Eine Adresse beginnt mit https://");
  await page.fill("Adresse", "https://stammtisch.example/impressum");
  await page.press("Speichern");
  await waitFor(() => expect(document.title).toBe("Gruppe – Die Runde"));

  await openPage(app.createClient(), "/login");
  within(await screen.findByRole("contentinfo")).getByRole("link", { name: "Impressum" });
  await waitFor(() => expect(document.title).toBe("Login – Die Runde"));
});

test("a page shows changes of the group's name, abbreviation and links, even after a lost connection", async () => {
  const page = await openPage(await app.createMember("ben"), "/beercounter");
  await page.isLive();
  const settings = {
    group_name: "Die Runde",
    group_short: "DR",
    legal_links: [{ label: "Impressum", url: "/impressum" }],
  };
  await anna.post("/api/admin/group", settings);
  await screen.findByRole("link", { name: "Die Runde" });
  await screen.findByRole("link", { name: "Impressum" });
  within(screen.getByRole("region", { name: "Zähler" })).getByText("DR");
  expect(document.title).toBe("Bier-Counter – Die Runde");
  page.interrupt();
  await anna.post("/api/admin/group", { ...settings, group_name: "Kegelclub" });
  await waitFor(() => expect(document.title).toBe("Bier-Counter – Kegelclub"));
});

test("the form with the group's settings shows another administrator's changes, and saving other fields keeps the changes", async () => {
  const page = await openPage(anna, "/admin/group");
  await page.fill("Kürzel", "DR");
  const legal_links = [{ label: "Impressum", url: "/impressum" }];
  const elsewhere = { group_name: "Die Runde", group_short: "ST", legal_links };
  expect((await anna.post("/api/admin/group", elsewhere)).status).toBe(200);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await screen.findByDisplayValue("Die Runde");
  await page.press("Speichern");
  const saved = async () => (await anna.get("/api/admin/group")).json;
  await expect.poll(saved).toMatchObject({ ...elsewhere, group_short: "DR" });
});

test("admin pages show the server's version, and a newer version while the release check is switched on", async () => {
  const next = "99.0.0";
  const feed = "https://code.example/releases";
  const looking = await app.reopen({ RELEASES_URL: feed });
  const client = anna.through(looking);
  const page = await openPage(client, "/admin/system");
  await screen.findByText(`Stammtisch ${version}`);
  const found = { is_checking: true, newest: next, checked_at: app.clock.now(), has_failed: false };
  await app.db
    .insertInto("settings")
    .values({ key: "releases", value: JSON.stringify(found) })
    .execute();
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await expect.poll(pageText).toContain(`Version ${next} ist da, hier läuft ${version}.`);
  expect(pageText()).toContain(`Stammtisch ${version} · Version ${next} ist da`);
  const box = screen.getByRole("switch", { name: "Einmal am Tag nachschauen" });
  expect(pageText()).toContain("Der Server fragt dann bei code.example nach.");
  await page.user.click(box);
  await waitFor(() => expect(box).toHaveProperty("checked", false));
  expect((await client.get("/api/admin/releases")).json).toMatchObject({ is_checking: false, newer_version: null });
  await waitFor(() => expect(pageText()).not.toContain("ist da"));
});

test("admin pages show the server's version but no switch for the release check if RELEASES_URL is not set", async () => {
  await openPage(anna, "/admin/system");
  await screen.findByText(`Stammtisch ${version}`);
  expect(screen.queryByRole("switch", { name: "Einmal am Tag nachschauen" })).toBeNull();
});
