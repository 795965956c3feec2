/**
 * One thing on its way to the server, as it lies in the browser. Its key makes every repetition the same thing.
 * Pages and the service worker share this file, so it knows neither window nor document.
 */
export interface OutboxEntry {
  readonly key: string;
  readonly memberId: number;
  /** Epoch ms by this device's clock: good for differences, not for dates. */
  readonly postedAt: number;
  /** It may have reached the server, whether an answer came or not. */
  readonly isTried: boolean;
  /** It was taken back: what has to reach the server now is that. */
  readonly isRecalled: boolean;
  /** The server said no; it stays until it is posted again or taken back. */
  readonly isRefused: boolean;
  /** Tries without an answer so far. */
  readonly failures: number;
}

export interface OutboxStorage {
  list(): Promise<OutboxEntry[]>;
  /**
   * Changes one parcel in a single step, whoever else is at it; null takes it out. What lies there afterwards is on the
   * disk once this resolves.
   */
  update(
    key: string,
    decide: (found: OutboxEntry | undefined) => OutboxEntry | null | undefined,
  ): Promise<OutboxEntry | null>;
  /** Leaves no trace if nothing lies there. */
  deleteIfEmpty(): Promise<void>;
}

const databaseName = "stammtisch";
const storeName = "parcels";
/** Asks the browser to let the worker send what waits, also once every tab is closed. */
export const outboxSyncTag = "parcels";
/** A browser that does not answer for so long has a broken disk; some never answer at all. */
const databaseTimeoutMs = 2000;

/** Parcels in the browser's database; where it has none, or refuses, in memory as long as the page lives. */
export function createOutboxStorage(): OutboxStorage {
  const memory = new Map<string, OutboxEntry>();
  let opening: Promise<IDBDatabase> | null = null;

  async function open(): Promise<IDBDatabase> {
    opening ??= withTimeout(openDatabase(() => (opening = null)));
    return opening;
  }

  return {
    async list() {
      const kept = await open()
        .then((db) => withTimeout(toPromise<OutboxEntry[]>(db.transaction(storeName).objectStore(storeName).getAll())))
        .catch(() => []);
      return [...kept.filter(({ key }) => !memory.has(key)), ...memory.values()];
    },
    async update(key, decide) {
      const inMemory = memory.get(key);
      try {
        if (inMemory) throw new Error("It never got into the database.");
        return await withTimeout(updateRow(await open(), key, decide));
      } catch {
        const next = decide(inMemory) ?? null;
        if (next === null) memory.delete(key);
        else memory.set(key, next);
        return next;
      }
    },
    async deleteIfEmpty() {
      memory.clear();
      const db = await open().catch(() => null);
      if (db === null) return;
      const count = await toPromise(db.transaction(storeName).objectStore(storeName).count());
      if (count > 0) return;
      db.close();
      opening = null;
      await withTimeout(toPromise(indexedDB.deleteDatabase(databaseName))).catch(() => undefined);
    },
  };
}

function openDatabase(onClosed: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(storeName, { keyPath: "key" }));
  return toPromise(request).then((db) => {
    // Another tab wants to delete or renew it: whoever holds on blocks that.
    db.addEventListener("versionchange", () => {
      db.close();
      onClosed();
    });
    db.addEventListener("close", onClosed);
    return db;
  });
}

function updateRow(
  db: IDBDatabase,
  key: string,
  decide: (found: OutboxEntry | undefined) => OutboxEntry | null | undefined,
): Promise<OutboxEntry | null> {
  return new Promise((resolve, reject) => {
    // Strict: a battery that dies right after the tap must not take it along.
    const transaction = db.transaction(storeName, "readwrite", { durability: "strict" });
    const parcels = transaction.objectStore(storeName);
    const reading = parcels.get(key) as IDBRequest<OutboxEntry | undefined>;
    let next: OutboxEntry | null = null;
    reading.addEventListener("success", () => {
      next = decide(reading.result) ?? null;
      if (next === null) parcels.delete(key);
      else if (next !== reading.result) parcels.put(next);
    });
    transaction.addEventListener("complete", () => resolve(next));
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new Error("The browser gave the change up.")),
    );
  });
}

function toPromise<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser's database failed.")));
  });
}

function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The browser's database does not answer.")), databaseTimeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Tells all the other tabs that something has changed; with a key: that this parcel was taken back before it was ever sent. */
export function openOutboxChannel(onNews: (recalled: string | null) => void = () => {}): (recalled?: string) => void {
  const channel = new BroadcastChannel(`${databaseName}-parcels`);
  channel.addEventListener("message", ({ data }: MessageEvent<string | null>) => onNews(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
  return (recalled) => channel.postMessage(recalled ?? null);
}

/** Does the work unless another tab, or the worker, is at the same parcel right now. False: somebody is. */
export async function withEntryLock(key: string, work: () => Promise<void>): Promise<boolean> {
  // Over plain http there are no locks; then the key alone keeps two senders from counting twice.
  if (!("locks" in navigator)) return work().then(() => true);
  return navigator.locks.request(`${databaseName} ${key}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return false;
    await work();
    return true;
  });
}
