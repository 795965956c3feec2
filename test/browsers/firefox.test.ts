import { expect } from "@playwright/test";

import { test } from "#test/e2e/journey.ts";
import { findCoveredControls, memberPaths } from "#test/e2e/page-checks.ts";
import { countLinesOfGameServer, expectSoundLayout } from "./layout.ts";

test.use({ installation: { withDemo: true } });

test(
  "no member page has content wider than the window or a covered control, and words are not broken",
  { tag: ["@firefox", "@nightly"] },
  async ({ app }) => {
    const page = await app.loggedInPage("anna", { path: "about:blank" });
    for (const path of memberPaths)
      await test.step(path, async () => {
        await page.goto(path);
        await page.getByRole("heading").first().waitFor();
        await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
        await expectSoundLayout((find) => page.evaluate(find));
        await expect.poll(() => page.evaluate(findCoveredControls)).toEqual([]);
        if (path === "/notifications") expect(await page.evaluate(countLinesOfGameServer)).toBe(1);
      });
  },
);

test("a TV shows a code, and shows beers once the code has been entered", { tag: "@firefox" }, async ({ app }) => {
  const tv = await app.newPage({ viewport: { width: 1280, height: 720 } });
  await tv.goto("/tv");
  const code = tv.locator("[data-tv-code]");
  await expect(code).toHaveText(/^.{6}$/);
  const anna = await app.loggedInClient("anna");
  const connected = await anna.post("/api/admin/tv-code", { code: await code.textContent(), name: "Theke" });
  expect(connected.status).toBe(201);
  const total = tv.locator("[data-counter=group]");
  await expect(total).toHaveText(/\d/);
  const before = (await total.textContent())!;
  await anna.post("/api/beercounter/counters");
  await expect(total).not.toHaveText(before);
});

test("a tablet books a beer by a tap on a face, and undoes it", { tag: "@firefox" }, async ({ app }) => {
  const tablet = await app.newPage({ viewport: { width: 768, height: 1024 } });
  await tablet.goto("/tablet");
  const code = await tablet.locator("[data-tv-code]").textContent();
  const anna = await app.loggedInClient("anna");
  await anna.post("/api/admin/tv-code", { code, name: "Kühlschrank", scope: "tablet" });
  const own = async () => (await anna.get("/api/beercounter/counters")).json.userCounterVal as number;
  const before = await own();
  await tablet.getByRole("button", { name: "Bier für Anna" }).click();
  await expect.poll(own).toBe(before + 1);
  await expectSoundLayout((find) => tablet.evaluate(find));
  await tablet.getByRole("button", { name: "Rückgängig: Anna" }).click();
  await expect.poll(own).toBe(before);
});
