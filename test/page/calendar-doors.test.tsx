import { fireEvent, screen, within } from "@testing-library/dom";
import sharp from "sharp";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { findManagedDay, hangPicture, showDoorOwners, takeDoorBack, takePictureDown } from "#test/calendar.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { answerOnce, messageText, openDialogs, openPage, pageText, type OpenPage } from "./open-page.tsx";

const own = "/api/christmas-calendar/own-doors";
const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#0c0" } })
  .jpeg()
  .toBuffer();
const photo = (name = "oma.jpg") => new File([jpeg], name, { type: "image/jpeg" });

let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  const doors = ["2026-12-05", "2026-12-06"].map((date) => ({ date, user_id: 2 }));
  await app.db.insertInto("calendar_assignments").values(doors).execute();
  await showDoorOwners(anna);
});

const fill = (texts = {}) => sendForm(ben, multipartForm(jpeg, { field: "picture", texts }), {}, `${own}/2026-12-05`);
const question = async (name: string) => screen.findByRole("dialog", { name });
const hung = async () =>
  (await app.db.selectFrom("calendar_pictures").select("date").orderBy("date").execute()).map(({ date }) =>
    Number(date.slice(8)),
  );

describe("the admin calendar", () => {
  test("uploading many calendar pictures skips members' doors, and replaces existing pictures only after a confirmation", async () => {
    await hangPicture(anna, "2026-12-07", jpeg);
    await app.db.insertInto("calendar_assignments").values({ date: "2026-12-09", user_id: 1 }).execute();
    const { version } = await findManagedDay(anna, "2026-12-07");
    const page = await openPage(anna, "/admin/calendar");
    const files = ["05.jpg", "07.jpg", "08.jpg", "09.jpg"].map(photo);
    await page.user.upload(await screen.findByLabelText("Bilder für den Kalender"), files);
    const dialog = await question("Bild ersetzen?");
    expect(dialog.textContent).toContain("Hinter Türchen 7 hängt schon ein Bild.");
    await page.press("Abbrechen", dialog);
    await expect
      .poll(messageText)
      .toBe(
        "1 von 1 Bild hängt. 05.jpg: Türchen 5 gehört Ben. 09.jpg: Türchen 9 gehört dir. 07.jpg: Hinter Türchen 7 hängt schon ein Bild.",
      );
    expect((await findManagedDay(anna, "2026-12-07")).version).toBe(version);

    await page.user.upload(screen.getByLabelText("Bilder für den Kalender"), photo("07.jpg"));
    await page.press("Ersetzen", await question("Bild ersetzen?"));
    await expect.poll(messageText).toBe("1 von 1 Bild hängt.");
    expect((await findManagedDay(anna, "2026-12-07")).version).not.toBe(version);
    expect(await hung()).toEqual([7, 8]);
  });

  test("an administrator takes over a member's calendar door after a confirmation that names the member", async () => {
    const page = await openPage(anna, "/admin/calendar");
    await page.press("Türchen 5, leer, von Ben");
    await page.user.upload(screen.getByLabelText("Bild für dieses Türchen"), photo());
    await page.press("Abbrechen", await question("Türchen 5 von Ben übernehmen?"));
    expect(await hung()).toEqual([]);
    await page.press("Türchen 5, leer, von Ben");
    await page.user.upload(screen.getByLabelText("Bild für dieses Türchen"), photo());
    const dialog = await question("Türchen 5 von Ben übernehmen?");
    expect(dialog.textContent).toContain("Ben erfährt davon.");
    await page.press("Übernehmen", dialog);
    await screen.findByRole("button", { name: "Türchen 5" });
    expect((await ben.get("/api/christmas-calendar/notices")).json).toHaveLength(1);
  });

  test("an administrator sees a member's calendar picture before the door's day only after confirming to see it", async () => {
    await fill({ text: "Meine Oma" });
    const page = await openPage(anna, "/admin/calendar");
    await page.press("Türchen 5, gefüllt, von Ben");
    expect(document.querySelector("img[alt='Vorschau']")).toBeNull();
    await page.press("Trotzdem ansehen");
    const dialog = await question("Türchen 5 vorher ansehen?");
    expect(dialog.textContent).toContain("Ben erfährt, dass du es dir angesehen hast");
    await page.press("Ansehen", dialog);
    const preview = await screen.findByAltText<HTMLImageElement>("Vorschau");
    expect((await anna.get(new URL(preview.src).pathname)).status).toBe(200);
    expect(pageText()).toContain("Meine Oma");
  });

  test("an administrator can restore a removed calendar picture from the flash message and from the door", async () => {
    await hangPicture(anna, "2026-12-07", jpeg);
    const page = await openPage(anna, "/admin/calendar");
    await page.press("Türchen 7");
    await page.press("Bild abnehmen");
    await screen.findByRole("button", { name: "Türchen 7, leer" });
    await page.press("Rückgängig");
    await page.press("Türchen 7");
    await page.press("Bild abnehmen");
    await expect.poll(openDialogs).toEqual([]);
    await page.press("Türchen 7, leer");
    await page.press("Abgenommenes Bild wieder aufhängen");
    await screen.findByRole("button", { name: "Türchen 7" });
    expect(await hung()).toEqual([7]);
  });

  test("the open admin calendar shows changes by others, and explains a refusal because the door has changed", async () => {
    const hannes = await app.createMember("hannes", ["admin"]);
    const page = await openPage(anna, "/admin/calendar");
    await page.isLive("private-admin-calendar");
    await fill();
    await screen.findByRole("button", { name: "Türchen 5, gefüllt, von Ben" });
    await hangPicture(hannes, "2026-12-07", jpeg);
    await page.press("Türchen 7");
    const send = anna.send.bind(anna);
    vi.spyOn(anna, "send").mockImplementation(async (method, ...request) => {
      // Just before the request arrives.
      if (method === "DELETE") await hangPicture(hannes, "2026-12-07", jpeg);
      return send(method, ...request);
    });
    await page.press("Bild abnehmen");
    await expect.poll(messageText).toBe("Türchen 7 hat sich gerade geändert. Sieh nach, was dort jetzt ist.");
    expect(await hung()).toEqual([5, 7]);
  });
});

