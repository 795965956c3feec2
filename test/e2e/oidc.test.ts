import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createOpenIdProvider } from "#test/openid-provider.ts";
import { createE2eApp, laptop, phone } from "./e2e-app.ts";

const provider = await createOpenIdProvider();
provider.accounts.set("id-of-ida", { name: "Ida Hopf", preferred_username: "ida", email: "ida@stammtisch.example" });
provider.account = "id-of-ida";
const app = await createE2eApp({ env: { ...provider.env, OIDC_LABEL: "Mit dem Vereinskonto anmelden" } });
provider.origins.push(app.url);

const button = (page: Page) => page.getByRole("button", { name: "Mit dem Vereinskonto anmelden" });

test("an invited person registers at the OpenID provider, and a login there returns to the requested page", async () => {
  const { url } = await app.runCommand<{ url: string }>("invite", "create");
  const page = await app.newPage();
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
  await other.goto("/profile#anmeldedienst");
  await button(other).click();
  await other.getByText(/^Verbunden seit/).waitFor();
  expect(new URL(other.url()).pathname + new URL(other.url()).hash).toBe("/profile#anmeldedienst");
});

test("a logout also ends the session at the OpenID provider, which then redirects to the start page", async () => {
  const page = await app.newPage();
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

test("a login with an unknown OpenID identity shows the reason and a link back to the login", async () => {
  provider.account = "stranger";
  const page = await app.newPage();
  await page.goto("/login");
  await button(page).click();
  await page.getByRole("alert").getByText("Zu dieser Anmeldung gibt es hier keinen Account.").waitFor();
  await page.getByRole("link", { name: "Zum Login" }).click();
  await button(page).waitFor();
  provider.account = "id-of-ida";
});

test.each([
  ["with a password and OpenID", {}],
  ["with OpenID only", { PASSWORD_LOGIN: "0" }],
  ["without a provider", { OIDC_ISSUER: "" }],
] as const)("the login page has no layout shift when the app starts (%s)", async (_, env) => {
  const other = await createE2eApp({ env: { ...provider.env, ...env } });
  for (const viewport of [phone, laptop]) {
    const page = await other.newPage({ viewport });
    // Uses the fallback font: the web font may load late on a busy machine.
    await page.route("**/*.woff2", (route) => route.abort());
    const mayStart = Promise.withResolvers<void>();
    await page.route("**/assets/app-*.js", (route) => mayStart.promise.then(() => route.continue()));
    const opened = page.goto("/login");
    const placesOfTexts = async () => {
      const texts = ["Eingeloggt bleiben", "Account erstellen"].map((text) => page.getByText(text).boundingBox());
      return Promise.all(texts);
    };
    await page.locator("#placeholder").getByText("Account erstellen").waitFor();
    // The aborted font changes the layout for the last time.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await placesOfTexts();
    mayStart.resolve();
    await opened;
    await expect.poll(placesOfTexts).toEqual(before);
    const names = await page.getByRole("main").getByRole("button").allTextContents();
    expect(names.includes("Login")).toBe(!("PASSWORD_LOGIN" in env));
    expect(names.includes("Mit OpenID anmelden")).toBe(!("OIDC_ISSUER" in env));
  }
});
