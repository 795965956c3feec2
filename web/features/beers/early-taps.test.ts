import { expect, test, vi } from "vitest";

import { readEarlyTaps, removeEarlyTap } from "./early-taps.ts";

class MemoryStorage {
  [name: string]: unknown;
  getItem(name: string): unknown {
    return this[name] ?? null;
  }
  removeItem(name: string): void {
    delete this[name];
  }
}

test("a member's taps from before the start are read in their order, without those of others and broken ones", () => {
  const storage = new MemoryStorage();
  vi.stubGlobal("localStorage", storage);
  const store = (key: string, tap: unknown) => (storage[`stammtisch.tap.${key}`] = JSON.stringify(tap));
  store("second", { memberId: 1, postedAt: 2000, kind: "0,0" });
  store("first", { memberId: 1, postedAt: 1000, kind: "" });
  store("of-ben", { memberId: 2, postedAt: 1000, kind: "" });
  store("broken", { memberId: 1 });
  expect(readEarlyTaps(1)).toEqual([
    { key: "first", memberId: 1, postedAt: 1000, kind: "" },
    { key: "second", memberId: 1, postedAt: 2000, kind: "0,0" },
  ]);
  removeEarlyTap("first");
  expect(readEarlyTaps(1).map(({ key }) => key)).toEqual(["second"]);
});
