import { beforeEach, expect, test, vi } from "vitest";

import { guestToken } from "#contract/guest-device.ts";
import { createGuestToken, findGuestParty, guestPath, readGuest, writeGuest } from "./guest-device.ts";

const stored = { token: "0".repeat(64), name: "Mia", screen: { of: "another version" } };
beforeEach(() => {
  const getItem = (key: string) => (key === "stammtisch.guest.7" ? JSON.stringify(stored) : null);
  vi.stubGlobal("localStorage", { getItem });
});

test("an updated page keeps the guest that an earlier version stored, without a screen of another shape", () => {
  expect(readGuest(7)).toEqual({ token: stored.token, name: "Mia", screen: null });
  expect(readGuest(8)).toBeNull();
});

test("a visitor with a QR code or as a known guest gets the page for guests, others the login", () => {
  expect(guestPath(8, "token=a-secret")).toBe("/guest/8#token=a-secret");
  expect(guestPath(7, "")).toBe("/guest/7");
  expect([guestPath(8, ""), guestPath(8, "heading")]).toEqual([undefined, undefined]);
});

test("the home page leads a guest back to the last party while its token is kept", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  expect(findGuestParty()).toBeNull();
  const guest = { token: stored.token, name: "Mia", screen: null };
  for (const party of [7, 9]) writeGuest(party, guest);
  expect(findGuestParty()).toBe(9);
  writeGuest(9, null);
  expect(findGuestParty()).toBeNull();
});

test("each guest token is new and has the shape of the contract", () => {
  const tokens = [createGuestToken(), createGuestToken()];
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(guestToken.safeParse(token).success).toBe(true);
});
