import { expect, test } from "vitest";

import { findWaitingDoor, progressText, unreadableText } from "./rules.ts";

test("progressText returns how many calendar doors can be opened, or when the next door opens", () => {
  const images = ["01", "02", "03"].map((day) => ({ date: `2026-12-${day}`, url: "" }));
  const opened = images.map((image) => ({ ...image, url: "/picture" }));
  expect(progressText(images, "2026-11-20")).toBe("Das nächste Türchen geht am 1. Dezember auf.");
  expect(progressText(images, "2026-12-01")).toBe("Ein Türchen wartet auf dich.");
  expect(progressText(images, "2026-12-03")).toBe("3 Türchen warten auf dich.");
  expect(progressText([opened[0]!, images[1]!], "2026-12-01")).toBe("Das nächste Türchen geht am 2. Dezember auf.");
  expect(progressText(opened, "2026-12-24")).toBe("Alle Türchen sind offen. Frohe Weihnachten!");
});

test("findWaitingDoor returns today's calendar door if it is unopened, otherwise the first unopened door", () => {
  const images = ["01", "02", "03"].map((day) => ({ date: `2026-12-${day}`, url: "" }));
  const opened = { date: "2026-12-02", url: "/picture" };
  expect(findWaitingDoor(images, "2026-12-02")?.date).toBe("2026-12-02");
  expect(findWaitingDoor([images[0]!, opened, images[2]!], "2026-12-02")?.date).toBe("2026-12-01");
  expect(findWaitingDoor(images, "2026-11-30")).toBeUndefined();
});

test("unreadableText suggests an alternative for a photo that the browser cannot open", () => {
  expect(unreadableText({ name: "IMG_1.HEIC", type: "" })).toContain("HEIC-Fotos kann dieses Gerät nicht öffnen.");
  expect(unreadableText({ name: "foto", type: "image/heif" })).toContain("JPG");
  expect(unreadableText({ name: "kaputt.png", type: "image/png" })).toContain("Dieses Bild lässt sich nicht öffnen.");
});
