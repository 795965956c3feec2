import { expect, type Page } from "@playwright/test";

import { phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { allViews, checkPage, openAndCheck, seriousViolations } from "#test/e2e/page-checks.ts";

test.use({ installation: { withDemo: true } });

let page: Page;
test.beforeEach(async ({ app }) => {
  page = await app.keptPage("anna");
});

test("the counter of a party with one and with ten beers passes the layout and accessibility checks, also with messages", async ({
  app,
}) => {
  const [anna, ben] = [await app.loggedInClient("anna"), await app.loggedInClient("ben")];
  const { id } = (await ben.post("/api/parties", { name: "Lagerfeuer" })).json;
  await anna.post(`/api/parties/${id}/members`);
  for (const beers of [1, 10]) {
    for (let beer = beers === 1 ? 0 : 1; beer < beers; beer++) await ben.post("/api/beercounter/counters");
    await page.goto("/beercounter");
    await expect.poll(() => page.locator("[data-counter=party-group]").textContent()).toBe(String(beers));
    await checkPage(page, `the counter during a party with ${beers} beers`);
    await page.goto("about:blank");
  }
  await page.goto("/beercounter");
  await page.getByRole("button", { name: "Bier trinken" }).click();
  await page.locator("[data-flash]").hover();
  // Without the check for covered controls, because a message may cover the button "Verlauf" for its three seconds.
  await checkPage(page, "the counter with a message", { chosen: allViews.filter(({ axe }) => axe === "none") });
  expect(await seriousViolations(page)).toEqual([]);
  await page.mouse.move(0, 0);
  await page.context().setOffline(true);
  await page.getByText("Keine Verbindung.").waitFor();
  await checkPage(page, "the counter without a connection");
  await page.context().setOffline(false);
  await page.goto("about:blank");
  await ben.delete(`/api/parties/${id}`);
});

test("a running party, its sheet, its invitation and the story of a past party pass the layout and accessibility checks", async ({
  app,
}) => {
  const [anna, ben] = [await app.loggedInClient("anna"), await app.loggedInClient("ben")];
  const { id } = (await ben.post("/api/parties", { name: "Lagerfeuer" })).json;
  await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  await openAndCheck(page, `/party/${id}`);
  await anna.post(`/api/parties/${id}/members`);
  await page.goto("/beercounter");
  await page.getByRole("button", { name: "Lagerfeuer" }).click();
  await checkPage(page, "the sheet of a party", { within: "dialog[open]" });
  await page.getByRole("button", { name: "Mehr" }).click();
  await checkPage(page, "the management of a party", { within: "dialog[open]" });
  await page.getByRole("button", { name: "Zurück" }).click();
  await page.getByRole("button", { name: "Einladen" }).click();
  await page.getByRole("dialog", { name: "Einladen" }).getByRole("img").waitFor();
  await checkPage(page, "the invitation", { within: "dialog[open]" });
  await page.goto("/party/1");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Die Säufer", "Vom Tisch"]);
  await page.getByRole("button", { name: /^So war der Abend/ }).click();
  const forward = page.getByRole("button", { name: "Weiter", includeHidden: true });
  for (let card = 1; ; card++) {
    await page.getByRole("region", { name: `Karte ${card} von` }).waitFor();
    await checkPage(page, `card ${card} of the story of a party`, { within: "dialog[open]" });
    if (!(await forward.isEnabled())) break;
    await forward.click();
  }
  await page.getByRole("img", { name: /^Bild zum Teilen: Grillen bei Ben/ }).waitFor();
  await ben.delete(`/api/parties/${id}`);
});

test("the counter with its sidebar or its account menu open passes the layout and accessibility checks", async () => {
  await page.goto("/beercounter");
  await page.getByRole("button", { name: "Menü" }).click();
  await checkPage(page, "the sidebar", { within: "#sidebar" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Anna", exact: true }).click();
  await checkPage(page, "the account menu", { within: "[role=menu]" });
});

test("the counter with unread news and a year review, and the news themselves pass the layout and accessibility checks", async ({
  app,
}) => {
  const opened = await app.loggedInPage("anna", { path: "about:blank" });
  await opened.route("**/api/checkLoginStatus", async (route) => {
    const answer = await route.fetch();
    const { user } = (await answer.json()) as { user: object };
    await route.fulfill({ response: answer, json: { user: { ...user, has_unread_news: true } } });
  });
  const years = { years: [{ year: 2026, final: false }], today: "2026-12-26" };
  await opened.route("**/api/beercounter/years", (route) => route.fulfill({ json: years }));
  await opened.goto("/beercounter");
  await opened.getByRole("link", { name: "Jahresrückblick 2026" }).waitFor();
  const line = opened.getByRole("button", { name: /^Was ist neu/ });
  await line.waitFor();
  await checkPage(opened, "the lines about news and the year's review");
  await line.click();
  await opened.getByText("Fernseher mit Code").waitFor();
  await checkPage(opened, "the news", { within: "dialog[open]" });
});

test("the dialog for choosing a picture and the question before deleting one pass the layout and accessibility checks", async () => {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  await page.getByRole("button", { name: "Profilbild 1 löschen" }).waitFor();
  await checkPage(page, "the pictures", { within: "dialog[open]" });
  await page.getByRole("button", { name: "Profilbild 1 löschen" }).click();
  await page.getByRole("dialog", { name: "Profilbild 1 löschen?" }).waitFor();
  await checkPage(page, "the question", { within: "dialog[open]" });
});

test("an administrator's dialog about a member passes the layout and accessibility checks and fits at double text size", async () => {
  await page.goto("/admin");
  await page.getByRole("button", { name: /^Ben/ }).click();
  const dialog = page.getByRole("dialog", { name: "Ben" });
  await checkPage(page, "a member", { within: "dialog[open]" });
  await page.setViewportSize(phone);
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  const lines = await dialog.getByText("ben@stammtisch.example").evaluate((address) => {
    return address.clientHeight / Number.parseFloat(getComputedStyle(address).lineHeight);
  });
  expect(Math.round(lines)).toBeLessThanOrEqual(2);
  await dialog.getByRole("button", { name: "Berichtigen …" }).click();
  await checkPage(page, "a correction", { within: "dialog[open]" });
  expect(await dialog.getByRole("button").last().textContent()).toBe("Speichern");
});
