import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { counts, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
});

const drink = (client: Client) => client.post("/api/beercounter/counters");

test("The account menu links to the member's own page, and an empty page explains what it is going to show", async () => {
  const page = await openPage(ben, "/beercounter");
  const [first] = await screen.findAllByRole("menuitem");
  expect(first?.textContent).toBe("Mein Deckel");
  await page.user.click(first!);
  await screen.findByRole("heading", { name: "Mein Deckel" });
  await screen.findByText("Heute noch kein Strich.");
  await screen.findByText("Dein erstes Bier steht dann hier, mit Datum.");
  await screen.findByText("Noch bei keiner. Die nächste kommt bestimmt.");
});

test("The member's own page counts every new beer live", async () => {
  const page = await openPage(ben, "/member");
  await page.isLive();
  await expect.poll(counts).toEqual({ today: "0", week: "0", year: "0" });
  await drink(ben);
  await expect.poll(counts).toEqual({ today: "1", week: "1", year: "1" });
  await screen.findByText("Das erste Bier");
});

test("A picture in the ranking links to another member's page, which has no settings", async () => {
  await drink(ben);
  const page = await openPage(anna, "/beercounter");
  await page.user.click(await screen.findByRole("link", { name: "Deckel von Ben" }));
  await screen.findByRole("heading", { name: "Deckel von Ben" });
  await expect.poll(counts).toEqual({ today: "1", week: "1", year: "1" });
  expect(screen.queryByRole("radio")).toBeNull();
});

test("A member page disappears from other members' screens as soon as its member hides it", async () => {
  const page = await openPage(anna, "/members/2");
  await page.isLive();
  await screen.findByRole("heading", { name: "Deckel von Ben" });
  await ben.post("/api/user/presence", { visibility: "quiet" });
  await screen.findByRole("heading", { name: "Kein Deckel" });
  await ben.post("/api/user/presence", { visibility: "visible" });
});

test("The counter page offers the news of an update until the member has opened the news on any device", async () => {
  await app.db.updateTable("users").set({ news_seen: 0 }).where("id", "=", 2).execute();
  const page = await openPage(ben, "/beercounter");
  await page.user.click(await screen.findByRole("button", { name: /^Was ist neu/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Was ist neu" }));
  await dialog.findByText("Partys im Counter");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Was ist neu/ })).toBeNull());
  await expect.poll(async () => (await ben.get("/api/checkLoginStatus")).json.user.has_unread_news).toBeUndefined();
});

test("The account menu shows the news again, with a link to the guide", async () => {
  const page = await openPage(ben, "/beercounter");
  await page.user.click(await screen.findByRole("menuitem", { name: "Was ist neu" }));
  await page.user.click(await screen.findByRole("link", { name: "Alles nachlesen: die Anleitung" }));
  await screen.findByRole("heading", { name: "Anleitung für Mitglieder" });
  await expect.poll(pageText).toContain("Zum Home-Bildschirm");
  expect(screen.queryByRole("dialog", { name: "Was ist neu" })).toBeNull();
});

test("An address such as /profile#passkeys opens the section of the profile that the fragment names", async () => {
  await openPage(ben, "/profile#passkeys");
  const passkeys = await screen.findByRole("region", { name: "Passkeys" });
  await waitFor(() => expect(passkeys.closest("details")?.open).toBe(true));
  await openPage(ben, "/profile");
  expect((await screen.findByRole("region", { name: "Passkeys" })).closest("details")?.open).toBe(false);
});
