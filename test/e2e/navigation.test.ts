import { afterAll, beforeAll, expect, test } from "vitest";

import { logIn, createE2eApp, type E2eApp } from "./e2e-app.ts";

let app: E2eApp;
beforeAll(async () => {
  app = await createE2eApp();
  await app.registerMembers("Greta");
});
afterAll(() => app.close());

// redirect-target.test.ts knows many more; here is one of each kind that a browser understands in its own way.
test.each(["/\\evil.example", "/\t/evil.example", "javascript:alert(1)"])(
  "A visitor is never led away by redirectedFrom=%j",
  async (target) => {
    const page = await app.newPage();
    await page.goto(`/login?redirectedFrom=${encodeURIComponent(target)}`);
    await logIn(page, "greta", app.members[0]!.password);
    await expect.poll(() => page.url()).toBe(`${app.url}/beercounter`);
    await page.context().close();
  },
);

test("A member chooses dark once and keeps it from the first paint of the next visit", async () => {
  const page = await app.loggedInPage("greta", { colorScheme: "light" });
  await page.getByRole("button", { name: "Greta", exact: true }).click();
  await page.getByRole("group", { name: "Darstellung" }).getByText("Dunkel").click();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await expect.poll(scheme).toBe("dark");
  await page.reload({ waitUntil: "commit" });
  await expect.poll(scheme).toBe("dark");
});
