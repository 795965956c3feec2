import { expect, type Page } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import { checkPage } from "#test/e2e/page-checks.ts";

test.use({ installation: { own: "guest" }, people: { ben: "Ben" }, serviceWorkers: "allow" });

const counts = async (page: Page) => ({
  party: await page.locator("[data-counter=group]").textContent(),
  own: await page.locator("[data-counter=own]").textContent(),
});
const countsOfMember = async (page: Page) => ({
  party: await page.locator("[data-counter=party-group]").textContent(),
  own: await page.locator("[data-counter=party-own]").textContent(),
});
const drink = (page: Page) => page.getByRole("button", { name: "Bier trinken" }).click();

test("a stranger joins by QR code, taps without a connection, returns after a reload, and undoes a beer", async ({
  app,
}) => {
  const ben = await app.loggedInPage("ben", { path: "/party" });
  await ben.getByRole("button", { name: "Party starten" }).click();
  await ben.getByLabel("Name").fill("Grillen bei Ben");
  await ben.getByRole("button", { name: "Starten", exact: true }).click();
  await ben.getByRole("button", { name: "Einladen" }).click();
  const link = (await ben.locator("[data-copied]").getByText("#token=").textContent())!;

  const mia = await app.newPage();
  await mia.goto(link);
  await mia.getByRole("heading", { name: "Grillen bei Ben" }).waitFor();
  await checkPage(mia, "the welcome of a guest");
  await mia.getByRole("textbox", { name: "Vorname" }).fill("Mia");
  await mia.getByRole("checkbox").check();
  await mia.getByRole("button", { name: "Dabei sein" }).click();
  await drink(mia);
  await expect.poll(() => counts(mia)).toEqual({ party: "1", own: "1" });
  await expect.poll(() => countsOfMember(ben)).toEqual({ party: "1", own: "0" });
  await checkPage(mia, "the party of a guest");
  await expect
    .poll(() => mia.evaluate(async () => (await navigator.serviceWorker.ready).active?.state))
    .toBe("activated");

  await mia.context().setOffline(true);
  await drink(mia);
  await drink(mia);
  await mia.getByText("2 Biere warten auf Empfang. Lass die Seite offen!").waitFor();
  await mia.reload();
  await mia.getByText("2 Biere warten auf Empfang. Lass die Seite offen!").waitFor();
  expect(await counts(mia)).toEqual({ party: "3", own: "3" });
  await mia.context().setOffline(false);
  await mia.getByText("warten auf Empfang").waitFor({ state: "detached" });
  await expect.poll(() => countsOfMember(ben)).toEqual({ party: "3", own: "0" });

  await mia.getByRole("button", { name: "Letztes Bier zurücknehmen" }).click();
  await expect.poll(() => countsOfMember(ben)).toEqual({ party: "2", own: "0" });
  expect(await counts(mia)).toEqual({ party: "2", own: "2" });
});
