import { expect, test } from "vitest";

import { createE2eApp, logIn } from "./e2e-app.ts";
import { readTapFrames, startTapWatch } from "./page-checks.ts";

const app = await createE2eApp();
await app.registerMembers("Greta", "Ben");

test("a tap on the beer button books a beer as soon as the button is visible after a login", async () => {
  const page = await app.newPage({ reducedMotion: "no-preference" });
  await page.goto("/login");
  await logIn(page, "greta", app.members[0]!.password);
  const button = page.getByRole("button", { name: "Bier trinken" });
  await button.waitFor();
  const { x, y, width, height } = (await button.boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect.poll(() => page.locator("[data-counter=own]").textContent()).toBe("1");
});

test.each([
  { link: "Größenrechner", heading: "Der Fabulöse Größenrechner", control: "main input" },
  { link: "Partys", heading: "Partys", control: "main button" },
  { link: "Bier-Counter", heading: "Bier-Counter", control: "#bier-trinken" },
])(
  "a control on the page $link can be tapped within six frames after the page becomes visible",
  async ({ link, ...target }) => {
    const page = await app.loggedInPage("greta", { path: "/profile", reducedMotion: "no-preference" });
    await page.evaluate(startTapWatch, target);
    await page.getByRole("button", { name: "Menü" }).click();
    await page.getByRole("navigation", { name: "Seitenleiste" }).getByRole("link", { name: link }).click();
    expect(await page.evaluate(readTapFrames)).toBeLessThanOrEqual(6);
  },
);
