import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { createE2eApp, laptop, phone } from "./e2e-app.ts";
import {
  checkPage,
  findCoveredControls,
  guestPaths,
  memberPaths,
  openAndCheck,
  recordPolicyViolations,
  seriousViolations,
} from "./page-checks.ts";

let page: Page;
const app = await createE2eApp({ withDemo: true });

test("the layout and accessibility checks cover pages of guests and of members", () => {
  expect(guestPaths).toContain("/login");
  expect(memberPaths).toContain("/beercounter");
});

describe("pages for guests", () => {
  const refused: string[] = [];
  beforeAll(async () => {
    page = await app.newPage();
    await recordPolicyViolations(page);
    page.on("response", (answer) => {
      if (answer.status() === 401) refused.push(answer.url());
    });
  });

  test.each(guestPaths)(
    "the guest page %s passes the layout and accessibility checks, and requests no member data",
    async (path) => {
      await openAndCheck(page, path);
      expect(new URL(page.url()).pathname).toBe(path);
      expect(refused).toEqual([]);
    },
  );

  test("the accessibility check reports a button without an accessible name", async () => {
    await page.evaluate(() => document.querySelector("main")!.append(document.createElement("button")));
    expect(await seriousViolations(page)).toEqual(["button-name: <button></button>"]);
  });
});

