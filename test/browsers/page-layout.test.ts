import { expect, type Locator, type Page } from "@playwright/test";

import { laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna" } });

test.beforeAll(async ({ app }) => app.grant("anna", "admin"));

let page: Page;
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("anna");
  await page.setViewportSize(phone);
});

test("a quick second tap on a dialog's opener neither closes the dialog nor hits its content", async () => {
  await page.setViewportSize(phone);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).dblclick();
  const dialog = page.getByRole("dialog", { name: "Profilbild auswählen" });
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await dialog.waitFor({ state: "hidden" });
});

for (const size of [phone, laptop])
  test(`no button of the counter is where a party was started at ${size.width} px`, async ({ app }) => {
    await page.setViewportSize(size);
    await page.goto("/party");
    await page.getByRole("button", { name: "Party starten" }).click();
    const dialog = page.getByRole("dialog", { name: "Party starten" });
    await dialog.getByLabel("Name").fill("Lagerfeuer");
    const { x, y, width, height } = (await dialog.getByRole("button", { name: "Starten" }).boundingBox())!;
    await dialog.getByRole("button", { name: "Starten" }).click();
    await page.getByRole("dialog", { name: "Lagerfeuer" }).getByRole("button", { name: "Einladen" }).waitFor();
    // Only "Fertig" may be there, which closes the sheet of the party.
    const faults = await page
      .locator("main button, dialog[open] button")
      .filter({ hasNotText: "Fertig" })
      .evaluateAll(
        (buttons, start) =>
          buttons.flatMap((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            const isApart = right < start.left || left > start.right || bottom < start.top || top > start.bottom;
            return isApart ? [] : [button.textContent];
          }),
        { left: x, right: x + width, top: y, bottom: y + height },
      );
    expect(faults).toEqual([]);
    await page.goto("about:blank");
    const anna = await app.loggedInClient("anna");
    const [party] = (await anna.get("/api/running-parties")).json.parties;
    await anna.delete(`/api/parties/${party.id}`);
  });

test("the fields of a dialog are not covered by its buttons while the on-screen keyboard is open", async () => {
  await page.goto("/profile");
  await page.setViewportSize({ width: 390, height: 420 });
  await page.getByText("Sicherheit und Daten").click();
  await page.getByRole("button", { name: "Account löschen …" }).click();
  for (const label of ["Zur Sicherheit: dein Benutzername", "Dein Passwort"]) {
    const field = page.getByRole("dialog").getByLabel(label);
    await field.focus();
    await expect.poll(() => field.evaluate(isUncovered), { message: label }).toBe(true);
  }
});

test("the author of an audit entry is not wrapped on a phone at double text size", async () => {
  await page.setViewportSize(phone);
  await page.goto("/admin/audit");
  const actor = page.getByText("Befehlszeile").first();
  await actor.waitFor();
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  const lines = () =>
    actor.evaluate((name) => name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight));
  await expect.poll(async () => Math.round(await lines())).toBe(1);
});

test("the error page's link is visible and the height calculator is centred on a phone in landscape", async () => {
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto("/gibt/es/nicht");
  const { y, height } = (await page.getByRole("link", { name: "Zum Bier-Counter" }).boundingBox())!;
  expect(y + height).toBeLessThan(390);
  await page.goto("/height-calculator");
  const middleOf = (element: Element) => {
    const { left, right } = element.getBoundingClientRect();
    return Math.round((left + right) / 2);
  };
  expect(await page.locator("main h1 + *").evaluate(middleOf)).toBe(await page.locator("main h1").evaluate(middleOf));
});

