import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test } from "vitest";

import type { FormerEntry } from "./former-outbox.ts";
import { createOutboxStorage } from "./outbox-storage.ts";

const former = { memberId: 1, postedAt: 5, isTried: true, isRecalled: false, isRefused: false, failures: 2 };

async function store(database: string, ...entries: FormerEntry[]): Promise<void> {
  const opened = await openDB<{ parcels: { key: string; value: FormerEntry } }>(database, 1, {
    upgrade: (created) => void created.createObjectStore("parcels", { keyPath: "key" }),
  });
  for (const entry of entries) await opened.put("parcels", entry);
  opened.close();
}

test("beers, undos and guests' beers that the release 1.0.0 has stored are adopted", async () => {
  await store(
    "stammtisch",
    { ...former, key: "beer" },
    { ...former, key: "kind", body: { kind: "0,0" }, isRefused: true },
    { ...former, key: "undone", isRecalled: true },
  );
  const guest = { party: "3", guest: "7" };
  await store(
    "stammtisch-guests",
    { ...former, key: "guests", body: guest },
    { ...former, key: "undone-guests", body: guest, isRecalled: true },
  );
  const about = { memberId: 1, postedAt: 5, isRefused: false, failures: 2 };
  const entries = [
    { ...about, id: "beer", beer: "beer", endpoint: "drinkBeer", body: {} },
    { ...about, id: "kind", beer: "kind", endpoint: "drinkBeer", body: { kind: "0,0" }, isRefused: true },
    { ...about, id: "undo undone", beer: "undone", endpoint: "undoTap", params: { key: "undone" } },
    { ...about, id: "guests", beer: "guests", endpoint: "drinkGuestBeer", params: { guest: "7" } },
    {
      ...about,
      id: "undo undone-guests",
      beer: "undone-guests",
      endpoint: "undoGuestBeer",
      params: { guest: "7", key: "undone-guests" },
    },
  ];
  const storage = createOutboxStorage();
  await expect.poll(() => storage.list()).toEqual(expect.arrayContaining(entries));
  await expect.poll(async () => (await indexedDB.databases()).map(({ name }) => name)).toEqual(["stammtisch"]);
  for (const { id } of entries) await storage.update(id, () => null);
  expect(await createOutboxStorage().list()).toEqual([]);
});
