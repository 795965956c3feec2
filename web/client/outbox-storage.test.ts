import { openDB, type OpenDBCallbacks } from "idb";
import { expect, onTestFinished, test, vi } from "vitest";

import type { OutboxEntry } from "./outbox-rules.ts";
import { createOutboxStorage } from "./outbox-storage.ts";

vi.mock("idb");
vi.stubGlobal("indexedDB", { databases: async () => [] });

// The shape that browsers have stored; new fields must be optional.
const entry: OutboxEntry = {
  id: "a-tap-in-the-cellar",
  endpoint: "drinkBeer",
  beer: "a-tap-in-the-cellar",
  memberId: 1,
  postedAt: 0,
  isRefused: false,
  failures: 0,
};

test("outbox entries stay listed while the browser has lost its database and cannot reopen it", async () => {
  vi.mocked(openDB).mockResolvedValueOnce({ getAll: async () => [entry] } as never);
  const storage = createOutboxStorage();
  expect(await storage.list()).toEqual([entry]);
  const [name, version, callbacks] = vi.mocked(openDB).mock.calls[0]!;
  expect([name, version], "what waits on devices would be left behind").toEqual(["stammtisch", 2]);
  // Safari may close the database while the app is in the background.
  vi.mocked(openDB).mockRejectedValue(new DOMException("Connection lost.", "UnknownError"));
  (callbacks as OpenDBCallbacks<unknown>).terminated!();
  expect(await storage.list()).toEqual([entry]);
  // Later the database opens again, with an entry that another tab has stored.
  const later = { ...entry, id: "a-tap-of-another-tab" };
  vi.mocked(openDB).mockResolvedValue({ getAll: async () => [entry, later] } as never);
  expect(await storage.list()).toEqual([entry, later]);
});

test("an undo that a full disk does not store is kept in memory, and its beer is deleted", async () => {
  const written: [string, unknown][] = [];
  let isFull = true;
  const transaction = () => ({
    done: Promise.resolve(),
    abort() {},
    store: {
      get: async () => entry,
      put: async () => (isFull ? Promise.reject(new DOMException("Full.", "QuotaExceededError")) : undefined),
      delete: async (id: string) => void written.push(["delete", id]),
    },
  });
  vi.mocked(openDB).mockResolvedValue({ transaction, getAll: async () => [] } as never);
  const storage = createOutboxStorage();
  const undo = { ...entry, id: `undo ${entry.id}`, endpoint: "undoTap", params: { key: entry.id } } as const;
  await storage.add(undo, entry.id);
  isFull = false;
  expect(written).toContainEqual(["delete", entry.id]);
  expect([await storage.list(), storage.isStored(undo.id)]).toEqual([[undo], false]);
});

test("outbox entries are listed once a database that is slow to open has opened", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve } = Promise.withResolvers<never>();
  vi.mocked(openDB).mockReturnValue(promise);
  const storage = createOutboxStorage();
  const early = storage.list();
  await vi.advanceTimersByTimeAsync(2000);
  expect(await early).toEqual([]);
  resolve({ getAll: async () => [entry] } as never);
  await vi.advanceTimersByTimeAsync(0);
  expect(await storage.list()).toEqual([entry]);
});
