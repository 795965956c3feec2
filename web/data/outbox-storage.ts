import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

/**
 * A tap that must reach the server. Browsers have stored entries of this shape, so new fields must
 * be optional. The service worker also imports this file, which therefore uses neither `window` nor
 * `document`.
 */
export interface OutboxEntry {
  readonly key: string;
  readonly memberId: number;
  /**
   * Time of the tap in epoch ms of the device's clock, which may be wrong: only differences are
   * reliable.
   */
  readonly postedAt: number;
  /** `true` if the request may have reached the server, with or without an answer. */
  readonly isTried: boolean;
  /** `true` if the entry was cancelled and its cancellation must now reach the server. */
  readonly isRecalled: boolean;
  /**
   * `true` if the server refused the request; the entry is kept until it is retried or cancelled.
   */
  readonly isRefused: boolean;
  /** Number of failed attempts to send the request. */
  readonly failures: number;
  /** Fields of the request body, if any. */
  readonly body?: JsonObject;
}

type JsonObject = Readonly<Record<string, string>>;

/** Returns the changed entry to store; `null` or `undefined` deletes the entry. */
export type EntryChange = (found: OutboxEntry | undefined) => OutboxEntry | null | undefined;

export interface OutboxStorage {
  readonly name: string;
  list(): Promise<OutboxEntry[]>;
  /**
   * Resolves once the entry is on disk. Rejects if the browser cannot write the entry; then nothing
   * is stored.
   */
  add(entry: OutboxEntry): Promise<void>;
  /**
   * Returns `false` for an entry that exists only in this page's memory, because the browser
   * refuses storage.
   */
  isStored(key: string): boolean;
  /**
   * Changes an entry in one transaction; resolves to the stored entry once it is on disk, or to
   * `null` if it was deleted.
   */
  update(key: string, change: EntryChange): Promise<OutboxEntry | null>;
  /** Deletes the database if it contains no entry. */
  deleteIfEmpty(): Promise<void>;
}

interface Schema extends DBSchema {
  parcels: { key: string; value: OutboxEntry };
}
type Database = IDBPDatabase<Schema>;

const databaseName = "stammtisch";
/** Tag of the Background Sync event that starts the service worker, even if every tab is closed. */
export const outboxSyncTag = "parcels";
/**
 * Milliseconds after which opening the database counts as failed, because with a broken disk some
 * browsers never answer.
 */
const openTimeoutMs = 2000;
/**
 * Milliseconds after which a transaction counts as failed. Longer than for opening, because quick
 * taps queue up and a phone's disk is slow.
 */
const transactionTimeoutMs = 10_000;

/**
 * Creates a storage in the browser's database of this name, or in memory if the browser has no
 * database. Only the member's own taps use the default name, because earlier versions of the
 * service worker book every entry of that database for the member.
 */
export function createOutboxStorage(name = databaseName): OutboxStorage {
  const memory = new Map<string, OutboxEntry>();
  /** The entries as last read, in case the browser loses its database later. */
  let stored: readonly OutboxEntry[] = [];
  let opening: Promise<Database> | null = null;
  let isWriteFailing = false;

  function open(): Promise<Database> {
    if (opening !== null) return opening;
    const opened = openDatabase(name, () => (opening = null));
    opening = withTimeout(opened, openTimeoutMs);
    // A database that opens after the timeout is used from then on; if opening fails, the next call
    // opens it again.
    opened.then(
      () => (opening = opened),
      () => (opening = null),
    );
    return opening;
  }

  function updateInMemory(key: string, change: EntryChange): OutboxEntry | null {
    const next = change(memory.get(key)) ?? null;
    if (next === null) memory.delete(key);
    else memory.set(key, next);
    return next;
  }

  return {
    name,
    async list() {
      const database = await open().catch(() => null);
      if (database !== null) stored = await withTimeout(database.getAll("parcels"), transactionTimeoutMs);
      return [...stored.filter(({ key }) => !memory.has(key)), ...memory.values()];
    },
    async add(entry) {
      const database = isWriteFailing ? null : await open().catch(() => null);
      if (database === null) return void memory.set(entry.key, entry);
      try {
        await updateRow(database, entry.key, () => entry);
      } catch (error) {
        // This page keeps all new entries in memory from now on, so that the member's next attempt
        // succeeds.
        isWriteFailing = true;
        throw error;
      }
    },
    isStored: (key) => !memory.has(key),
    async update(key, change) {
      if (memory.has(key)) return updateInMemory(key, change);
      try {
        return await updateRow(await open(), key, change);
      } catch {
        return updateInMemory(key, change);
      }
    },
    async deleteIfEmpty() {
      memory.clear();
      stored = [];
      const database = await open().catch(() => null);
      if (database === null || (await database.count("parcels")) > 0) return;
      database.close();
      opening = null;
      await withTimeout(deleteDB(name), openTimeoutMs).catch(() => undefined);
    },
  };
}

