import { expect, test } from "vitest";

import { logIn, createE2eApp } from "./e2e-app.ts";

const app = await createE2eApp();
await app.registerMembers("Greta");

test("A link that leads away leads to the counter, and who chooses dark there keeps it from the first paint of the next visit", async () => {
  const page = await app.newPage({ colorScheme: "light" });
  await page.goto(`/login?redirectedFrom=${encodeURIComponent("/\\evil.example")}`);
  await logIn(page, "greta", app.members[0]!.password);
  await expect.poll(() => page.url()).toBe(`${app.url}/beercounter`);

  await page.getByRole("button", { name: "Greta", exact: true }).click();
  await page.getByRole("group", { name: "Darstellung" }).getByText("Dunkel").click();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme).toBe("dark");
  await page.reload({ waitUntil: "commit" });
  await expect.poll(scheme).toBe("dark");
});

test("On a slow line the next page is fetched while one types, and the button is busy until it is there", async () => {
  const page = await app.newPage();
  const mayCome = Promise.withResolvers<void>();
  await page.route("**/assets/member-*.js", async (route) => {
    await mayCome.promise;
    await route.continue();
  });
  await page.goto("/login");
  const asked = page.waitForRequest("**/assets/member-*.js");
  await page.getByLabel("Benutzername").pressSequentially("g");
  await asked;
  await logIn(page, "greta", app.members[0]!.password);
  await page.waitForURL("**/dashboard");
  expect(await page.locator("main button[type=submit]").getAttribute("aria-busy")).toBe("true");
  mayCome.resolve();
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
});

test("Where the code for passkeys cannot be fetched, a sentence says so, and what was typed stays", async () => {
  const page = await app.newPage();
  await page.route("**/assets/passkeys-*.js", (route) => route.abort());
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

test("A passkey that the browser made logs in by a tap, and where it was used before by itself", async () => {
  const page = await app.loggedInPage("greta", { path: "/profile#passkeys" });
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  // A phone that recognizes its owner at once.
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

  // So that the first login is asked for by a tap.
  await page.evaluate(() => localStorage.removeItem("stammtisch.passkey"));
  for (const isByItself of [false, true]) {
    // The page is left first, so that it does not try to connect again.
    await page.goto("about:blank");
    await page.context().request.get("/api/logout", { headers: { "x-requested-with": "XMLHttpRequest" } });
    await page.goto("/login");
    if (!isByItself) await page.getByRole("button", { name: "Mit Passkey anmelden" }).click();
    await page.waitForURL("**/beercounter");
  }
});
