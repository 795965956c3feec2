import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { logIn, createE2eApp, phone, type E2eApp, type E2eMember } from "./e2e-app.ts";

let app: E2eApp;
let greta: E2eMember;
beforeAll(async () => {
  app = await createE2eApp({ withDemo: true });
  greta = app.members.find(({ uname }) => uname === "greta")!;
});
afterAll(() => app.close());

describe("a visitor", () => {
  test("who opens a member's page is asked to log in, and then led to that page", async () => {
    const page = await app.newPage();
    await page.goto("/profile");
    await expect.poll(() => pathOf(page)).toBe("/login?redirectedFrom=/profile");
    await logIn(page, greta.uname, greta.password);
    await expect.poll(() => pathOf(page)).toBe("/profile");
    await expect.poll(() => page.title()).toBe("Profil – Stammtisch");
  });

  test("sees the wrong password at its field and keeps what was typed", async () => {
    const page = await app.newPage();
    await page.goto("/login");
    await logIn(page, "greta", "not-the-password");
    await expect
      .poll(() => page.getByRole("main").textContent())
      .toContain("Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.");
    expect(await page.getByLabel("Benutzername").inputValue()).toBe("greta");
  });

  // redirect-target.test.ts knows many more; here is one of each kind that a browser understands in its own way.
  test.each(["/\\evil.example", "/\t/evil.example", "javascript:alert(1)"])(
    "is never led away by redirectedFrom=%j",
    async (target) => {
      const page = await app.newPage();
      await page.goto(`/login?redirectedFrom=${encodeURIComponent(target)}`);
      await logIn(page, greta.uname, greta.password);
      await expect.poll(() => pathOf(page)).toBe("/beercounter");
      expect(new URL(page.url()).origin).toBe(app.url);
      await page.context().close();
    },
  );
});

describe("a member", () => {
  test("is led from the visitors' pages to the counter, and home after logging out", async () => {
    const page = await app.loggedInPage("greta");
    for (const path of ["/", "/login", "/dashboard", "/password-reset"]) {
      await page.goto(path);
      await expect.poll(() => pathOf(page)).toBe("/beercounter");
    }
    await page.getByRole("button", { name: "Greta", exact: true }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await expect.poll(() => pathOf(page)).toBe("/");
    await page.goto("/beercounter");
    await expect.poll(() => pathOf(page)).toBe("/login?redirectedFrom=/beercounter");
  });

  test("without the permission sees the denied page instead of the game servers, and no link to them", async () => {
    const page = await app.loggedInPage("greta", { path: "/game-servers" });
    await expect.poll(() => page.getByRole("main").textContent()).toContain("Nope.");
    expect(await page.getByRole("main").textContent()).toContain("Merk's dir besser.");
    await page.getByRole("button", { name: "Menü" }).click();
    const sidebar = page.getByRole("navigation", { name: "Seitenleiste" });
    await sidebar.getByRole("link", { name: "Bier-Counter" }).waitFor();
    expect(await sidebar.getByRole("link").allTextContents()).not.toContain("Game-Server");
  });

  test("chooses dark once and keeps it from the first paint of the next visit", async () => {
    const page = await app.loggedInPage("greta", { colorScheme: "light", viewport: phone });
    await page.getByRole("button", { name: "Greta", exact: true }).click();
    await page.getByRole("group", { name: "Darstellung" }).getByText("Dunkel").click();
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await expect.poll(scheme).toBe("dark");
    await page.reload({ waitUntil: "commit" });
    await expect.poll(scheme).toBe("dark");
  });
});

type Page = Awaited<ReturnType<E2eApp["newPage"]>>;

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + decodeURIComponent(search);
}
