import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import { fixtures } from "#test/fixtures.ts";

test.use({ people: { anna: "Anna" } });

/** Replaces a member's pictures by `count` new ones and selects the first one. */
function addPictures(dataDir: string, uname: string, count: number): void {
  const ids = Array.from({ length: count }, () => randomBytes(16).toString("base64url"));
  const db = new DatabaseSync(join(dataDir, "stammtisch.db"), { timeout: 5000 });
  db.prepare("delete from pictures where user_id = (select id from users where uname = ?)").run(uname);
  const add = db.prepare("insert into pictures select ?, id, ?, ? from users where uname = ?");
  // The app lists pictures newest first, so the first id gets the newest time.
  ids.forEach((id, index) => add.run(id, fixtures.png, count - index, uname));
  db.prepare("update users set avatar_id = ? where uname = ?").run(ids[0]!, uname);
  db.close();
}

async function openPictures(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  await page.getByRole("dialog", { name: "Profilbild auswählen" }).getByRole("radio").nth(1).waitFor();
}

const deleteButton = (page: Page, number: number) =>
  page.getByRole("button", { name: `Profilbild ${number} löschen`, exact: true });
const question = (page: Page, number: number) => page.getByRole("dialog", { name: `Profilbild ${number} löschen?` });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

test("deleting a picture keeps the focus on the dialog and the buttons in place, even if the deletion fails offline", async ({
  app,
}) => {
  addPictures(app.dataDir, app.members[0]!.uname, 2);
  const page = await app.loggedInPage("anna", { reducedMotion: "no-preference" });
  await openPictures(page);
  const dialog = page.getByRole("dialog", { name: "Profilbild auswählen" });
  const add = page.getByRole("button", { name: "Hinzufügen" });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const place = await add.boundingBox();
  const { width, height } = (await deleteButton(page, 1).boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);

  // Escape closes only the confirmation, and restores the focus.
  await deleteButton(page, 1).focus();
  await page.keyboard.press("Enter");
  await question(page, 1).waitFor();
  await page.keyboard.press("Escape");
  await question(page, 1).waitFor({ state: "hidden" });
  expect(await dialog.isVisible()).toBe(true);
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");
  expect(await dialog.getByRole("radio").count()).toBe(3);

  await page.keyboard.press("Enter");
  await question(page, 1).getByRole("button", { name: "Löschen" }).focus();
  await page.keyboard.press("Enter");
  await page.locator('[data-flash="success"]').getByText("Profilbild gelöscht.").waitFor();
  await dialog.getByText("1 von 20 Profilbildern").waitFor();
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");

  // The deletion of the last picture fails offline, so the picture remains.
  await page.keyboard.press("Enter");
  await page.context().setOffline(true);
  await question(page, 1).getByRole("button", { name: "Löschen" }).click();
  await page.locator('[data-flash="error"]').getByText("Keine Verbindung zum Server.").waitFor();
  await expect.poll(() => focused(page)).toBe("Profilbild 1 löschen");
  await page.context().setOffline(false);
  await page.keyboard.press("Enter");
  // By keyboard, because a second click at this place counts only after a moment.
  await question(page, 1).getByRole("button", { name: "Löschen" }).press("Enter");
  await dialog.getByText("Noch keine Profilbilder hochgeladen.").waitFor();
  await expect.poll(() => focused(page)).toBe("Standardbild");
  expect(await add.boundingBox()).toEqual(place);

  const chooser = page.waitForEvent("filechooser");
  await add.click();
  await chooser;
});