/** happy-dom neither opens, lays out nor draws pictures. */
function drawWith(file: Buffer): void {
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 300));
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(300);
  vi.spyOn(HTMLImageElement.prototype, "decode").mockResolvedValue();
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockReturnValue(300);
  const context = { translate() {}, rotate() {}, scale() {}, drawImage() {} };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as unknown as null);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((done) => done(new Blob([new Uint8Array(file)])));
}

describe("the member's own doors", () => {
  async function openDoors(name = "2 Türchen warten auf Bilder von dir."): Promise<OpenPage> {
    const page = await openPage(ben, "/christmas-calendar");
    await page.press(name);
    return page;
  }

  test("a member fills a calendar door with a cropped picture and a text and hides the name, as the preview shows", async () => {
    drawWith(jpeg);
    const page = await openDoors();
    await page.user.upload(await screen.findByLabelText("Bild für Türchen 5"), photo());
    await screen.findByLabelText("Bildausschnitt");
    await page.press("Weiter");
    const preview = screen.getByRole("figure", { name: "So sehen die anderen Türchen 5" });
    await page.fill("Ein Satz dazu", "Meine Oma, 1962");
    expect(preview.textContent).toBe("Meine Oma, 1962Von Ben");
    await page.user.click(screen.getByRole("switch", { name: "Verrät niemand" }));
    expect(preview.textContent).toBe("Meine Oma, 1962Von wem? Bleibt geheim.");

    answerOnce(ben, own, { status: 503, json: { message: "Gerade nicht." }, text: '{"message":"Gerade nicht."}' });
    await page.press("Aufhängen");
    await expect.poll(messageText).toContain("Gerade nicht.");
    expect(preview.textContent).toBe("Meine Oma, 1962Von wem? Bleibt geheim.");
    await page.press("Aufhängen");
    await expect.poll(messageText).toBe("Dein Bild hängt.");
    expect(await screen.findByAltText("Dein Bild für Türchen 5")).not.toBeNull();
    const [row] = await app.db.selectFrom("calendar_assignments").select(["text", "is_hidden"]).execute();
    expect(row).toEqual({ text: "Meine Oma, 1962", is_hidden: 1 });
    expect(pageText()).toContain("„Meine Oma, 1962“");
    await page.press("Fertig");
    await screen.findByRole("button", { name: "Türchen 6 wartet auf ein Bild von dir." });
  });

  test("a calendar picture's text that the server refuses stays in the form field, with the reason beside the field", async () => {
    await fill({ text: "Oma" });
    const page = await openDoors("Türchen 6 wartet auf ein Bild von dir.");
    await page.press("Beschriften");
    await page.fill("Ein Satz dazu", "x\u202ey");
    await page.press("Speichern");
    await screen.findByText("Der gewählte Wert für Text ist ungültig.");
    expect(screen.getByLabelText<HTMLInputElement>("Ein Satz dazu").value).toBe("x\u202ey");
    await page.fill("Ein Satz dazu", "");
    await page.press("Speichern");
    await expect.poll(messageText).toBe("Gespeichert.");
    const [row] = await app.db.selectFrom("calendar_assignments").select("text").execute();
    expect(row).toEqual({ text: null });
  });

  test("cropping a calendar picture again starts with the previous crop", async () => {
    drawWith(jpeg);
    const page = await openDoors();
    await page.user.upload(await screen.findByLabelText("Bild für Türchen 5"), photo());
    const stage = await screen.findByLabelText("Bildausschnitt");
    for (const name of ["Vergrößern", "Vergrößern", "Nach rechts drehen"]) await page.press(name);
    stage.focus();
    await page.user.keyboard("{ArrowUp}");
    const shown = () => screen.getByRole("figure").querySelector("img")!.getAttribute("style");
    await page.press("Weiter");
    const before = shown();
    expect(before).toContain("rotate(90deg)");
    await page.press("Ausschnitt");
    await screen.findByLabelText("Bildausschnitt");
    await page.press("Weiter");
    expect(shown()).toBe(before);
  });

  test("a calendar picture that the browser cannot open is refused, with advice for HEIC photos", async () => {
    vi.spyOn(HTMLImageElement.prototype, "decode").mockRejectedValue(new Error("not a picture"));
    const page = await openDoors();
    const heic = new File(["heic"], "IMG_0001.HEIC", { type: "image/heic" });
    await page.user.upload(await screen.findByLabelText("Bild für Türchen 5"), heic);
    await expect.poll(messageText).toContain("HEIC-Fotos kann dieses Gerät nicht öffnen.");
  });

  test("a member removes the picture of a calendar door and restores it with one click", async () => {
    await fill();
    const page = await openDoors("Türchen 6 wartet auf ein Bild von dir.");
    await page.press("Abnehmen");
    await expect.poll(messageText).toBe("Dein Bild ist abgenommen.");
    await page.press("Rückgängig");
    await expect.poll(messageText).toBe("Dein Bild hängt wieder.");
    await page.press("Abnehmen");
    await page.press("Wieder aufhängen");
    await screen.findByAltText("Dein Bild für Türchen 5");
  });

  test("a member can still hide the name at a calendar door after the door's day has begun", async () => {
    await fill();
    app.clock.time = Date.parse("2026-12-05T10:00:00Z");
    await app.db.updateTable("sessions").set({ is_remembered: 1, last_seen_at: app.clock.time }).execute();
    const page = await openDoors("Türchen 6 wartet auf ein Bild von dir.");
    const begun = await screen.findByRole("list", { name: "Türchen, deren Tag begonnen hat" });
    const hides = within(begun).getByRole("switch", { name: "Verrät niemand" });
    await page.user.click(hides);
    await expect.poll(messageText).toBe("Gespeichert.");
    await expect.poll(() => hides.getAttribute("aria-checked")).toBe("true");
    const [row] = await app.db.selectFrom("calendar_assignments").select("is_hidden").execute();
    expect(row).toEqual({ is_hidden: 1 });
  });

  test("every page shows a member what administrators did to the member's calendar doors, until the member dismisses the notice", async () => {
    await fill();
    const page = await openPage(ben, "/beercounter");
    await page.isLive("#server-to-user-2");
    await takePictureDown(anna, "2026-12-05");
    await expect.poll(messageText).toContain("Die Verwaltung hat dein Bild hinter Türchen 5 abgenommen.");
    await takeDoorBack(anna, "2026-12-05");
    await takeDoorBack(anna, "2026-12-06");
    await page.press("Ansehen");
    await page.press("Neues zu deinen Türchen");
    const dialog = await screen.findByRole("dialog", { name: "Deine Türchen" });
    await expect.poll(() => dialog.textContent).toContain("Die Verwaltung hat Türchen 6 zurückgenommen.");
    await page.press("Verstanden", dialog);
    await expect.poll(() => app.db.selectFrom("calendar_notices").select("id").execute()).toEqual([]);
    await page.press("Fertig", dialog);
    await expect.poll(() => screen.queryByRole("button", { name: "Neues zu deinen Türchen" })).toBeNull();
  });
});

test("an opened calendar door shows live how many members have opened it, and its text in the large view", async () => {
  await fill({ text: "Meine Oma" });
  app.clock.time = Date.parse("2026-12-05T17:00:00Z");
  await app.db.updateTable("sessions").set({ is_remembered: 1, last_seen_at: app.clock.time }).execute();
  const page = await openPage(anna, "/christmas-calendar");
  await page.isLive("private-christmas-calendar");
  await page.user.click(await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ }));
  fireEvent.load(await screen.findByAltText("Bild vom 5. Dezember"));
  await expect.poll(pageText).toContain("1 von 2 hat geöffnet");
  await ben.post("/api/christmas-calendar/open/2026-12-05");
  await expect.poll(pageText).toContain("2 von 2 haben geöffnet");
  await page.press("5. Dezember groß ansehen");
  expect(screen.getByRole("dialog", { name: "5. Dezember" }).textContent).toContain("Meine OmaVon Ben");
});
