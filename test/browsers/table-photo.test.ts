import { expect } from "@playwright/test";
import sharp from "sharp";

import { test } from "#test/e2e/journey.ts";

test.use({ people: { greta: "Greta", frieda: "Frieda" } });

test("a photo of the table is taken and cropped on a phone, and is in the other member's story", async ({ app }) => {
  const [greta, frieda] = [await app.loggedInClient("greta"), await app.loggedInClient("frieda")];
  const { id } = (await greta.post("/api/parties", { name: "Grillen" })).json;
  await frieda.post(`/api/parties/${id}/members`);
  await greta.post("/api/beercounter/counters");
  const page = await app.loggedInPage("greta");
  await page.getByRole("button", { name: "Grillen" }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Foto vom Tisch" }).click(),
  ]);
  expect(await chooser.element().getAttribute("capture")).toBe("environment");
  const photo = sharp({ create: { width: 1600, height: 1200, channels: 3, background: "#c80" } }).jpeg();
  await chooser.setFiles({ name: "tisch.jpg", mimeType: "image/jpeg", buffer: await photo.toBuffer() });
  await page.getByLabel("Bildausschnitt").waitFor();
  await page.getByRole("button", { name: "Aufhängen" }).click();
  await page.getByText("Dein Foto hängt.").waitFor();
  await page.getByRole("button", { name: "Dein Foto" }).waitFor();

  await greta.post(`/api/parties/${id}/end`);
  const other = await app.loggedInPage("frieda");
  const story = other.getByRole("dialog", { name: "So war der Abend: Grillen" });
  await story.waitFor();
  const shown = story.getByRole("img", { name: "Foto vom Tisch von Greta" });
  while (!(await shown.isVisible())) await other.keyboard.press("ArrowRight");
  expect(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1200);
  await other.keyboard.press("Escape");
  await expect(story).toBeHidden();
});
