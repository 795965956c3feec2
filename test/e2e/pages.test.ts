import { expect, type Page } from "@playwright/test";

import { phone } from "./e2e-app.ts";
import { test } from "./journey.ts";
import {
  allViews,
  checkPage,
  findCoveredControls,
  guestPaths,
  memberPaths,
  openAndCheck,
  seriousViolations,
} from "./page-checks.ts";

test.use({ installation: { withDemo: true } });

test("the layout and accessibility checks cover pages of guests and of members", () => {
  expect(guestPaths).toContain("/login");
  expect(memberPaths).toContain("/beercounter");
});

test.describe("pages for guests", () => {
  for (const path of guestPaths)
    test(`the guest page ${path} passes the layout and accessibility checks, and requests no member data`, async ({
      app,
    }) => {
      const page = await app.keptPage(null);
      const refused: string[] = [];
      page.on("response", (answer) => {
        if (answer.status() === 401) refused.push(answer.url());
      });
      await openAndCheck(page, path, { chosen: path === "/login" ? allViews : undefined });
      expect(new URL(page.url()).pathname).toBe(path);
      expect(refused).toEqual([]);
    });

  test("the accessibility check reports a button without an accessible name", async ({ app }) => {
    const page = await app.keptPage(null);
    await page.goto("/login");
    await page.evaluate(() => document.querySelector("main")!.append(document.createElement("button")));
    expect(await seriousViolations(page)).toEqual(["button-name: <button></button>"]);
  });

  test("a page that violates the Content-Security-Policy fails its test", async ({ app }) => {
    const page = await app.keptPage(null);
    await page.goto("/login");
    const blocked = page.waitForEvent("console");
    await page.evaluate(() => (document.body.appendChild(new Image()).src = "http://example.org/"));
    await blocked;
    await expect(app.closePages()).rejects.toThrow("violates the following Content Security Policy directive");
  });
});

test.describe("pages for members", () => {
  let page: Page;
  test.beforeEach(async ({ app }) => {
    page = await app.keptPage("anna");
  });

  for (const path of memberPaths)
    test(`the member page ${path} passes the layout and accessibility checks`, async () => {
      await openAndCheck(page, path, {
        // The header and the sidebar are the same on all pages.
        chosen: path === "/beercounter" ? allViews : undefined,
        // The headings of all pages have the same left edge, but the calendar's is centred.
        inspect: async ({ width }) => {
          if (width !== 1280) return;
          const edge = await page.locator("main h1").evaluate(leftEdgeOfText);
          expect(path === "/christmas-calendar" ? edge > 96 : edge === 96, `left edge ${edge}`).toBe(true);
        },
      });
    });

  test("the check for covered controls reports a control below an invisible box", async () => {
    await page.goto("/beercounter");
    await page.locator("#bier-trinken").evaluate((button) => {
      const box = button.parentElement!.appendChild(document.createElement("div"));
      box.style.cssText = "position: absolute; inset: 0 50% 50% 0";
    });
    const faults = await page.evaluate(findCoveredControls);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^"Bier trinken" is covered at /);
  });

  test("the page that a member without permission sees passes the layout and accessibility checks", async ({ app }) => {
    const greta = await app.loggedInPage("greta", { path: "about:blank" });
    await openAndCheck(greta, "/game-servers");
    expect(await greta.getByRole("main").textContent()).toContain("Nope.");
  });
});

test.describe("states of pages", () => {
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
    await ben.delete(`/api/parties/${id}`);
  });

  test("a running party, its invitation and the recap of a past party pass the layout and accessibility checks", async ({
    app,
  }) => {
    const ben = await app.loggedInClient("ben");
    const { id } = (await ben.post("/api/parties", { name: "Lagerfeuer" })).json;
    await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
    await openAndCheck(page, `/party/${id}`);
    await page.getByRole("button", { name: "Einladen" }).click();
    await page.getByRole("dialog", { name: "Einladen" }).getByRole("img").waitFor();
    await checkPage(page, "the invitation", { within: "dialog[open]" });
    await page.goto("/party/1");
    await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Die Säufer", "So war der Abend"]);
    await page.getByRole("button", { name: "Bild zum Teilen" }).click();
    await page.getByRole("img", { name: /^Bild zum Teilen: Grillen bei Ben/ }).waitFor();
    await checkPage(page, "the picture of a party", { within: "dialog[open]" });
    await ben.delete(`/api/parties/${id}`);
  });

  test("the counter with its sidebar or its account menu open passes the layout and accessibility checks", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Menü" }).click();
    await checkPage(page, "the sidebar", { within: "#seitenleiste" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Anna", exact: true }).click();
    await checkPage(page, "the account menu", { within: "[role=menu]" });
  });

  test("the counter with unread news and a year review, and the news themselves pass the layout and accessibility checks", async ({
    app,
  }) => {
    const opened = await app.loggedInPage("anna", { path: "about:blank" });
    // Removes the embedded login status, so that the app requests it from the server.
    await opened.addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () => document.querySelector("meta[name=reader]")?.remove()),
    );
    await opened.route("**/api/checkLoginStatus", async (route) => {
      const answer = await route.fetch();
      const { user } = (await answer.json()) as { user: object };
      await route.fulfill({ response: answer, json: { user: { ...user, has_unread_news: true } } });
    });
    const years = { years: [{ year: 2026, final: false }], today: "2026-12-24" };
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
});

function leftEdgeOfText(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left;
}
