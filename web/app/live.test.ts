import { afterEach, expect, test, vi } from "vitest";

import { waitingCount } from "#web/data/outbox.ts";
import { syncAppBadge } from "./app-badge.ts";

afterEach(() => {
  waitingCount.set(0);
});

test("the badge of the app's icon shows the number of waiting beers, and 0 after a logout", () => {
  const shown: number[] = [];
  vi.stubGlobal("navigator", { setAppBadge: async (count: number) => void shown.push(count) });
  waitingCount.set(2);
  const stop = syncAppBadge();
  waitingCount.set(3);
  stop();
  waitingCount.set(4);
  expect(shown).toEqual([2, 3, 0]);
});

test.each([
  ["has no icon", {}],
  ["is not installed", { setAppBadge: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
])("syncAppBadge does not throw for an app that %s", (_, navigator) => {
  vi.stubGlobal("navigator", navigator);
  expect(() => syncAppBadge()()).not.toThrow();
});
