import { expect, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";

import { test } from "#test/e2e/journey.ts";

test.use({ people: { greta: "Greta", frieda: "Frieda", hannes: "Hannes" } });

/** Returns an SVG of four coloured quarters, clockwise from the upper left: red, green, blue, yellow. */
function flag(width: number, height: number): string {
  const [w, h] = [width / 2, height / 2];
  const quarter = (x: number, y: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${quarter(0, 0, "#f00")}${quarter(w, 0, "#0f0")}${quarter(w, h, "#00f")}${quarter(0, h, "#ff0")}</svg>`;
}

const picked = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });

async function openPictures(page: Page): Promise<void> {
  await page.goto("/profile");
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  await page.getByRole("dialog", { name: "Profilbild auswählen" }).waitFor();
}

async function pick(page: Page, file: ReturnType<typeof picked>): Promise<void> {
  await page.getByRole("dialog").locator("input[type=file]").setInputFiles(file);
  await page.getByLabel("Bildausschnitt").waitFor();
}

/** Uploads the cropped picture and returns the stored picture. */
async function uploaded(page: Page): Promise<{ width: number; at: (x: number, y: number) => string }> {
  const [answer] = await Promise.all([
    page.waitForResponse("**/api/images/avatar"),
    page.getByText("Profilbild hochgeladen.").waitFor(),
    page.getByRole("button", { name: "Hochladen" }).click(),
  ]);
  const { id } = (await answer.json()) as { id: string };
  // Waits for the cropper to close, because the message may belong to the previous picture.
  await page.getByLabel("Bildausschnitt").waitFor({ state: "detached" });
  const bytes = await (await page.request.get(`/internal/images/avatar/${id}`)).body();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info.width).toBe(info.height);
  const names: Record<string, string> = { "100": "red", "010": "green", "001": "blue", "110": "yellow" };
  return {
    width: info.width,
    at(x, y) {
      const from = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * 3;
      return names[[...data.subarray(from, from + 3)].map((value) => (value > 127 ? 1 : 0)).join("")] ?? "?";
    },
  };
}

const corners = ({ at }: Awaited<ReturnType<typeof uploaded>>) => [
  at(0.1, 0.1),
  at(0.9, 0.1),
  at(0.9, 0.9),
  at(0.1, 0.9),
];

/** Spreads two fingers on the picture to twice their distance. */
async function spreadFingers(page: Page, stage: Locator): Promise<void> {
  const { x, y, width, height } = (await stage.boundingBox())!;
  const fingers = (distance: number) =>
    [-distance, distance].map((way) => ({ x: x + width / 2 + way, y: y + height / 2 }));
  const browser = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    browser.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", fingers(40));
  await untilMoved(page, () => touch("touchMove", fingers(80)));
  await touch("touchEnd", []);
}

/** Waits until the picture shows the effect of `move`, which the page may handle later. */
async function untilMoved(page: Page, move: () => Promise<unknown>): Promise<void> {
  const transform = () => page.locator(".reactEasyCrop_Image").evaluate((image) => image.style.transform);
  const before = await transform();
  await move();
  await expect.poll(transform).not.toBe(before);
}

test(
  "a phone's photo is uploaded upright and cropped as framed, and can be selected",
  { tag: "@firefox" },
  async ({ app }) => {
    const page = await app.loggedInPage("greta");
    await openPictures(page);
    await page.getByText("Noch keine Profilbilder hochgeladen.").waitFor();

    // Rotates the stored photo and records its orientation in the metadata, like a phone.
    const photo = await sharp(Buffer.from(flag(1600, 3000)))
      .rotate(270)
      .jpeg({ quality: 95 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    await pick(page, picked("IMG_0001.JPG", "image/jpeg", photo));
    expect(await page.getByRole("button", { name: "OK" }).count()).toBe(0);
    expect(await page.getByText("Noch keine Profilbilder hochgeladen.").count()).toBe(0);
    const upright = await uploaded(page);
    expect([upright.width, corners(upright)]).toEqual([512, ["red", "green", "blue", "yellow"]]);

    await page.getByRole("button", { name: "OK" }).click();
    await page.locator('[data-flash="success"]').getByText("Profilbild erfolgreich geändert.").waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const chosen = (await (await page.request.get("/api/checkLoginStatus")).json()) as {
      user: { profile_picture: string };
    };
    await page.locator(`header img[src$="${chosen.user.profile_picture}"]`).waitFor();

    await openPictures(page);
    await page.getByRole("radio", { name: "Standardbild" }).check();
    await page.getByRole("button", { name: "OK" }).click();
    await page.locator('[data-flash="success"]').getByText("Profilbild erfolgreich geändert.").waitFor();
    await expect.poll(() => page.locator("header img").count()).toBe(0);
  },
);

test("the cropper moves, zooms and rotates a picture by keyboard, wheel, finger and buttons", async ({ app }) => {
  const page = await app.loggedInPage("frieda", { hasTouch: true });
  await openPictures(page);
  const drawing = picked(
    "wappen.png",
    "image/png",
    await sharp(Buffer.from(flag(500, 500)))
      .png()
      .toBuffer(),
  );

  await pick(page, drawing);
  await page.getByRole("button", { name: "Nach rechts drehen" }).click();
  const right = await uploaded(page);
  expect([right.width, corners(right)]).toEqual([400, ["yellow", "red", "green", "blue"]]);

  await pick(page, drawing);
  await page.getByRole("button", { name: "Nach links drehen" }).click();
  expect(corners(await uploaded(page))).toEqual(["green", "blue", "yellow", "red"]);

  // One notch of the wheel zooms by a tenth; the arrow keys then move the picture's left edge into the frame.
  await pick(page, drawing);
  const stage = page.getByLabel("Bildausschnitt");
  await stage.hover();
  await untilMoved(page, () => page.mouse.wheel(0, -100));
  await stage.focus();
  for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowRight");
  for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowDown");
  const nudged = await uploaded(page);
  expect(nudged.width).toBe(Math.round(400 / 1.1));
  // The crop shows the first 364 pixels, of which 250 are red: the colour changes at 0.69 of the width.
  expect([nudged.at(0.65, 0.65), nudged.at(0.72, 0.65), nudged.at(0.65, 0.72)]).toEqual(["red", "green", "yellow"]);

  // Dragging to the right moves the picture's left part into the frame.
  await pick(page, drawing);
  const box = (await stage.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  const dragged = await uploaded(page);
  // The crop starts at pixel 0 instead of 50, limited by the edge: 250 of its 400 pixels are red.
  expect([dragged.at(0.6, 0.1), dragged.at(0.65, 0.1)]).toEqual(["red", "green"]);

  // Two fingers zoom, and rotating an off-centre picture turns it around the middle of the frame.
  await pick(page, drawing);
  await spreadFingers(page, stage);
  await stage.focus();
  for (let press = 0; press < 40; press++) await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Nach rechts drehen" }).click();
  const pinched = await uploaded(page);
  expect(pinched.width).toBe(200);
  expect(corners(pinched)).toEqual(["blue", "green", "green", "blue"]);

  await pick(page, drawing);
  await stage.press("+");
  await stage.press("+");
  await stage.press("-");
  await page.getByRole("button", { name: "Vergrößern" }).click();
  expect((await uploaded(page)).width).toBe(Math.round(400 / 1.1 ** 2));
});

test("an SVG is rasterized with 512 px, and closing the cropper discards the picked file", async ({ app }) => {
  const page = await app.loggedInPage("hannes");
  await openPictures(page);
  await pick(page, picked("wappen.svg", "image/svg+xml", Buffer.from(flag(40, 20))));
  const painted = await uploaded(page);
  expect([painted.width, corners(painted)]).toEqual([512, ["red", "green", "blue", "yellow"]]);

  const sized = flag(40, 40).replace(' width="40" height="40">', ' viewBox="0 0 40 40">');
  await pick(page, picked("ohne-masse.svg", "image/svg+xml", Buffer.from(sized)));
  expect(await page.getByRole("button", { name: "Ändern", exact: true }).count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Profilbild ändern" }).click();
  await page.getByRole("button", { name: "Hinzufügen" }).waitFor();
  expect(await page.getByRole("dialog").getByRole("radio").count()).toBe(2);

  await page
    .getByRole("dialog")
    .locator("input[type=file]")
    .setInputFiles(picked("x.png", "image/png", Buffer.from("no")));
  await page.locator('[data-flash="error"]').waitFor();
  expect(await page.getByLabel("Bildausschnitt").count()).toBe(0);
});

test("a picture remains in the cropper after an interrupted upload and can be uploaded later", async ({ app }) => {
  const page = await app.loggedInPage("greta");
  await openPictures(page);
  await pick(page, picked("wappen.svg", "image/svg+xml", Buffer.from(flag(40, 20))));
  await page.getByRole("button", { name: "Nach rechts drehen" }).click();
  await page.route("**/api/images/avatar", (route) => route.abort("connectionreset"), { times: 1 });
  const send = page.getByRole("button", { name: "Hochladen" });
  const noConnection = page.locator('[data-flash="error"]').getByText("Keine Verbindung zum Server.");
  await Promise.all([noConnection.waitFor(), send.click()]);
  await noConnection.waitFor({ state: "detached" });
  await page.context().setOffline(true);
  await Promise.all([noConnection.waitFor(), send.click()]);
  await page.context().setOffline(false);
  expect(corners(await uploaded(page))).toEqual(["yellow", "red", "green", "blue"]);
});
