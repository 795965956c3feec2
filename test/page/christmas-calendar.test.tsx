import { screen } from "@testing-library/dom";
import sharp from "sharp";
import { beforeEach, expect, test, vi } from "vitest";

import { encodePicture, importYear } from "#server/features/christmas-calendar/actions.ts";
import type { Client } from "#test/client.ts";
import { createTestApp } from "#test/test-app.ts";
import { allAnswered, answerOnce, flashText, openPage } from "./open-page.tsx";

let anna: Client;
beforeEach(async () => {
  const app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T17:00:00Z");
  const red = sharp({ create: { width: 40, height: 30, channels: 3, background: "#c33" } });
  const picture = await encodePicture(await red.jpeg().toBuffer());
  await importYear(app.db, 2026, Array<typeof picture>(24).fill(picture), { by: null, at: 0 });
  anna = await app.createMember("anna");
});

test("The music pauses while nobody looks at the page", async () => {
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

test("Music that the device has paused plays on after a press of the clef", async () => {
  const page = await openPage(anna, "/christmas-calendar");
  await expect.poll(() => document.querySelector("audio")?.paused).toBe(false);
  const music = document.querySelector("audio")!;
  const [clef] = screen.getAllByRole<HTMLButtonElement>("button", { name: "Musik" });
  await expect.poll(() => clef!.disabled).toBe(false);
  music.pause();
  await page.user.click(clef!);
  await expect.poll(() => music.paused).toBe(false);
});

test.each([
  ["nothing", new TypeError("Failed to fetch"), "Keine Verbindung zum Server. Bitte versuche es gleich nochmal."],
  ["JSON of a hotspot", { status: 200, text: '{"captive":true}' }, "Keine Verbindung zum Server."],
  ["a refusal of a hotspot", { status: 403, text: "<h1>Hotspot</h1>" }, "Es ist ein Fehler aufgetreten."],
])(
  "A door that is answered by %s stays closed with a sentence, and opens the next time",
  async (_, answer, sentence) => {
    const page = await openPage(anna, "/christmas-calendar");
    const door = await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ });
    answerOnce(anna, "/open/", answer);
    await page.user.click(door);
    await expect.poll(flashText).toContain(sentence);
    expect(flashText()).not.toContain("Komm am");
    await expect.poll(() => door.getAttribute("aria-busy")).toBeNull();

    await page.user.click(door);
    expect((await screen.findByAltText<HTMLImageElement>("Bild vom 5. Dezember")).src).toContain(
      "/internal/images/calendar/",
    );
  },
);

test("A door stays open that was opened while the page loaded the doors again", async () => {
  const page = await openPage(anna, "/christmas-calendar");
  const door = await screen.findByRole("button", { name: /^5\s*Memechen Nr\.$/ });
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
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await expect.poll(() => answered).toBe(1);
  await page.user.click(door);
  await screen.findByAltText("Bild vom 5. Dezember");
  late.resolve();
  await allAnswered();
  expect(screen.queryByAltText("Bild vom 5. Dezember")).not.toBeNull();
});
