import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

/**
 * Something on its way to the server, in the shape in which installations have stored it. Its key makes every repetition
 * the same thing. Pages and the service worker share this file, so it uses neither window nor document.
 */
export interface OutboxEntry {
  readonly key: string;
  readonly memberId: number;
  /** Epoch ms by this device's clock: good for differences, not for dates. */
  readonly postedAt: number;
  /** It may have reached the server, whether an answer came or not. */
  readonly isTried: boolean;
  /** It was cancelled: what has to reach the server now is that. */
  readonly isRecalled: boolean;
  /** The server refused it; it stays until it is retried or cancelled. */
  readonly isRefused: boolean;
  /** Tries without an answer so far. */
  readonly failures: number;
  /** What the call says besides; none where there is nothing to say. */
  readonly body?: JsonObject;
}

type JsonObject = Readonly<Record<string, string>>;

/** Returns the entry as it shall be from now on; null or undefined deletes it. */
export type EntryChange = (found: OutboxEntry | undefined) => OutboxEntry | null | undefined;

export interface OutboxStorage {
  /** The name of the database. */
  readonly name: string;
  list(): Promise<OutboxEntry[]>;
  /** Resolves once the new entry is on the disk. Rejects when the browser cannot write it; then nothing of it is stored. */
  add(entry: OutboxEntry): Promise<void>;
  /** False for what only this page has, since the browser stores nothing: it ends with the page. */
  isStored(key: string): boolean;
  /** Changes one entry in a single transaction and resolves, once that is on the disk, to what is stored then. */
  update(key: string, change: EntryChange): Promise<OutboxEntry | null>;
  /** Deletes the whole database if there is no entry in it. */
  deleteIfEmpty(): Promise<void>;
}

interface Schema extends DBSchema {
  parcels: { key: string; value: OutboxEntry };
}
type Database = IDBPDatabase<Schema>;

const databaseName = "stammtisch";
/** The tag of the Background Sync event with which the browser starts the worker, also when every tab is closed. */
export const outboxSyncTag = "parcels";
/** A browser that has not opened its database by then has a broken disk; some never answer at all. */
const openTimeoutMs = 2000;
/** Longer, because many quick taps wait for one another, and the disk of a phone takes its time for each. */
const transactionTimeoutMs = 10_000;

/**
 * Entries in the browser's database of that name; where it has none or refuses to open it, in memory as long as the page lives. The
 * worker knows the usual one alone, and earlier versions would send everything in it as beers of the member.
 */
export function createOutboxStorage(name = databaseName): OutboxStorage {
  const memory = new Map<string, OutboxEntry>();
  /** As it was read last: the browser may lose its database later. */
  let stored: readonly OutboxEntry[] = [];
  let opening: Promise<Database> | null = null;
  let isWriteFailing = false;

  function open(): Promise<Database> {
    if (opening !== null) return opening;
    const opened = openDatabase(name, () => (opening = null));
    opening = withTimeout(opened, openTimeoutMs);
    // One that opens late is used from then on; one that cannot be opened is tried again.
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
        // From now on this page works without the database, so that the next try succeeds.
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
  // Strict: an entry must survive a battery that dies right after the tap.
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

/** Rejects when there is no result in time. Where `giveUp` throws, the work has just finished and its result counts. */
function withTimeout<Result>(work: Promise<Result>, ms: number, giveUp: () => void = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        giveUp();
        reject(new Error("The browser's database does not answer."));
      } catch {
        // The result follows.
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Tells all the other tabs that something has changed; with a key: that this entry was cancelled before it was ever sent. */
export function openOutboxChannel(onNews: (cancelled: string | null) => void = () => {}): (cancelled?: string) => void {
  // Without channels the other tabs see the change when they are opened again.
  if (typeof BroadcastChannel === "undefined") return () => {};
  const channel = new BroadcastChannel(`${databaseName}-parcels`);
  channel.addEventListener("message", ({ data }: MessageEvent<string | null>) => onNews(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
  return (cancelled) => channel.postMessage(cancelled ?? null);
}

/** Longer than a request takes, with the storing before and after it, in milliseconds. */
const lockTimeoutMs = 20_000;

/** Does the work, after another tab or the worker that is sending the same entry right now, unless that one has been frozen. */
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
    // Over plain http there are no locks, a browser may refuse them, and a tab that a phone has put to sleep keeps its own; then
    // the key alone keeps two senders from counting twice.
    await work();
  }
}
