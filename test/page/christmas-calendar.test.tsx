import { fireEvent, screen, within } from "@testing-library/dom";
import sharp from "sharp";
import { beforeEach, expect, test, vi } from "vitest";

import { encodePicture, type EncodedPicture, importYear } from "#server/features/calendar/actions.ts";
import { showDoorOwners } from "#test/calendar.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { allAnswered, answerOnce, messageText, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T17:00:00Z");
  const red = sharp({ create: { width: 40, height: 30, channels: 3, background: "#c33" } });
  const picture = (await encodePicture(await red.jpeg().toBuffer())) as EncodedPicture;
  await importYear(app.context, 2026, Array<typeof picture>(24).fill(picture), { by: null, at: 0 });
  anna = await app.createMember("anna");
});

test("The music of the calendar page pauses while the page is hidden", async () => {
  await openPage(anna, "/christmas-calendar");
  await expect.poll(() => document.querySelector("audio")?.paused).toBe(false);
  const music = document.querySelector("audio")!;
  const isHidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(music.paused).toBe(true);
  isHidden.mockRestore();
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(() => music.paused).toBe(false);
});

test("Music that the device has paused continues after a click on the music button", async () => {
  const page = await openPage(anna, "/christmas-calendar");
  await expect.poll(() => document.querySelector("audio")?.paused).toBe(false);
  const music = document.querySelector("audio")!;
  const [clef] = screen.getAllByRole<HTMLButtonElement>("button", { name: "Musik" });
  await expect.poll(() => clef!.disabled).toBe(false);
  music.pause();
  await page.user.click(clef!);
  await expect.poll(() => music.paused).toBe(false);
});

test("Music that the browser refuses to play before a click starts with the next click, unless the member has left the page", async () => {
  const refusal = new DOMException("Click first.", "NotAllowedError");
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockRejectedValue(refusal);
  const page = await openPage(anna, "/christmas-calendar");
  const music = await vi.waitUntil(() => document.querySelector("audio"));
  await page.user.click(await screen.findByRole("heading", { name: /^Weihnachten im/ }));
  await expect.poll(() => play.mock.calls.length).toBe(2);
  expect(screen.getAllByRole<HTMLButtonElement>("button", { name: "Musik" })[0]!.disabled).toBe(true);
  play.mockRestore();
  await page.user.click(screen.getByRole("heading", { name: /^Weihnachten im/ }));
  expect(music.paused).toBe(false);
  await page.user.click(screen.getByRole("link", { name: "Größenrechner" }));
  await screen.findByRole("heading", { name: /Größenrechner$/ });
  expect(music.paused).toBe(true);

  const later = vi.spyOn(HTMLMediaElement.prototype, "play").mockRejectedValue(refusal);
  await page.user.click(screen.getAllByRole("link", { name: "Adventskalender" })[0]!);
  await expect.poll(() => later.mock.calls.length).toBe(1);
  await page.user.click(screen.getByRole("link", { name: "Größenrechner" }));
  const heading = await screen.findByRole("heading", { name: /Größenrechner$/ });
  const { length } = later.mock.calls;
  await page.user.click(heading);
  expect(later.mock.calls).toHaveLength(length);
});

test.each([
  [
    "a network error",
    new TypeError("Failed to fetch"),
    "Keine Verbindung zum Server. Bitte versuche es gleich nochmal.",
  ],
  ["JSON of a hotspot", { status: 200, text: '{"captive":true}' }, "Keine Verbindung zum Server."],
  ["a refusal of a hotspot", { status: 403, text: "<h1>Hotspot</h1>" }, "Es ist ein Fehler aufgetreten."],
])(
  "A calendar door whose request fails with %s stays closed with an error, and opens on the next attempt",
  async (_, answer, sentence) => {
    const page = await openPage(anna, "/christmas-calendar");
    const door = await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ });
    answerOnce(anna, "/open/", answer);
    await page.user.click(door);
    await expect.poll(messageText).toContain(sentence);
    expect(messageText()).not.toContain("Komm am");
    await expect.poll(() => door.getAttribute("aria-busy")).toBeNull();

    await page.user.click(door);
    expect((await screen.findByAltText<HTMLImageElement>("Bild vom 5. Dezember")).src).toContain(
      "/internal/images/calendar/",
    );
  },
);

test("A calendar door opened during a refetch of the doors stays open", async () => {
  const page = await openPage(anna, "/christmas-calendar");
  const door = await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ });
  // Once subscribed, the page refetches the doors.
  await page.isLive("private-christmas-calendar");
  await allAnswered();
  const send = anna.send.bind(anna);
  const late = Promise.withResolvers<void>();
  let answered = 0;
  vi.spyOn(anna, "send").mockImplementation(async (method, path, options) => {
    const answer = await send(method, path, options);
    if (!path.includes("opened-images")) return answer;
    answered += 1;
    await late.promise;
    return answer;
  });
  void app.context.realtime.publish(app.db, "open-doors-changed", "private-christmas-calendar", {});
  await expect.poll(() => answered).toBe(1);
  await page.user.click(door);
  await screen.findByAltText("Bild vom 5. Dezember");
  late.resolve();
  await allAnswered();
  expect(screen.queryByAltText("Bild vom 5. Dezember")).not.toBeNull();
});

test("An open calendar door shows how many members have opened it, and its large view names who filled it", async () => {
  await app.createUser("ben");
  await app.db.insertInto("calendar_assignments").values({ date: "2026-12-05", user_id: 2 }).execute();
  const page = await openPage(anna, "/christmas-calendar");
  await page.user.click(await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ }));
  fireEvent.load(await screen.findByAltText("Bild vom 5. Dezember"));
  await expect.poll(pageText).toContain("1 von 2 hat geöffnet");
  await page.press("5. Dezember groß ansehen");
  expect(screen.getByRole("dialog", { name: "5. Dezember" }).textContent).toContain("Von Ben · 1 von 2 hat geöffnet");
});

test("An administrator assigns the calendar doors by lottery, sees the member of each door, and unassigns one", async () => {
  const hannes = await app.createMember("hannes", ["admin"]);
  await showDoorOwners(hannes);
  await app.db.deleteFrom("calendar_pictures").execute();
  const dates = ["2026-12-06", "2026-12-07"];
  await app.db
    .insertInto("calendar_assignments")
    .values(dates.map((date) => ({ date, user_id: 1 })))
    .execute();
  const page = await openPage(hannes, "/admin/calendar");
  const green = sharp({ create: { width: 40, height: 30, channels: 3, background: "#0c0" } });
  const file = new File([await green.jpeg().toBuffer()], "oma.jpg", { type: "image/jpeg" });
  for (const door of [1, 2, 3, 4, 5, 8]) {
    await page.user.upload(await screen.findByLabelText("Bilder für den Kalender"), file);
    await screen.findByRole("button", { name: `Türchen ${door}` });
    await expect
      .poll(() => screen.getByRole("button", { name: /^Bilder wählen/ }).getAttribute("aria-busy"))
      .toBe("false");
  }
  await page.press("Neu verlosen");
  const dialog = screen.getByRole("dialog", { name: "Neu verlosen?" });
  await within(dialog).findByText(/^Hannes bekommt/);
  await page.press("So verlosen", dialog);
  await expect.poll(messageText).toBe("16 Türchen sind verlost.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Neu verlosen" }).disabled).toBe(true);
  await page.press("Türchen 6, leer, von Anna");
  await page.press("Türchen wieder freigeben");
  await page.press("Freigeben");
  await expect.poll(messageText).toBe("Das Türchen ist wieder frei.");
  await screen.findByRole("button", { name: "Türchen 6, leer" });
});
