import { expect } from "@playwright/test";

import { logIn } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";

test.use({ people: { greta: "Greta" } });

test("a login does not redirect to another site, and a reloaded page has the chosen colour scheme from the first paint", async ({
  app,
}) => {
  const page = await app.newPage({ colorScheme: "light" });
  const { uname, password } = app.members[0]!;
  await page.goto(`/login?redirectedFrom=${encodeURIComponent("/\\evil.example")}`);
  await logIn(page, uname, password);
  await expect.poll(() => page.url()).toBe(`${app.url}/beercounter`);

  await page.getByRole("button", { name: "Greta", exact: true }).click();
  await page.getByRole("group", { name: "Darstellung" }).getByText("Dunkel").click();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme).toBe("dark");
  await page.reload({ waitUntil: "commit" });
  await expect.poll(scheme).toBe("dark");
});

test("typing on the login page prefetches the code of the member pages; a login before it has loaded keeps the button busy", async ({
  app,
  page,
}) => {
  const { uname, password } = app.members[0]!;
  const mayCome = Promise.withResolvers<void>();
  await page.route("**/assets/counter-page-*.js", async (route) => {
    await mayCome.promise;
    await route.continue();
  });
  await page.goto("/login");
  const asked = page.waitForRequest("**/assets/counter-page-*.js");
  await page.getByLabel("Benutzername").pressSequentially("g");
  await asked;
  await logIn(page, uname, password);
  await page.waitForURL("**/beercounter");
  expect(await page.locator("main button[type=submit]").getAttribute("aria-busy")).toBe("true");
  mayCome.resolve();
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
});

test("the login form shows a message and keeps its input if the code for passkeys cannot be loaded", async ({
  page,
}) => {
  // The code of @simplewebauthn/browser.
  await page.route("**/assets/esm-*.js", (route) => route.abort());
  await page.goto("/login");
  await page.getByLabel("Passwort", { exact: true }).fill("geheim");
  await page.getByRole("button", { name: "Mit Passkey anmelden" }).click();
  await page
    .locator('[data-flash="error"]')
    .getByText("Das konnte nicht geladen werden. Lade bitte die Seite neu")
    .waitFor();
  expect(await page.getByLabel("Passwort", { exact: true }).inputValue()).toBe("geheim");
  await page.getByRole("button", { name: "Mit Passkey anmelden" }).waitFor();
});

test("a passkey logs a member in on a tap, and automatically in a browser that has used it before", async ({ app }) => {
  const page = await app.loggedInPage("greta", { path: "/profile#passkeys" });
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  // Simulates a phone that verifies its owner immediately.
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Passkey anlegen" }).click();
  const dialog = page.getByRole("dialog", { name: "Passkey anlegen" });
  await dialog.getByLabel("Name").fill("Handy");
  await dialog.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("region", { name: "Passkeys" }).getByText("Handy", { exact: true }).waitFor();

  // Deletes the record that this browser has used a passkey, so that the first login requires a
  // tap.
  await page.evaluate(() => localStorage.removeItem("stammtisch.passkey"));
  for (const isAutomatic of [false, true]) {
    // Leaves the page before the logout, so that its realtime connection does not reconnect.
    await page.goto("about:blank");
    await page.context().request.get("/api/logout", { headers: { "x-requested-with": "XMLHttpRequest" } });
    await page.goto("/login");
    if (!isAutomatic) await page.getByRole("button", { name: "Mit Passkey anmelden" }).click();
    await page.waitForURL("**/beercounter");
  }
});