describe("pages for members", () => {
  const edges = new Map<string, number>();
  beforeAll(async () => {
    page = await app.loggedInPage("anna", { path: "about:blank" });
    await recordPolicyViolations(page);
  });

  test.each(memberPaths)("the member page %s passes the layout and accessibility checks", async (path) => {
    await openAndCheck(page, path);
    edges.set(path, await page.locator("main h1").evaluate(leftEdgeOfText));
  });

  test("the headings of all member pages have the same left edge at 1280 px, except the calendar's centred heading", () => {
    const { "/christmas-calendar": inTheSky, ...onTheTable } = Object.fromEntries(edges);
    expect(new Set(Object.values(onTheTable))).toEqual(new Set([96]));
    expect(inTheSky).toBeGreaterThan(96);
  });

  test.each([1, 10])(
    "the counter of a party with %i beers passes the layout and accessibility checks, with messages shown",
    async (beers) => {
      const [anna, ben] = [await app.loggedInClient("anna"), await app.loggedInClient("ben")];
      const { id } = (await ben.post("/api/parties", { name: "Lagerfeuer" })).json;
      await anna.post(`/api/parties/${id}/members`);
      for (let beer = 0; beer < beers; beer++) await ben.post("/api/beercounter/counters");
      await page.goto("/beercounter");
      await expect.poll(() => page.locator("[data-counter=party-group]").textContent()).toBe(String(beers));
      await checkPage(page, "the counter during a party");
      await page.getByRole("button", { name: "Bier trinken" }).click();
      await page.locator("[data-flash]").hover();
      await checkPage(page, "the counter with a message");
      await page.mouse.move(0, 0);
      await page.context().setOffline(true);
      await page.getByText("Keine Verbindung.").waitFor();
      await checkPage(page, "the counter without a connection");
      await page.context().setOffline(false);
      await ben.delete(`/api/parties/${id}`);
    },
  );

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

  test("a running party, its invitation and the recap of a past party pass the layout and accessibility checks", async () => {
    const ben = await app.loggedInClient("ben");
    const { id } = (await ben.post("/api/parties", { name: "Lagerfeuer" })).json;
    await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
    await openAndCheck(page, `/party/${id}`);
    await page.getByRole("button", { name: "Einladen" }).click();
    await page.getByRole("dialog", { name: "Einladen" }).getByRole("img").waitFor();
    await checkPage(page, "the invitation");
    await openAndCheck(page, "/party/1");
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["Die Säufer", "So war der Abend"]);
    await page.getByRole("button", { name: "Bild zum Teilen" }).click();
    await page.getByRole("img", { name: /^Bild zum Teilen: Grillen bei Ben/ }).waitFor();
    await checkPage(page, "the picture of a party");
    await ben.delete(`/api/parties/${id}`);
  });

  test("the counter with its sidebar open passes the layout and accessibility checks", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Menü" }).click();
    await checkPage(page, "the sidebar");
  });

  test("the counter with the account menu open passes the layout and accessibility checks", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Anna", exact: true }).click();
    await checkPage(page, "the account menu");
  });

  test("the counter with a link to the year review passes the layout and accessibility checks", async () => {
    const json = { years: [{ year: 2026, final: false }], today: "2026-12-24" };
    await page.route("**/api/beercounter/years", (route) => route.fulfill({ json }));
    await page.goto("/beercounter");
    await page.getByRole("link", { name: "Jahresrückblick 2026" }).waitFor();
    await checkPage(page, "the link to the year's review");
    await page.unrouteAll();
  });

  test("the counter with unread news and the news themselves pass the layout and accessibility checks", async () => {
    const opened = await app.loggedInPage("anna", { path: "about:blank" });
    await recordPolicyViolations(opened);
    // Removes the embedded login status, so that the app requests it from the server.
    await opened.addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () => document.querySelector("meta[name=reader]")?.remove()),
    );
    await opened.route("**/api/checkLoginStatus", async (route) => {
      const answer = await route.fetch();
      const { user } = (await answer.json()) as { user: object };
      await route.fulfill({ response: answer, json: { user: { ...user, has_unread_news: true } } });
    });
    await opened.goto("/beercounter");
    const line = opened.getByRole("button", { name: /^Was ist neu/ });
    await line.waitFor();
    await checkPage(opened, "the line about news");
    await line.click();
    await opened.getByText("Fernseher mit Code").waitFor();
    await checkPage(opened, "the news");
    await opened.context().close();
  });

  test("the dialog for choosing a picture and the question before deleting one pass the layout and accessibility checks", async () => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Profilbild ändern" }).click();
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).waitFor();
    await checkPage(page, "the pictures");
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).click();
    await page.getByRole("dialog", { name: "Profilbild 1 löschen?" }).waitFor();
    await checkPage(page, "the question");
  });

  test("a quick second tap on a dialog's opener neither closes the dialog nor hits its content", async () => {
    await page.setViewportSize(phone);
    await page.goto("/profile");
    await page.getByRole("button", { name: "Profilbild ändern" }).dblclick();
    const dialog = page.getByRole("dialog", { name: "Profilbild auswählen" });
    await dialog.getByRole("button", { name: "Abbrechen" }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  test.each([phone, laptop])(
    "no button that changes or ends a party is where it was started at $width px",
    async (size) => {
      await page.setViewportSize(size);
      await page.goto("/party");
      await page.getByRole("button", { name: "Party starten" }).click();
      const dialog = page.getByRole("dialog", { name: "Party starten" });
      await dialog.getByLabel("Name").fill("Lagerfeuer");
      const { x, y, width, height } = (await dialog.getByRole("button", { name: "Starten" }).boundingBox())!;
      await dialog.getByRole("button", { name: "Starten" }).click();
      await page.getByRole("button", { name: "Party beenden" }).waitFor();
      const faults = await page.locator("main [data-guarded]").evaluateAll(
        (buttons, start) =>
          buttons.flatMap((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            const isApart = right < start.left || left > start.right || bottom < start.top || top > start.bottom;
            return isApart ? [] : [button.textContent];
          }),
        { left: x, right: x + width, top: y, bottom: y + height },
      );
      expect(faults).toEqual([]);
      const { pathname } = new URL(page.url());
      await page.goto("about:blank");
      await (await app.loggedInClient("anna")).delete(pathname.replace("/party", "/api/parties"));
    },
  );

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

  test("an administrator's dialog about a member passes the layout and accessibility checks and fits at double text size", async () => {
    await page.goto("/admin");
    await page.getByRole("button", { name: /^Ben/ }).click();
    const dialog = page.getByRole("dialog", { name: "Ben" });
    await checkPage(page, "a member");
    await page.setViewportSize(phone);
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    const lines = await dialog.getByText("ben@stammtisch.example").evaluate((address) => {
      return address.clientHeight / Number.parseFloat(getComputedStyle(address).lineHeight);
    });
    expect(Math.round(lines)).toBeLessThanOrEqual(2);
    await dialog.getByRole("button", { name: "Berichtigen …" }).click();
    await checkPage(page, "a correction");
    expect(await dialog.getByRole("button").last().textContent()).toBe("Speichern");
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

  test.each([
    [844, 390],
    [740, 340],
  ])(
    "all links of the sidebar and of the account menu are visible on a phone in landscape (%i × %i)",
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await page.goto("/beercounter");
      await page.getByRole("button", { name: "Menü" }).click();
      const links = page.locator("#seitenleiste a");
      await expect.poll(() => links.evaluateAll(findOutOfView)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Anna", exact: true }).click();
      const items = page.getByRole("menu").locator("a, button, label");
      await expect.poll(() => items.evaluateAll(findOutOfView)).toEqual([]);
      expect(await items.allTextContents()).toContain("Logout");
      await page.keyboard.press("Escape");
    },
  );

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
    for (const name of ["Vergrößern", "Nach rechts drehen", "Nach rechts schieben", "Hochladen"])
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
    expect((await colorsOf("#bier-trinken")).backgroundColor).toMatch(/^rgb\(/);
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

  test("the page that a member without permission sees passes the layout and accessibility checks", async () => {
    const greta = await app.loggedInPage("greta", { path: "about:blank" });
    await recordPolicyViolations(greta);
    await openAndCheck(greta, "/game-servers");
    expect(await greta.getByRole("main").textContent()).toContain("Nope.");
  });
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

function leftEdgeOfText(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().left;
}
