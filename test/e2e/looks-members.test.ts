import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { forMembers, inspect, look, watchPolicy } from "./looks.ts";
import { openPub, type Pub } from "./pub.ts";

let pub: Pub;
let page: Page;
beforeAll(async () => {
  pub = await openPub({ withDemo: true });
  page = await pub.pageOf("anna", { reducedMotion: "reduce" });
  await watchPolicy(page);
});
afterAll(() => pub.close());

test("The route table was read", () => expect(forMembers).toContain("/beercounter"));

describe("Narrow and wide, light and dark, a member can use", () => {
  test.each(forMembers)("%s", (path) => look(page, path));

  test("the counter with its sidebar open", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Menü" }).click();
    await inspect(page, "the sidebar");
  });

  test("the counter with the account menu open", async () => {
    await page.goto("/beercounter");
    await page.getByRole("button", { name: "Anna", exact: true }).click();
    await inspect(page, "the account menu");
  });

  test("the pictures to choose from, and the question before one of them is deleted", async () => {
    await page.goto("/profile");
    await page.getByRole("button", { name: "Profilbild ändern" }).click();
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).waitFor();
    await inspect(page, "the pictures");
    await page.getByRole("button", { name: "Profilbild 1 löschen" }).click();
    await page.getByRole("dialog", { name: "Profilbild 1 löschen?" }).waitFor();
    await inspect(page, "the question");
  });

  test("the page that a permission is missing for", async () => {
    const greta = await pub.pageOf("greta", { reducedMotion: "reduce" });
    await watchPolicy(greta);
    await look(greta, "/game-servers");
    expect(await greta.getByRole("main").textContent()).toContain("Nope.");
  });
});
