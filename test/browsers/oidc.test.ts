import { expect, type Page } from "@playwright/test";

import { type E2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { test as base } from "#test/e2e/journey.ts";
import { createOpenIdProvider, type OpenIdProvider } from "#test/openid-provider.ts";

/** Starts one provider per worker, and the app with it. */
const test = base.extend<object, { provider: OpenIdProvider }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const provider = await createOpenIdProvider();
      provider.accounts.set("id-of-ida", {
        name: "Ida Hopf",
        preferred_username: "ida",
        email: "ida@stammtisch.example",
      });
      provider.account = "id-of-ida";
      await give(provider);
    },
    { scope: "worker", auto: true },
  ],
  installation: async ({ provider }, give) => give({ env: { ...provider.env, OIDC_LABEL: label } }),
});

const label = "Mit dem Vereinskonto anmelden";
const button = (page: Page) => page.getByRole("button", { name: label });

test.beforeEach(({ provider, app }) => void (provider.origins[0] = app.url));

test.describe("a member of the provider", () => {
  test.describe.configure({ mode: "serial" });

  test("an invited person registers at the OpenID provider, and a login there returns to the requested page", async ({
    app,
    page,
  }) => {
    const { url } = await app.runCommand<{ url: string }>("invite", "create");
    await page.goto(url);
    await button(page).click();
    await page.getByRole("heading", { name: "Fast geschafft" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByLabel("Benutzername").inputValue()).toBe("ida");
    expect(await page.getByLabel("E-Mail-Adresse").inputValue(), "which the provider has not verified").toBe("");
    await page.getByLabel("E-Mail-Adresse").fill("ida@stammtisch.example");
    await page.getByRole("button", { name: "Account erstellen" }).click();
    await page.getByRole("button", { name: "Bier trinken" }).waitFor();

    const other = await app.newPage();
    await other.goto("/profile#sign-on");
    await button(other).click();
    await other.getByText(/^Verbunden seit/).waitFor();
    expect(new URL(other.url()).pathname + new URL(other.url()).hash).toBe("/profile#sign-on");
  });

  test("a logout also ends the session at the OpenID provider, which then redirects to the start page", async ({
    app,
    page,
    provider,
  }) => {
    const logInAgain = async () => {
      await page.goto("/login");
      await button(page).click();
      await page.getByRole("button", { name: "Bier trinken" }).waitFor();
    };
    await logInAgain();
    const logins = provider.logins();
    await page.getByRole("button", { name: "Ida Hopf" }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await page.waitForURL(`${app.url}/`);
    await logInAgain();
    expect(provider.logins()).toBe(logins + 1);
  });
});

test.describe("the login page", () => {
  const expectNoShift = async (app: E2eApp, names: readonly string[]) => {
    const page = await app.newPage();
    // Uses the fallback font: the web font may load late on a busy machine.
    await page.route("**/*.woff2", (route) => route.abort());
    const mayStart = Promise.withResolvers<void>();
    await page.route("**/assets/index-*.js", (route) => mayStart.promise.then(() => route.continue()));
    const opened = page.goto("/login");
    await page.locator("#skeleton [data-for=login] h1").waitFor();
    await expect.poll(() => page.evaluate(areStylesLoaded)).toBe(true);
    // The aborted font changes the layout for the last time.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await placesOfHeading(page);
    mayStart.resolve();
    await opened;
    await expect.poll(() => placesOfHeading(page)).toEqual(before);
    expect(await page.getByRole("main").getByRole("button").allTextContents()).toEqual(names);
  };

  /** Returns the top of the heading on a phone and on a laptop. */
  const placesOfHeading = async (page: Page) => {
    const places: unknown[] = [];
    for (const viewport of [phone, laptop]) {
      await page.setViewportSize(viewport);
      places.push((await page.locator("h1:visible").boundingBox())?.y);
    }
    return places;
  };

  test("has no layout shift when the app starts, with a password and OpenID", async ({ app }) => {
    await expectNoShift(app, ["", "Login", "Mit Passkey anmelden", label]);
  });

  test.describe("without passwords", () => {
    test.use({
      installation: async ({ provider }, give) => give({ env: { ...provider.env, PASSWORD_LOGIN: "0" } }),
    });

    test("has no layout shift when the app starts, with OpenID only", async ({ app }) => {
      await expectNoShift(app, ["Mit OpenID anmelden"]);
    });
  });
});

/** Returns `true` once all style sheets have been loaded. Runs in the page. */
function areStylesLoaded(): boolean {
  return [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
}
