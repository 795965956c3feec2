import { expect, type Page } from "@playwright/test";

import { laptop } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { checkPage } from "#test/e2e/page-checks.ts";

const upright = { width: 768, height: 1024 };

test.use({ installation: { own: "tablet" }, people: { anna: "Anna", ben: "Ben", carla: "Carla" } });
test.beforeAll(({ app }) => app.grant("anna", "admin"));

const total = (page: Page) => page.locator("[data-counter=group]").first().textContent();
const face = (tablet: Page, name: string) => tablet.getByRole("button", { name: `Bier für ${name}` });

test("two tablets and three pages of members book side by side, also what was tapped without a network", async ({
  app,
}) => {
  const anna = await app.loggedInPage("anna", { path: "/pair" });
  const tablets: Page[] = [];

  await test.step("an administrator connects two tablets by the codes on their screens", async () => {
    for (const [index, name] of ["Kühlschrank", "Keller"].entries()) {
      const tablet = await app.newPage({ viewport: index === 0 ? upright : laptop });
      await tablet.goto("/tablet");
      const code = (await tablet.locator("[data-tv-code]").textContent())!;
      if (index === 0) await checkPage(tablet, "/tablet with a code");
      await anna.goto(`/pair#code=${code}&as=tablet`);
      await anna.getByLabel("Wo ist sie?").fill(name);
      await anna.getByRole("button", { name: "Verbinden", exact: true }).click();
      await anna.getByText(`„${name}“ ist verbunden.`).waitFor();
      await face(tablet, "Ben").waitFor();
      await checkPage(tablet, `/tablet at ${tablet.viewportSize()!.width} px`);
      tablets.push(tablet);
    }
  });
  const [fridge, cellar] = tablets as [Page, Page];
  await anna.goto("/beercounter");
  const ben = await app.loggedInPage("ben", { channel: "private-beercounter" });
  const carla = await app.loggedInPage("carla", { channel: "private-beercounter" });

  await test.step("all of them count the beers of all of them", async () => {
    await Promise.all([
      face(fridge, "Ben").click(),
      face(cellar, "Carla").click(),
      ...[anna, ben, carla].map((page) => page.getByRole("button", { name: "Bier trinken" }).click()),
    ]);
    for (const page of [fridge, cellar, anna, ben, carla]) await expect.poll(() => total(page)).toBe("5");
    await fridge.getByText("Prost, Ben!").waitFor();
    await fridge.getByRole("button", { name: "Rückgängig: Ben" }).click();
    for (const page of [fridge, cellar, anna, ben, carla]) await expect.poll(() => total(page)).toBe("4");
  });

  await test.step("a tablet keeps a tap without a network, also across a reload, and sends it later", async () => {
    await cellar.context().setOffline(true);
    await face(cellar, "Ben").click();
    await expect.poll(() => total(cellar)).toBe("5");
    await cellar.getByText(/getrennt, 1 Bier wartet/).waitFor({ timeout: 30_000 });
    await cellar.context().setOffline(false);
    await cellar.reload();
    for (const page of [fridge, cellar, ben]) await expect.poll(() => total(page)).toBe("5");
    await ben.getByRole("button", { name: "Verlauf" }).click();
    await ben.getByRole("dialog").getByText("Keller").waitFor();
  });

  await test.step("a tablet that is ended shows a code", async () => {
    await anna.goto("/admin/tv");
    await anna.getByRole("button", { name: "Keller trennen" }).click();
    await anna.getByRole("dialog").getByRole("button", { name: "Trennen" }).click();
    await cellar.getByRole("heading", { name: "Diese Zapfstelle ist getrennt" }).waitFor();
    await expect(face(fridge, "Ben")).toBeVisible();
  });
});
