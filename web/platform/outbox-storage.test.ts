import { openDB, type OpenDBCallbacks } from "idb";
import { expect, test, vi } from "vitest";

import { createEntry } from "./outbox-rules.ts";
import { createOutboxStorage } from "./outbox-storage.ts";

vi.mock("idb");

test("what waits stays known when the browser loses its database and cannot open it again", async () => {
  const entry = createEntry(1, 0);
  vi.mocked(openDB).mockResolvedValueOnce({ getAll: async () => [entry] } as never);
  const storage = createOutboxStorage();
  expect(await storage.list()).toEqual([entry]);
  const [, , callbacks] = vi.mocked(openDB).mock.calls[0]!;
  // As Safari may do while the app is in the background.
  vi.mocked(openDB).mockRejectedValue(new DOMException("Connection lost.", "UnknownError"));
  (callbacks as OpenDBCallbacks<unknown>).terminated!();
  expect(await storage.list()).toEqual([entry]);
});
