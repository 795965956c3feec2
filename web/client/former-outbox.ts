import { deleteDB, openDB } from "idb";

import type { OutboxEntry } from "./outbox-rules.ts";

/**
 * An entry as release 1.0.0 stored it; goes with the first release after 1.1.0. An undone beer is one entry with
 * `isRecalled`, and the beers of guests are in their own database.
 */
export interface FormerEntry {
  readonly key: string;
  readonly memberId: number;
  readonly postedAt: number;
  readonly isRecalled: boolean;
  readonly isRefused: boolean;
  readonly failures: number;
  readonly body?: Readonly<Record<string, string>>;
}

export function toEntry(former: FormerEntry): OutboxEntry {
  const { key, isRecalled, body = {}, memberId, postedAt, isRefused, failures } = former;
  const about = { beer: key, memberId, postedAt, isRefused, failures };
  const guest = body["guest"];
  if (guest !== undefined)
    return isRecalled
      ? { id: `undo ${key}`, endpoint: "undoGuestBeer", params: { guest, key }, ...about }
      : { id: key, endpoint: "drinkGuestBeer", params: { guest }, ...about };
  return isRecalled
    ? { id: `undo ${key}`, endpoint: "undoTap", params: { key }, ...about }
    : { id: key, endpoint: "drinkBeer", body, ...about };
}

const guestDatabase = "stammtisch-guests";

/** Stores the entries of the guests' database with `put`, deletes that database, and returns their number. */
export async function adoptFormerGuestEntries(put: (entry: OutboxEntry) => Promise<unknown>): Promise<number> {
  const known = (await indexedDB.databases?.()) ?? [];
  if (!known.some(({ name }) => name === guestDatabase)) return 0;
  const database = await openDB<{ parcels: { key: string; value: FormerEntry } }>(guestDatabase, 1, {
    upgrade: (opened) => void opened.createObjectStore("parcels", { keyPath: "key" }),
  });
  const entries = await database.getAll("parcels");
  for (const former of entries) await put(toEntry(former));
  database.close();
  await deleteDB(guestDatabase);
  return entries.length;
}
