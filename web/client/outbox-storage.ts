import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

import { adoptFormerGuestEntries, toEntry, type FormerEntry } from "./former-outbox.ts";
import type { OutboxEntry } from "./outbox-rules.ts";

/** `null` or `undefined` deletes the entry. */
export type EntryChange = (found: OutboxEntry | undefined) => OutboxEntry | null | undefined;

/** Shared by all tabs and the service worker, with the entries of all members of this browser. */
export interface OutboxStorage {
  list(): Promise<OutboxEntry[]>;
  /**
   * Resolves once the entry is on disk and `replaced` is deleted. Rejects if nothing could be changed; an undo is then
   * kept in memory instead.
   */
  add(entry: OutboxEntry, replaced?: string): Promise<void>;
  /** Returns `false` for an entry in this page's memory only, because the browser refuses storage. */
  isStored(id: string): boolean;
  update(id: string, change: EntryChange): Promise<OutboxEntry | null>;
  deleteIfEmpty(): Promise<void>;
}

interface Schema extends DBSchema {
  entries: { key: string; value: OutboxEntry };
  /** Entries of release 1.0.0. */
  parcels: { key: string; value: FormerEntry };
}
type Database = IDBPDatabase<Schema>;

const databaseName = "stammtisch";
/** Tag of the Background Sync event. */
export const outboxSyncTag = "parcels";
/** With a broken disk, some browsers never answer. */
const openTimeoutMs = 2000;
/** Longer, because quick taps queue up and a phone's disk is slow. */
const transactionTimeoutMs = 10_000;

export function createOutboxStorage(): OutboxStorage {
  const memory = new Map<string, OutboxEntry>();
  /** The entries as last read, in case the browser loses its database later. */
  let stored: readonly OutboxEntry[] = [];
  let opening: Promise<Database> | null = null;
  let isWriteFailing = false;

  function open(): Promise<Database> {
    if (opening !== null) return opening;
    const opened = openDatabase(() => (opening = null));
    opening = withTimeout(opened, openTimeoutMs);
    // A database that opens late is used from then on; after a failure, the next call opens it again.
    opened.then(
      () => (opening = opened),
      () => (opening = null),
    );
    return opening;
  }

  function updateInMemory(id: string, change: EntryChange): OutboxEntry | null {
    const next = change(memory.get(id)) ?? null;
    if (next === null) memory.delete(id);
    else memory.set(id, next);
    return next;
  }

  return {
    async list() {
      const database = await open().catch(() => null);
      if (database !== null) stored = await withTimeout(database.getAll("entries"), transactionTimeoutMs);
      return [...stored.filter(({ id }) => !memory.has(id)), ...memory.values()];
    },
    async add(entry, replaced) {
      const isUndo = replaced !== undefined;
      if (isUndo) memory.delete(replaced);
      const database = isWriteFailing && !isUndo ? null : await open().catch(() => null);
      if (database === null) return void memory.set(entry.id, entry);
      try {
        await write(database, entry.id, () => entry, replaced);
      } catch (error) {
        // New entries stay in memory from now on, so that the member's next attempt succeeds.
        isWriteFailing = true;
        if (!isUndo) throw error;
        memory.set(entry.id, entry);
        // A full disk can still delete.
        await write(database, replaced, () => null).catch(() => undefined);
      }
    },
    isStored: (id) => !memory.has(id),
    async update(id, change) {
      if (memory.has(id)) return updateInMemory(id, change);
      try {
        return await write(await open(), id, change);
      } catch {
        return updateInMemory(id, change);
      }
    },
    async deleteIfEmpty() {
      stored = [];
      const database = await open().catch(() => null);
      if (database === null || (await database.count("entries")) > 0) return;
      database.close();
      opening = null;
      await withTimeout(deleteDB(databaseName), openTimeoutMs).catch(() => undefined);
    },
  };
}

async function openDatabase(onClosed: () => void): Promise<Database> {
  const database = await openDB<Schema>(databaseName, 2, {
    async upgrade(opened, oldVersion, _newVersion, transaction) {
      const entries = opened.createObjectStore("entries", { keyPath: "id" });
      if (oldVersion === 0) return;
      for (const former of await transaction.objectStore("parcels").getAll()) await entries.put(toEntry(former));
      opened.deleteObjectStore("parcels");
    },
    // An open connection would keep another tab from deleting or upgrading the database.
    blocking(_currentVersion, _blockedVersion, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
  // Not awaited: the browser may never answer about another database.
  void adoptFormerGuestEntries((entry) => database.put("entries", entry))
    .then((count) => count > 0 && openOutboxChannel().notify())
    .catch(() => undefined);
  return database;
}

async function write(
  database: Database,
  id: string,
  change: EntryChange,
  replaced?: string,
): Promise<OutboxEntry | null> {
  // An entry must survive if the battery runs out right after the tap.
  const transaction = database.transaction("entries", "readwrite", { durability: "strict" });
  async function work(): Promise<OutboxEntry | null> {
    const found = await transaction.store.get(id);
    const next = change(found) ?? null;
    if (replaced !== undefined) await transaction.store.delete(replaced);
    if (next === null) await transaction.store.delete(id);
    else if (next !== found) await transaction.store.put(next);
    return next;
  }
  const [next] = await withTimeout(Promise.all([work(), transaction.done]), transactionTimeoutMs, () =>
    transaction.abort(),
  );
  return next;
}

/** Rejects after `ms`. If `giveUp` throws, the work has just finished, and its result still counts. */
function withTimeout<Result>(work: Promise<Result>, ms: number, giveUp: () => void = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        giveUp();
        reject(new Error("The browser's database does not answer."));
      } catch {
        // `work` settles this promise.
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Tells the other tabs and the service worker that the entries have changed. */
export function openOutboxChannel(onChange: () => void = () => {}): { notify(): void; close(): void } {
  // Without BroadcastChannel, the other tabs notice a change only when they are reopened.
  if (typeof BroadcastChannel === "undefined") return { notify() {}, close() {} };
  const channel = new BroadcastChannel(`${databaseName}-outbox`);
  let isOpen = true;
  channel.addEventListener("message", onChange);
  return {
    notify() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
      if (isOpen) channel.postMessage(null);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

/** Longer than a request with the transactions before and after it. */
const lockTimeoutMs = 20_000;

/**
 * Waits while another tab or the service worker sends this beer, at most `lockTimeoutMs`: a suspended tab never
 * releases its lock.
 */
export async function withBeerLock(beer: string, work: () => Promise<void>): Promise<void> {
  let isGranted = false;
  try {
    await navigator.locks.request(
      `${databaseName} ${beer}`,
      { signal: AbortSignal.timeout(lockTimeoutMs) },
      async () => {
        isGranted = true;
        await work();
      },
    );
  } catch (error) {
    if (isGranted) throw error;
    // Plain http has no locks, and browsers may refuse them. An entry sent twice is booked once, by its idempotency
    // key.
    await work();
  }
}
