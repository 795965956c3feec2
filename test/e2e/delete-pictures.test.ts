import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;

beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Anna", "Ben", "Carla");
});

afterAll(() => app.close());

/** Gives a member that many pictures, the first of them chosen, and returns the id of that one. */
function addPictures(uname: string, count: number): string {
  const ids = Array.from({ length: count }, () => randomBytes(16).toString("base64url"));
  const db = new DatabaseSync(join(app.dataDir, "stammtisch.db"), { timeout: 5000 });
  db.prepare("delete from pictures where user_id = (select id from users where uname = ?)").run(uname);
  const add = db.prepare("insert into pictures select ?, id, ?, ? from users where uname = ?");
  // The newest stands first.
  ids.forEach((id, index) => add.run(id, fixtures.png, count - index, uname));
  db.prepare("update users set avatar_id = ? where uname = ?").run(ids[0]!, uname);
  db.close();
  return ids[0]!;
}

async function openPictures(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  await page.getByRole("dialog", { name: "Profilbild auswählen" }).getByRole("radio").nth(1).waitFor();
}

type Counted = typeof window & { pageTransitions: number };

/** Counts page transitions from here on. The picture of the page lies above everything while one runs, dialogs included. */
async function countPageTransitions(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    (window as Counted).pageTransitions = 0;
    document.startViewTransition = (update) => {
      (window as Counted).pageTransitions += 1;
      return start(update);
    };
  });
  return () => page.evaluate(() => (window as Counted).pageTransitions);
}

const deleteButton = (page: Page, number: number) =>
  page.getByRole("button", { name: `Profilbild ${number} löschen`, exact: true });
const question = (page: Page, number: number) => page.getByRole("dialog", { name: `Profilbild ${number} löschen?` });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

test("A member who deletes the chosen picture has the default picture again, on every screen at once", async () => {
  const id = addPictures("anna", 2);
  const ben = await app.loggedInPage("ben");
  const ranking = ben.getByRole("region", { name: "Die Säufer" });
  await ranking.locator(`img[src$="${id}"]`).waitFor();
  const laptop = await app.loggedInPage("anna");
  await laptop.locator(`header img[src$="${id}"]`).waitFor();

  const page = await app.loggedInPage("anna", { reducedMotion: "no-preference" });
  await openPictures(page);
  const dialog = page.getByRole("dialog", { name: "Profilbild auswählen" });
  const add = page.getByRole("button", { name: "Hinzufügen" });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const place = await add.boundingBox();
  const pageTransitions = await countPageTransitions(page);

  // Escape closes the question alone, and gives the focus back.
  await deleteButton(page, 1).focus();
  await page.keyboard.press("Enter");
  await question(page, 1).getByText("Es ist dein gewähltes Profilbild").waitFor();
  await page.keyboard.press("Escape");
  await question(page, 1).waitFor({ state: "hidden" });
  expect(await dialog.isVisible()).toBe(true);
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");
  expect(await page.getByRole("radio").count()).toBe(3);

  await page.keyboard.press("Enter");
  await question(page, 1).getByRole("button", { name: "Löschen" }).focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-flash="success"]').getByText("Profilbild gelöscht.").waitFor();
  await dialog.getByText("1 von 20 Profilbildern").waitFor();
  expect(await page.getByRole("radio", { name: "Standardbild" }).isChecked()).toBe(true);
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");
  for (const header of [page, laptop]) await header.locator("header img").waitFor({ state: "detached" });
  await ranking.locator("img").waitFor({ state: "detached" });

  // The last one.
  await page.keyboard.press("Enter");
  await question(page, 1).getByText("Was die anderen von dir sehen, ändert sich dadurch nicht.").waitFor();
  await question(page, 1).getByRole("button", { name: "Löschen" }).click();
  await dialog.getByText("Noch keine Profilbilder hochgeladen.").waitFor();
  await expect.poll(() => focused(page)).toBe("Standardbild");
  expect(await add.boundingBox()).toEqual(place);
  expect(await pageTransitions()).toBe(0);

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Stammtisch" }).click();
  await page.waitForURL("**/beercounter");
  expect(await pageTransitions()).toBe(1);
});

test("The twenty-first picture is refused before cropping; one is deleted by touch, and the upload goes on", async () => {
  addPictures("ben", 20);
  const page = await app.loggedInPage("ben", { hasTouch: true });
  await openPictures(page);
  const noRoom = "Mehr als 20 Profilbilder gehen nicht. Lösche erst eins.";
  await page.getByRole("dialog").getByText(noRoom).waitFor();
  const choosers: unknown[] = [];
  page.on("filechooser", (chooser) => choosers.push(chooser));
  const add = page.getByRole("button", { name: "Hinzufügen" });
  await add.tap();
  await page.locator('[data-flash="warning"]').getByText(noRoom).waitFor();
  expect(choosers).toEqual([]);

  const { width, height } = (await deleteButton(page, 20).boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await deleteButton(page, 20).tap();
  await question(page, 20).getByRole("button", { name: "Löschen" }).tap();
  await page.getByRole("dialog").getByText("19 von 20 Profilbildern").waitFor();
  expect(await page.getByRole("radio", { name: "Profilbild 1", exact: true }).isChecked()).toBe(true);
  const chooser = page.waitForEvent("filechooser");
  await add.tap();
  await (await chooser).setFiles({ name: "neu.png", mimeType: "image/png", buffer: fixtures.png });
  await page.getByRole("button", { name: "Hochladen" }).tap();
  await page.getByText("Profilbild hochgeladen.").waitFor();
  await page.getByRole("dialog").getByText(noRoom).waitFor();
});

test("A picture that could not be deleted stays, and so does the focus", async () => {
  addPictures("carla", 1);
  const page = await app.loggedInPage("carla");
  await openPictures(page);
  await deleteButton(page, 1).click();
  await page.context().setOffline(true);
  await question(page, 1).getByRole("button", { name: "Löschen" }).click();
  await page.locator('[data-flash="error"]').getByText("Keine Verbindung zum Server.").waitFor();
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");
  expect(await page.getByRole("radio").count()).toBe(2);
});
