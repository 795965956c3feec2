import { expect, type Page } from "@playwright/test";

import { laptop } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { anna: "Anna", carla: "Carla" } });

test.beforeAll(async ({ app }) => {
  await app.grant("anna", "admin", "see-game-servers", "toggle-game-servers");
  await app.grant("carla", "see-game-servers");
});

test(
  "a member can use the counter, both menus and the logout with only a keyboard",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("carla", { viewport: laptop });
    await page.getByRole("button", { name: "Bier trinken" }).waitFor();

    // The first Tab focuses the link that skips the header.
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Zum Inhalt springen");
    expect(await page.locator(":focus").evaluate((link) => link.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");

    // Enter and Space book one beer each; a key that is held down books no further beers.
    const own = () => page.locator("[data-counter=own]").textContent();
    await expect.poll(own).toBe("0");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Bier trinken");
    const ringColor = () => page.locator(":focus").evaluate((element) => getComputedStyle(element).outlineColor);
    const ringOnPaper = await ringColor();
    await page.keyboard.press("Enter");
    await expect.poll(own).toBe("1");
    await page.keyboard.press("Space");
    await expect.poll(own).toBe("2");
    await page.keyboard.down("Enter");
    for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.press("Space");
    await expect.poll(own).toBe("4");

    // Enter opens the sidebar, Tab moves through its links, and Escape restores the focus.
    const menu = page.getByRole("button", { name: "Menü" });
    const sidebar = page.getByRole("navigation", { name: "Seitenleiste" });
    await menu.focus();
    await page.keyboard.press("Enter");
    await sidebar.getByRole("link", { name: "Bier-Counter" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Bier-Counter");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("Menü");
    await expect.poll(() => menu.getAttribute("aria-expanded")).toBe("false");
    // Choosing a link to the current page also restores the focus.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Bier-Counter");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Menü");
    await expect.poll(() => menu.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Stammtisch");

    // Arrow keys cycle through the account menu, and Escape restores the focus.
    const account = page.getByRole("button", { name: "Carla", exact: true });
    await account.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("Mein Deckel");
    // The focus ring inside the menu must have the page's colour: the header's colour would be
    // invisible there.
    expect(await ringColor()).toBe(ringOnPaper);
    await page.keyboard.press("End");
    expect(await focused(page)).toBe("Logout");
    await page.keyboard.press("ArrowDown");
    expect(await focused(page)).toBe("Mein Deckel");
    await page.keyboard.press("ArrowUp");
    expect(await focused(page)).toBe("Logout");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("Carla");
    await expect.poll(() => account.getAttribute("aria-expanded")).toBe("false");

    // A newly opened page focuses its heading.
    await menu.focus();
    await page.keyboard.press("Enter");
    await sidebar.getByRole("link", { name: "Bier-Counter" }).waitFor();
    for (let link = 0; link < 4; link++) await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Statistik");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/statistics");
    await expect.poll(() => page.locator("h1:focus").count()).toBe(1);

    // Waits until all requests have finished, because the server refuses requests after the logout.
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    await account.focus();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toBe("Logout");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.url}/`);
  },
);

test("a flash message over an open dialog can be dismissed, and remains if the dialog closes first", async ({
  app,
}) => {
  const page = await app.keptPage("anna");
  await page.goto("/admin/invitations");
  await page.getByRole("button", { name: "Einladen" }).click();
  await page.getByRole("button", { name: "Link machen" }).click();
  const copy = page.getByRole("button", { name: "Kopieren" });
  const flash = page.locator("[data-flash]");
  const takeAway = page.getByRole("button", { name: "Schließen" });
  await copy.click();
  await takeAway.click();
  await flash.waitFor({ state: "detached" });
  await copy.click();
  await flash.waitFor();
  await page.getByRole("button", { name: "Fertig" }).click();
  await takeAway.click();
  await flash.waitFor({ state: "detached" });
});

test("the submit button of a form has the focus after a failed and a successful save", async ({ app }) => {
  const page = await app.keptPage("carla");
  await page.goto("/profile");
  const form = page.getByRole("form", { name: "Profil" });
  const flash = page.locator("[data-flash]");
  await page.route("**/api/user/update", (route) => route.abort());
  await form.getByLabel("Benutzername").press("Enter");
  await flash.getByText("Keine Verbindung zum Server.").waitFor();
  await expect.poll(() => focused(page)).toBe("Speichern");
  await page.unrouteAll();
  await page.keyboard.press("Enter");
  await flash.getByText("Profil aktualisiert.").waitFor();
  await expect.poll(() => focused(page)).toBe("Speichern");
});

test("a choice and the button that moves a game server down keep the focus while saving", async ({ app }) => {
  for (const name of ["Im Keller", "Am Tresen", "Im Garten"])
    await app.runCommand("game-server", "add", name, "--command", "sleep 1000");
  const page = await app.keptPage("anna");
  await page.goto("/profile");
  await page.getByRole("radio", { name: "Sichtbar", exact: true }).focus();
  for (const [key, name] of [["ArrowDown", "Still"] as const, ["ArrowUp", "Sichtbar"] as const]) {
    const saved = page.waitForResponse("**/api/user/presence");
    await page.keyboard.press(key);
    await saved;
    const radio = page.getByRole("radio", { name, exact: true });
    await expect.poll(() => radio.getAttribute("aria-disabled")).toBeNull();
    expect(await radio.isChecked()).toBe(true);
  }

  await page.goto("/admin/game-servers");
  const names = () => page.getByRole("list", { name: "Game-Server" }).locator("strong").allTextContents();
  await page.getByRole("button", { name: "Im Keller nach unten" }).press("Enter");
  await expect.poll(names).toEqual(["Am Tresen", "Im Keller", "Im Garten"]);
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(["Am Tresen", "Im Garten", "Im Keller"]);
});

test("pages with reduced motion are not animated, and the first message after a page load appears only once", async ({
  app,
}) => {
  const page = await app.loggedInPage("anna", { path: "about:blank" });
  await watchMotion(page);
  await page.goto("/beercounter");
  await page.locator("[data-counter=own]").waitFor();
  await page.evaluate(() => {
    document.body.dataset["flashes"] = "0";
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const flashes = added.filter((node) => node instanceof Element && node.querySelector("[data-flash]"));
      document.body.dataset["flashes"] = String(Number(document.body.dataset["flashes"]) + flashes.length);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Bier trinken" }).click();
  await page.locator("[data-flash]").waitFor();
  await page.locator("[data-flash]").waitFor({ state: "detached" });
  expect(await page.locator("body").getAttribute("data-flashes")).toBe("1");

  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("link", { name: "Größenrechner" }).click();
  await page.getByRole("heading", { name: "Der Fabulöse Größenrechner" }).waitFor();
  await page.getByRole("button", { name: "Anna", exact: true }).click();
  await page.getByRole("menuitem", { name: "Profil" }).click();
  await page.waitForURL("**/profile");
  expect(await motion(page)).toEqual([]);
});

test("a flash message is animated if the browser does not ask for reduced motion", async ({ app }) => {
  const page = await app.loggedInPage("anna", { reducedMotion: "no-preference", path: "about:blank" });
  await watchMotion(page);
  await page.goto("/beercounter");
  await page.getByRole("button", { name: "Bier trinken" }).click();
  await page.locator("[data-flash]").waitFor();
  await expect.poll(() => motion(page)).not.toEqual([]);
});

test("a busy button regains the focus when its request ends, unless the focus has moved elsewhere", async ({ app }) => {
  await app.runCommand("game-server", "add", "In der Küche", "--command", "sleep 1000");
  const page = await app.keptPage("anna");
  await page.goto("/game-servers");
  const server = page.getByRole("listitem").filter({ hasText: "In der Küche" });
  await server.getByRole("button", { name: "starten" }).press("Enter");
  await server.getByRole("button", { name: "herunterfahren" }).waitFor();
  await expect.poll(() => focused(page)).toBe("herunterfahren");

  await page.goto("/admin/game-servers");
  const answers: (() => Promise<void>)[] = [];
  await page.route("**/test", (route) => void answers.push(() => route.continue()));
  const testing = page.getByRole("button", { name: "Verbindung testen: In der Küche" });
  await testing.press("Enter");
  await expect.poll(() => answers.length).toBe(1);
  await page.getByRole("link", { name: "Kalender" }).focus();
  await answers[0]!();
  await expect.poll(() => testing.isEnabled()).toBe(true);
  expect(await focused(page)).toBe("Kalender");
});

test("when a focused button disappears, the heading above it gets the focus", async ({ app }) => {
  await Promise.all([app.loggedInClient("carla"), app.loggedInClient("carla")]);
  const page = await app.loggedInPage("carla", { path: "/profile#devices" });
  const devices = page.getByRole("region", { name: "Angemeldete Geräte" });
  await devices.getByRole("button", { name: "Unbekanntes Gerät abmelden" }).first().press("Enter");
  await page.getByText("Gerät abgemeldet.").waitFor();
  await expect.poll(() => focused(page)).toBe("Angemeldete Geräte");
  await devices.getByRole("button", { name: "Alle anderen abmelden" }).press("Enter");
  await devices.getByRole("button", { name: "Alle anderen abmelden" }).waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Angemeldete Geräte");

  // Refuses the request with 422, because the page retries an unanswered request automatically,
  // which makes the button busy again.
  await page.route("**/api/game-servers", (route) => route.fulfill({ status: 422, json: { message: "Nein." } }));
  await page.goto("/game-servers");
  const again = page.getByRole("button", { name: "Nochmal versuchen" });
  // Repeats the focus: after connecting, the page refetches, and its busy button cannot be focused.
  await expect.poll(() => again.focus().then(() => focused(page))).toBe("Nochmal versuchen");
  const retried = page.waitForResponse("**/api/game-servers");
  await page.keyboard.press("Enter");
  await retried;
  await expect.poll(() => again.isEnabled()).toBe(true);
  await expect.poll(() => focused(page)).toBe("Nochmal versuchen");
  await page.unrouteAll();
  await page.keyboard.press("Enter");
  await again.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Game-Server");
});

test("retrying a failed page keeps the focus on the button until the page has loaded", async ({ app }) => {
  const page = await app.keptPage("anna");
  // Simulates a lost connection: the page can fetch neither its code nor the server's health check.
  const code = "**/assets/admin-page-*.js";
  for (const lost of [code, "**/healthz"]) await page.route(lost, (route) => route.abort());
  await page.goto("/admin");
  const again = page.getByRole("button", { name: "Nochmal versuchen" });
  await again.waitFor();
  const retried = page.waitForEvent("requestfailed", (request) => request.url().includes("admin"));
  await again.press("Enter");
  await retried;
  await expect.poll(() => again.isEnabled()).toBe(true);
  expect(await focused(page)).toBe("Nochmal versuchen");
  // The health check remains lost, because the app would otherwise look for a newer version and reload the page.
  await page.unroute(code);
  await again.press("Enter");
  await again.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Verwaltung");
});

test("a closed dialog focuses the heading above its opener if the opener has disappeared", async ({ app }) => {
  await app.runCommand("invite", "create");
  const page = await app.keptPage("anna");
  await page.goto("/admin/invitations");
  const revoke = page.getByRole("list", { name: "Einladungen" }).getByRole("button", { name: "Zurückziehen" });
  await revoke.first().waitFor();
  const open = await revoke.count();
  await revoke.first().press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Zurückziehen" }).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => revoke.count()).toBe(open - 1);
  await expect.poll(() => focused(page)).toBe("Einladungen");
});

/** Returns the approximate accessible name of the focused element. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element && (element.getAttribute("aria-label") ?? element.textContent);
  });
}

type Watched = typeof window & { motion: string[] };

const motion = (page: Page) => page.evaluate(() => (window as Watched).motion);

/** Records every visible animation. */
async function watchMotion(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    (window as Watched).motion = seen;
    const look = (): void => {
      for (const animation of document.getAnimations()) {
        const { activeDuration } = animation.effect!.getComputedTiming();
        const target = (animation.effect as KeyframeEffect).target;
        const time = Number(activeDuration);
        if (time > 20) seen.push(`${target?.tagName} ${target?.className} ${time} ms`);
      }
      requestAnimationFrame(look);
    };
    look();
  });
}
