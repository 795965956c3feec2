import { openDB, type OpenDBCallbacks } from "idb";
import { expect, test, vi } from "vitest";

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
});
