import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { notify } from "./notifications.ts";

const shown = vi.fn();

class FakeNotification extends EventTarget {
  static readonly permission = "granted";
  constructor(title: string) {
    super();
    shown(title);
  }
}

beforeEach(() => {
  vi.stubGlobal("window", { Notification: FakeNotification });
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("navigator", {});
});
afterEach(() => {
  shown.mockClear();
});

test.each([
  ["visible", true, 0],
  ["visible", false, 1],
  ["hidden", true, 1],
  ["hidden", false, 1],
])("notify on a %s page with focus %s shows %i browser notifications", async (visibilityState, hasFocus, count) => {
  vi.stubGlobal("document", { visibilityState, hasFocus: () => hasFocus });
  await notify({ title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter" });
  expect(shown).toHaveBeenCalledTimes(count);
});
