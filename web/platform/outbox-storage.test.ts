import { openDB, type OpenDBCallbacks } from "idb";
import { expect, onTestFinished, test, vi } from "vitest";

import { createOutboxStorage, type OutboxEntry } from "./outbox-storage.ts";

vi.mock("idb");

// As earlier versions stored it on devices, where it may still wait: make new fields optional.
const entry: OutboxEntry = {
  key: "a-tap-in-the-cellar",
  memberId: 1,
  postedAt: 0,
  isTried: false,
  isRecalled: false,
  isRefused: false,
  failures: 0,
};

test("what waits stays known when the browser loses its database and cannot open it again", async () => {
  vi.mocked(openDB).mockResolvedValueOnce({ getAll: async () => [entry] } as never);
  const storage = createOutboxStorage();
  expect(await storage.list()).toEqual([entry]);
  const [name, version, callbacks] = vi.mocked(openDB).mock.calls[0]!;
  expect([name, version], "what waits on devices would be left behind").toEqual(["stammtisch", 1]);
  // As Safari may do while the app is in the background.
  vi.mocked(openDB).mockRejectedValue(new DOMException("Connection lost.", "UnknownError"));
  (callbacks as OpenDBCallbacks<unknown>).terminated!();
  expect(await storage.list()).toEqual([entry]);
  // In front again the browser has it, and what another tab has stored meanwhile.
  const later = { ...entry, key: "a-tap-of-another-tab" };
  vi.mocked(openDB).mockResolvedValue({ getAll: async () => [entry, later] } as never);
  expect(await storage.list()).toEqual([entry, later]);
});

test("what waits is found in a database that opens only after a while", async () => {
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
