import { screen } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { messageText, openPage, pageText, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let page: OpenPage;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  await app.createUser("ben");
  page = await openPage(anna, "/admin/import");
});

async function pick(text: string): Promise<void> {
  const file = new File([text], "biere.csv", { type: "text/csv" });
  await page.user.upload(await screen.findByLabelText("Datei mit Bieren"), file);
}

const countBeers = async () => (await app.db.selectFrom("beers").select("user_id").execute()).length;
const beers = ["name,time", "Anna,24.12.2019 18:30", "Benni,24.12.2019 18:31", "Gast,24.12.2019 18:32"].join("\n");

test("An import asks for the members of unknown names before it books the beers of a CSV file", async () => {
  await pick(beers);
  await screen.findByText("3 Biere vom 24. Dezember 2019.");
  await screen.findByText("1 Name erkannt");
  expect(pageText()).toContain("2 Namen sind unbekannt. Wem gehören diese Biere? Vorher wird nichts gebucht.");
  await page.press("Jetzt importieren");
  expect(await screen.findAllByText("Bitte wähle, wem diese Biere gehören.")).toHaveLength(2);
  expect(await countBeers()).toBe(0);
  await page.user.selectOptions(screen.getByLabelText("Benni"), "Ben (ben)");
  await page.user.selectOptions(screen.getByLabelText("Gast"), "Niemandem: überspringen");
  await page.press("Jetzt importieren");
  await expect.poll(messageText).toContain("2 Biere importiert.");
  expect(await countBeers()).toBe(2);
  expect(screen.queryByRole("button", { name: "Jetzt importieren" })).toBeNull();
});

test("An import of many beers says that they are still being booked", async () => {
  const lines = Array.from({ length: 101 }, (_, day) => `Anna,${new Date(1e12 + day * 1e8).toISOString()},100`);
  await pick(["name,time,count", ...lines].join("\n"));
  await screen.findByText(/^10.100 Biere vom/);
  await page.press("Jetzt importieren");
  await screen.findByText(/^10.100 Biere werden gerade gebucht. Das geht von selbst weiter/);
  await expect.poll(countBeers).toBe(10_100);
});

test("An import with an invalid line names that line and cannot be started", async () => {
  await pick(`${beers}\nAnna,irgendwann\n`);
  await screen.findByText("Zeile 5: Das ist keine Zeit wie 24.12.2026 18:30.");
  expect(pageText()).toContain("1 Stelle passt nicht.");
  expect(screen.queryByRole("button", { name: "Jetzt importieren" })).toBeNull();
});

test("An import of an unreadable file shows the reason", async () => {
  const file = new File(["no database"], "data.db");
  await page.user.upload(await screen.findByLabelText("Datei mit Bieren"), file);
  await screen.findByText("Das ist keine SQLite-Datenbank.");
});
