import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

/**
 * A request that must reach the server, in the shape that installations have stored. Its key makes retries idempotent. Pages and
 * the service worker share this file, so it uses neither `window` nor `document`.
 */
export interface OutboxEntry {
  readonly key: string;
  readonly memberId: number;
  /** Epoch ms of this device's clock: only differences are reliable. */
  readonly postedAt: number;
  /** `true` if the request may have reached the server, with or without an answer. */
  readonly isTried: boolean;
  /** `true` if it was cancelled: the cancellation must now reach the server. */
  readonly isRecalled: boolean;
  /** `true` if the server refused it; the entry is kept until it is retried or cancelled. */
  readonly isRefused: boolean;
  /** Failed attempts so far. */
  readonly failures: number;
  /** Additional fields of the request body, if any. */
  readonly body?: JsonObject;
}

type JsonObject = Readonly<Record<string, string>>;

/** Returns the entry to store; `null` or `undefined` deletes it. */
export type EntryChange = (found: OutboxEntry | undefined) => OutboxEntry | null | undefined;

export interface OutboxStorage {
  readonly name: string;
  list(): Promise<OutboxEntry[]>;
  /** Resolves once the entry is on disk. Rejects if the browser cannot write it; then nothing is stored. */
  add(entry: OutboxEntry): Promise<void>;
  /** Returns `false` for entries that exist only in this page's memory, because the browser stores nothing. */
  isStored(key: string): boolean;
  /** Changes an entry in one transaction; resolves to the stored entry once it is on disk. */
  update(key: string, change: EntryChange): Promise<OutboxEntry | null>;
  /** Deletes the database if it holds no entry. */
  deleteIfEmpty(): Promise<void>;
}

interface Schema extends DBSchema {
  parcels: { key: string; value: OutboxEntry };
}
type Database = IDBPDatabase<Schema>;

const databaseName = "stammtisch";
/** The tag of the Background Sync event that starts the worker, even if every tab is closed. */
export const outboxSyncTag = "parcels";
/** Milliseconds after which opening the database counts as failed: with a broken disk some browsers never answer. */
const openTimeoutMs = 2000;
/** Milliseconds. Longer than opening, because quick taps queue up and a phone's disk is slow. */
const transactionTimeoutMs = 10_000;

/**
 * Creates a storage in the browser's database of that name; in memory, as long as the page lives, if the browser has none. The
 * worker knows only the default name: earlier versions would send every entry in it as beers of the member.
 */
export function createOutboxStorage(name = databaseName): OutboxStorage {
  const memory = new Map<string, OutboxEntry>();
  /** The entries as last read: the browser may lose its database later. */
  let stored: readonly OutboxEntry[] = [];
  let opening: Promise<Database> | null = null;
  let isWriteFailing = false;

  function open(): Promise<Database> {
    if (opening !== null) return opening;
    const opened = openDatabase(name, () => (opening = null));
    opening = withTimeout(opened, openTimeoutMs);
    // A database that opens late is used from then on; one that fails to open is tried again.
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
        // This page now works without the database, so that the next attempt succeeds.
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
    // Another tab wants to delete the database, which an open connection would block.
    blocking(_currentVersion, _blockedVersion, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

async function updateRow(database: Database, key: string, change: EntryChange): Promise<OutboxEntry | null> {
  // Strict durability: an entry must survive a battery that dies right after the tap.
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

/** Rejects after `ms` without a result. If `giveUp` throws, the work has just finished and its result counts. */
function withTimeout<Result>(work: Promise<Result>, ms: number, giveUp: () => void = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        giveUp();
        reject(new Error("The browser's database does not answer."));
      } catch {
        // The result arrives in a moment.
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Opens a channel and returns a function that tells the other tabs about changes; a key means that this entry was cancelled
 * before it was sent.
 */
export function openOutboxChannel(onNews: (cancelled: string | null) => void = () => {}): (cancelled?: string) => void {
  // Without BroadcastChannel the other tabs see the change when they are reopened.
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(`${databaseName}-parcels`);
  channel.addEventListener("message", ({ data }: MessageEvent<string | null>) => onNews(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
  return (cancelled) => channel.postMessage(cancelled ?? null);
}

/** Milliseconds. Longer than a request, including the storage before and after it. */
const lockTimeoutMs = 20_000;

/** Runs the work once no other tab or worker is sending the same entry; does not wait for a frozen one. */
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
    // Locks are missing on plain http, may be refused, and a suspended tab keeps its own; the key alone then makes a second
    // delivery harmless.
    await work();
  }
}