async function openDatabase(name: string, onClosed: () => void): Promise<Database> {
  return openDB<Schema>(name, 1, {
    upgrade: (database) => void database.createObjectStore("parcels", { keyPath: "key" }),
    // Another tab wants to delete the database, which an open connection would prevent.
    blocking(_currentVersion, _blockedVersion, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

async function updateRow(database: Database, key: string, change: EntryChange): Promise<OutboxEntry | null> {
  // Strict durability, because an entry must survive if the battery runs out right after the tap.
  const transaction = database.transaction("parcels", "readwrite", { durability: "strict" });
  async function work(): Promise<OutboxEntry | null> {
    const found = await transaction.store.get(key);
    const next = change(found) ?? null;
    if (next === null) await transaction.store.delete(key);
    else if (next !== found) await transaction.store.put(next);
    return next;
  }
  const [next] = await withTimeout(Promise.all([work(), transaction.done]), transactionTimeoutMs, () =>
    transaction.abort(),
  );
  return next;
}

/**
 * Rejects if `work` has no result after `ms` milliseconds, unless `giveUp` throws then: the work
 * has just finished, and its result is returned.
 */
function withTimeout<Result>(work: Promise<Result>, ms: number, giveUp: () => void = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        giveUp();
        reject(new Error("The browser's database does not answer."));
      } catch {
        // `giveUp` throws if the work has just finished. Then `work` settles this promise.
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Opens a BroadcastChannel and returns a function that notifies the other tabs of a change.
 * `cancelled` is the key of an entry that was cancelled before it was sent.
 */
export function openOutboxChannel(onNews: (cancelled: string | null) => void = () => {}): (cancelled?: string) => void {
  // Without BroadcastChannel, the other tabs notice a change only when they are reopened.
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(`${databaseName}-parcels`);
  channel.addEventListener("message", ({ data }: MessageEvent<string | null>) => onNews(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
  return (cancelled) => channel.postMessage(cancelled ?? null);
}

/**
 * Milliseconds to wait for a lock. Longer than a request takes together with the storage
 * transactions before and after it.
 */
const lockTimeoutMs = 20_000;

/**
 * Runs `work` as soon as no other tab and no service worker is sending the same entry, or after the
 * timeout, because a suspended tab never releases its lock.
 */
export async function withEntryLock(key: string, work: () => Promise<void>): Promise<void> {
  let isAnswered = false;
  try {
    await navigator.locks.request(
      `${databaseName} ${key}`,
      { signal: AbortSignal.timeout(lockTimeoutMs) },
      async () => {
        isAnswered = true;
        await work();
      },
    );
  } catch (error) {
    if (isAnswered) throw error;
    // Locks are missing on plain http, may be refused, and a suspended tab never releases its lock.
    // Without the lock, the idempotency key makes a second delivery harmless.
    await work();
  }
}
