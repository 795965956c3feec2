import { screen, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import type { Client } from "#test/client.ts";
import { fixtures } from "#test/fixtures.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { messageText, openPage, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

const idOf = (age: number) => `annas-picture-${String(age).padStart(8, "0")}`;

/** Makes the newest picture the first and chosen one. */
async function addPictures(count: number): Promise<void> {
  const ages = Array.from({ length: count }, (_, age) => age);
  const rows = ages.map((age) => ({ user_id: 1, id: idOf(age), png: fixtures.png, created_at: -age }));
  await app.db.insertInto("pictures").values(rows).execute();
  await app.db
    .updateTable("users")
    .set({ avatar_id: idOf(0) })
    .execute();
}

async function openPictures(): Promise<OpenPage> {
  const page = await openPage(anna, "/profile");
  await page.press("Profilbild ändern");
  await screen.findByRole("radio", { name: "Profilbild 1" });
  return page;
}

const picturesIn = (area: Element) => [...area.querySelectorAll("img")].map(({ src }) => src.split("/").at(-1));

test.each(["own", "ranking"])("Deleting a profile picture shows the default picture at once (%s)", async (where) => {
  await addPictures(2);
  const page = await openPage(where === "own" ? anna : await app.createMember("ben"), "/beercounter");
  await page.isLive(where === "own" ? "#server-to-user-1" : undefined);
  const shown = () => picturesIn(where === "own" ? screen.getByRole("banner") : screen.getByRole("main"));
  await expect.poll(shown).toContain(idOf(0));
  await anna.delete(`/api/user/avatars/${idOf(0)}`);
  await expect.poll(shown).toEqual([]);
});

test("A profile picture that failed to load offline loads after reconnecting", async () => {
  await addPictures(1);
  await openPage(anna, "/beercounter");
  const shown = () => picturesIn(screen.getByRole("banner"));
  await expect.poll(shown).toEqual([idOf(0)]);
  screen.getByRole("banner").querySelector("img")!.dispatchEvent(new Event("error"));
  await expect.poll(shown).toEqual([]);
  await expect
    .poll(() => {
      dispatchEvent(new Event("online"));
      return shown();
    })
    .toEqual([idOf(0)]);
});

test("Deleting a picture requires a confirmation, which warns if it is the profile picture", async () => {
  await addPictures(2);
  const page = await openPictures();
  const question = async () => (await screen.findByRole("dialog", { name: "Profilbild 1 löschen?" })).textContent;
  await page.press("Profilbild 1 löschen");
  expect(await question()).toContain("Es ist dein gewähltes Profilbild");
  await page.press("Löschen");
  await expect.poll(messageText).toContain("Profilbild gelöscht.");
  await screen.findByText("1 von 20 Profilbildern");
  expect(isChosen("Standardbild")).toBe(true);

  await page.press("Profilbild 1 löschen");
  expect(await question()).toContain("Was die anderen von dir sehen, ändert sich dadurch nicht.");
  await page.press("Löschen");
  await screen.findByText("Noch keine Profilbilder hochgeladen.");
});

test("Closing the file picker without a file leaves the picture dialog open", async () => {
  await addPictures(1);
  await openPictures();
  const input = document.querySelector("dialog[open] input[type=file]")!;
  input.dispatchEvent(new Event("cancel", { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.queryByRole("dialog", { name: "Profilbild auswählen" })).not.toBeNull();
});

test("A picture that loads after its dialog was closed does not appear in the reopened dialog", async () => {
  await addPictures(1);
  const opened = Promise.withResolvers<void>();
  const decode = vi.spyOn(HTMLImageElement.prototype, "decode").mockReturnValue(opened.promise);
  const page = await openPictures();
  await page.user.upload(
    screen.getByLabelText("Neues Profilbild"),
    new File(["…"], "large.png", { type: "image/png" }),
  );
  expect(decode).toHaveBeenCalledOnce();
  await page.press("Abbrechen");
  const released = vi.spyOn(URL, "revokeObjectURL");
  opened.resolve();
  await expect.poll(() => released).toHaveBeenCalledOnce();
  await page.press("Profilbild ändern");
  await screen.findByRole("radio", { name: "Profilbild 1" });
});

test("A member with twenty pictures must delete one before choosing another file", async () => {
  using openPicker = vi.spyOn(HTMLInputElement.prototype, "click");
  await addPictures(20);
  const page = await openPictures();
  const noRoom = "Mehr als 20 Profilbilder gehen nicht. Lösche erst eins.";
  await screen.findByText(noRoom);
  await page.press("Hinzufügen");
  await expect.poll(messageText).toContain(noRoom);
  expect(openPicker).not.toHaveBeenCalled();

  await page.press("Profilbild 20 löschen");
  await page.press("Löschen");
  await screen.findByText("19 von 20 Profilbildern");
  expect(isChosen("Profilbild 1")).toBe(true);
  await page.press("Hinzufügen");
  expect(openPicker).toHaveBeenCalledOnce();
});

test("A picture whose deletion failed is still listed", async () => {
  await addPictures(1);
  const page = await openPictures();
  await page.press("Profilbild 1 löschen");
  vi.spyOn(anna, "send").mockRejectedValue(new TypeError("The server cannot be reached."));
  await page.press("Löschen");
  await expect.poll(messageText).toContain("Keine Verbindung zum Server.");
  const dialog = screen.getByRole("dialog", { name: "Profilbild auswählen" });
  expect(within(dialog).getAllByRole("radio")).toHaveLength(2);
});

const isChosen = (name: string) => screen.getByRole<HTMLInputElement>("radio", { name }).checked;
