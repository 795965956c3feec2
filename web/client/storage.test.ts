import { beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";

import { clearMemberStorage, createMemberStorage } from "./storage.ts";

const items = new Map<string, string>();
beforeEach(() => {
  items.clear();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
  // `Object.keys` of the browser's storage returns the keys of its items.
  vi.stubGlobal(
    "localStorage",
    new Proxy(storage, {
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor: (_, key) => ({ value: items.get(String(key)), enumerable: true, configurable: true }),
    }),
  );
});

test("a page writes nothing of a member after a logout or another member's login, in any tab", () => {
  const anna = createMemberStorage({ id: 1 });
  anna.set("parties", ["of Anna"]);
  expect(anna.get("parties", z.array(z.string()))).toEqual(["of Anna"]);
  clearMemberStorage();
  anna.set("parties", ["of Anna"]);
  expect([...items]).toEqual([]);

  const ben = createMemberStorage({ id: 2 });
  anna.set("parties", ["of Anna"]);
  expect([ben.get("parties", z.array(z.string())), anna.get("user", z.unknown())]).toEqual([null, null]);
});

test("nothing is stored of a guest", () => {
  createMemberStorage(null).set("parties", []);
  expect([...items]).toEqual([]);
});
