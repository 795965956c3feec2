import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, test } from "vitest";

import { askForPhotos } from "#server/features/parties/photo-actions.ts";
import { hours, minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { fixtures } from "#test/fixtures.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { allAnswered, messageText, openDialogs, openPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
let party: number;

/** Ben starts a party, which Anna joins. */
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await app.rememberSessions();
  party = (await ben.post("/api/parties", { name: "Grillen" })).json.id;
  await anna.post(`/api/parties/${party}/members`);
  await drink(ben);
});

const drink = (client: Client) => client.post("/api/beercounter/counters");
const putUp = (client: Client) =>
  sendForm(client, multipartForm(fixtures.png, { field: "picture" }), {}, `/api/parties/${party}/photo`);
const story = "So war der Abend: Grillen";

async function end(): Promise<void> {
  app.clock.time += minutes(1);
  await ben.post(`/api/parties/${party}/end`);
}

test("the counter opens the story of a party once, on the first of a member's devices", async () => {
  await end();
  const page = await openPage(anna, "/beercounter");
  await screen.findByRole("dialog", { name: story });
  await page.press("Schließen");
  await expect.poll(openDialogs).not.toContain("So war der Abend");
  await page.router.navigate({ to: "/party" });
  await page.router.navigate({ to: "/beercounter" });
  await allAnswered();
  expect(screen.queryByRole("dialog", { name: story })).toBeNull();
  await openPage(anna, "/beercounter");
  await screen.findByRole("button", { name: "Bier trinken" });
  await allAnswered();
  expect(screen.queryByRole("dialog", { name: story })).toBeNull();
});

test("a party that ends while the counter is open offers its story instead of covering the counter", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive("#server-to-user-1");
  await end();
  await expect.poll(messageText).toContain("„Grillen“ ist vorbei.");
  await allAnswered();
  expect(screen.queryByRole("dialog", { name: story })).toBeNull();
  await page.press("Ansehen");
  await screen.findByRole("dialog", { name: story });
});

test("the counter opens no story for a member who has already tapped something", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await page.press("Bier trinken");
  await end();
  await anna.post("/api/beercounter/counters");
  await allAnswered();
  expect(screen.queryByRole("dialog", { name: story })).toBeNull();
});

test("a member who is asked for a photo sees the others' and can keep or take down the own", async () => {
  app.clock.time += hours(2);
  for (let beer = 0; beer < 4; beer++) await drink(ben);
  const page = await openPage(anna, "/beercounter");
  await page.isLive("#server-to-user-1");
  await askForPhotos(app.context);
  await expect.poll(messageText).toContain("Jetzt ein Foto vom Tisch, zwei Minuten.");
  screen.getByRole("button", { name: "Foto machen" });
  await screen.findByRole("button", { name: /^Jetzt ein Foto vom Tisch Zwei Minuten/ });
  await page.press("Grillen");
  await screen.findByRole("heading", { name: "Vom Tisch" });
  await putUp(ben);
  await putUp(anna);
  const photos = within(await screen.findByRole("list", { name: "Fotos vom Tisch" }));
  await page.user.click(await photos.findByRole("button", { name: "Foto von Ben" }));
  await screen.findByRole("dialog", { name: "Foto von Ben" });
  expect(screen.queryByRole("button", { name: "Abnehmen" })).toBeNull();
  await page.press("Fertig", screen.getByRole("dialog", { name: "Foto von Ben" }));
  await page.user.click(await photos.findByRole("button", { name: "Dein Foto" }));
  const dialog = await screen.findByRole("dialog", { name: "Dein Foto" });
  await page.user.click(within(dialog).getByRole("switch", { name: "In meinem Jahresrückblick" }));
  await expect.poll(messageText).toContain("Gespeichert.");
  await page.press("Abnehmen", dialog);
  await page.press("Abnehmen", await screen.findByRole("dialog", { name: "Foto abnehmen?" }));
  await expect.poll(messageText).toContain("Dein Foto ist weg.");
  expect(photos.queryByRole("button", { name: "Dein Foto" })).toBeNull();
  expect(photos.getAllByRole("button")).toHaveLength(1);
});

test("the starter of a party switches its photos off", async () => {
  const page = await openPage(ben, "/beercounter");
  await page.press("Grillen");
  await page.user.click(await screen.findByRole("switch", { name: "Tischfoto" }));
  await expect.poll(() => screen.queryByRole("button", { name: "Foto vom Tisch" })).toBeNull();
  expect((await putUp(anna)).status).toBe(403);
});