test("all links of the sidebar and of the account menu are visible on phones in landscape", async () => {
  await page.goto("/beercounter");
  await page.setViewportSize({ width: 844, height: 390 });
  await page.getByRole("button", { name: "Menü" }).click();
  await expectInView(page.locator("#sidebar a"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Anna", exact: true }).click();
  const items = page.getByRole("menu").locator("a, button, label");
  await expectInView(items);
  expect(await items.allTextContents()).toContain("Logout");
});

/** Waits until all elements are visible on a large and on a small phone in landscape. */
async function expectInView(elements: Locator): Promise<void> {
  for (const [width, height] of [
    [844, 390],
    [740, 340],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => elements.evaluateAll(findOutOfView), { message: `${width} × ${height}` }).toEqual([]);
  }
}

test("the buttons of the dialogs for a one-time link and for cropping a picture are visible on a phone in landscape", async () => {
  await page.setViewportSize({ width: 844, height: 390 });
  const dialog = page.getByRole("dialog");
  await page.goto("/admin/tv");
  await page.getByRole("button", { name: "Mit Link verbinden" }).click();
  await dialog.getByLabel("Wo steht er?").fill("Theke");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  await dialog.getByRole("img", { name: "Fernseher als QR-Code" }).waitFor();
  const isInView = (name: string) => dialog.getByRole("button", { name }).evaluate(isUncovered);
  for (const name of ["Kopieren", "Fertig"]) await expect.poll(() => isInView(name), { message: name }).toBe(true);

  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"/>');
  await dialog.locator("input[type=file]").setInputFiles({ name: "bild.svg", mimeType: "image/svg+xml", buffer });
  for (const name of ["Vergrößern", "Nach rechts drehen", "Hochladen"])
    await expect.poll(() => isInView(name), { message: name }).toBe(true);
  const hidden = await dialog.locator("> *").evaluate((panel) => panel.scrollHeight - panel.clientHeight);
  expect(hidden).toBe(0);
});

test("the link to the current page of the admin area remains visible in a narrowed window", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/admin/audit");
  await page.setViewportSize(phone);
  const current = page.locator("main nav [aria-current]");
  await expect.poll(() => current.evaluate((link) => link.getBoundingClientRect().right)).toBeLessThan(phone.width);
});

test("the label of the beer button does not touch the button's edge at double text size", async () => {
  await page.setViewportSize(phone);
  await page.goto("/beercounter");
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  const room = await page.getByRole("button", { name: "Bier trinken" }).evaluate((button) => {
    const words = document.createRange();
    words.selectNodeContents(button.lastChild!);
    return button.getBoundingClientRect().right - words.getBoundingClientRect().right;
  });
  expect(room).toBeGreaterThan(16);
});

test("the counter's text keeps its colour in high contrast, and the beer button is opaque", async () => {
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: "dark", forcedColors: "none" });
  await page.goto("/beercounter");
  const colorsOf = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return { color, backgroundColor };
    });
  const written = await colorsOf("[data-counter=group]");
  await page.emulateMedia({ forcedColors: "active" });
  expect(await colorsOf("[data-counter=group]")).toEqual(written);
  expect((await colorsOf("#drink-beer")).backgroundColor).toMatch(/^rgb\(/);
  await page.emulateMedia({ forcedColors: "none" });
});

test("the header, the connection notice and a dialog's footer are opaque in high contrast", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/profile");
  await page.getByText("Sicherheit und Daten").click();
  await page.getByRole("button", { name: "Account löschen …" }).click();
  const actions = page.getByRole("dialog").getByRole("button", { name: "Abbrechen" }).locator("..");
  await actions.waitFor();
  await page.context().setOffline(true);
  const notice = page.locator("p", { hasText: "Keine Verbindung." });
  await notice.waitFor();
  for (const part of [page.locator("header"), notice, actions])
    expect(await part.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/^rgb\(/);
  await page.context().setOffline(false);
  await page.emulateMedia({ forcedColors: "none" });
});

test("the connection notice covers no focused element at the end of the profile page", async () => {
  await page.setViewportSize(phone);
  await page.goto("/profile");
  await page.getByText("Sicherheit und Daten").click();
  await page.getByRole("button", { name: "Account löschen …" }).waitFor();
  await page.context().setOffline(true);
  const notice = (await page.getByText("Keine Verbindung.").boundingBox())!;
  const lowest = notice.y + notice.height;
  await page.getByRole("textbox", { name: "Benutzername" }).focus();
  const focused = page.locator("main :focus");
  const tops: number[] = [];
  while ((await focused.count()) === 1) {
    tops.push((await focused.boundingBox())!.y);
    await page.keyboard.press("Tab");
  }
  expect(tops.length).toBeGreaterThan(10);
  expect(Math.min(...tops)).toBeGreaterThan(lowest);
  await page.context().setOffline(false);
});

/**
 * Returns the texts of the elements that are partly outside the viewport or whose centre is
 * covered.
 */
function findOutOfView(elements: readonly Element[]): string[] {
  const isInView = (element: Element): boolean => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const isHit = element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    return x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight && isHit;
  };
  return elements.filter((element) => !isInView(element)).map(({ textContent }) => textContent);
}

function isUncovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height - 3));
}
