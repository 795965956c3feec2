import type { Endpoint } from "#contract/endpoint.ts";
import { ApiError, callWithHeaders } from "./api.ts";
import {
  createKey,
  headersOf,
  isRetryable,
  isUndo,
  outboxEndpoints,
  retryDelay,
  undoOf,
  type NewEntry,
  type OutboxEntry,
} from "./outbox-rules.ts";
import {
  openOutboxChannel,
  outboxSyncTag,
  withBeerLock,
  type EntryChange,
  type OutboxStorage,
} from "./outbox-storage.ts";
import { createStore, type Store } from "./store.ts";

export interface OutboxReply {
  readonly reply: unknown;
  readonly headers: Headers;
}

export type OutboxEvent = { readonly entry: OutboxEntry } & (
  | {
      readonly type: "added";
      /** Stored by an earlier visit. */
      readonly isKept: boolean;
      /** The pending or refused beer that this undo replaces, if any. */
      readonly removed: OutboxEntry | undefined;
    }
  /** The entry was never sent. */
  | { readonly type: "notSaved" }
  /** `null` if another tab or the service worker sent the entry. */
  | { readonly type: "delivered"; readonly answer: OutboxReply | null }
  /** German; `null` in tabs that did not send the entry. */
  | { readonly type: "refused"; readonly reason: string | null }
);

/** Delivers calls to the server exactly once, even if it cannot be reached now. */
export interface Outbox {
  /** Unanswered and refused entries. */
  readonly entries: Pick<Store<readonly OutboxEntry[]>, "get" | "subscribe">;
  /** Returns `false` for an entry that is lost when this page closes. */
  isStored(id: string): boolean;
  /** Changes in any tab. */
  listen(listener: (event: OutboxEvent) => void): () => void;
  add(entry: NewEntry): string;
  undo(beer: string, entry: NewEntry): Promise<void>;
  /** Keeps the idempotency key. */
  retry(id: string): Promise<void>;
  discard(id: string): Promise<void>;
  /** Sends also what an earlier visit stored. */
  start(): void;
  /** Sends now what waits for its next attempt. */
  sendAll(): void;
  /** Sends for at most three seconds; resolves to the number of entries left. */
  flush(): Promise<number>;
  /** Deletes the member's entries, and an empty database. */
  clear(): Promise<void>;
  /** Keeps the entries in storage. */
  dispose(): void;
}

interface OutboxOptions {
  readonly memberId: number;
  readonly storage: OutboxStorage;
  readonly send?: (entry: OutboxEntry) => Promise<OutboxReply>;
}

/** An unanswered request is aborted and retried later. */
const requestTimeoutMs = 15_000;
const flushTimeoutMs = 3000;
const flushPauseMs = 100;

/**
 * Stores each entry before sending it, and retries it with backoff under the same key. Only one tab or service worker
 * sends an entry at a time.
 */
export function createOutbox({ memberId, storage, send = (entry) => sendEntry(entry) }: OutboxOptions): Outbox {
  const entries = createStore<readonly OutboxEntry[]>([]);
  const listeners = new Set<(event: OutboxEvent) => void>();
  const saving = new Map<string, Promise<void>>();
  const attempts = new Map<string, Promise<void>>();
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  /** Answers and refusals that the listeners do not know yet, by id. */
  const answers = new Map<string, OutboxReply | { readonly reason: string }>();
  let isRunning = true;
  /** Attempts that end later must not open the deleted storage again. */
  let isCleared = false;
  let lastRefresh = Promise.resolve();

  const channel = openOutboxChannel(() => void refresh());

  function tell(event: OutboxEvent): void {
    for (const listener of [...listeners]) listener(event);
  }

  function refresh(isFirst = false): Promise<void> {
    const refreshed = lastRefresh.then(() => showStored(isFirst));
    lastRefresh = refreshed.catch(() => undefined);
    return refreshed;
  }

  async function showStored(isFirst: boolean): Promise<void> {
    const wasSaving = new Set(saving.keys());
    const before = new Set(entries.get().map(({ id }) => id));
    const stored = await storage.list().catch(() => entries.get());
    if (!isRunning) return;
    // The read misses entries that were added or being stored during it.
    const isMissing = ({ id }: OutboxEntry): boolean =>
      (wasSaving.has(id) || !before.has(id)) && !stored.some((entry) => entry.id === id);
    const current = [...stored.filter((entry) => entry.memberId === memberId), ...entries.get().filter(isMissing)];
    show(
      current.toSorted((one, other) => one.postedAt - other.postedAt),
      isFirst,
    );
  }

  function show(current: readonly OutboxEntry[], isKept = false): void {
    const before = entries.get();
    entries.set(current);
    const find = (list: readonly OutboxEntry[], id: string) => list.find((entry) => entry.id === id);
    const undone = new Set(current.filter(isUndo).map(({ beer }) => beer));
    for (const entry of current) {
      const known = find(before, entry.id);
      if (!known && !entry.isRefused) {
        const removed = isUndo(entry) ? before.find((other) => other.beer === entry.beer && !isUndo(other)) : undefined;
        tell({ type: "added", entry, isKept, removed });
      } else if (known?.isRefused && !entry.isRefused) tell({ type: "added", entry, isKept, removed: undefined });
      if (entry.isRefused && known?.isRefused === false) tell({ type: "refused", entry, reason: takeReason(entry.id) });
      const isWaiting = saving.has(entry.id) || attempts.has(entry.id) || pauses.has(entry.id);
      if (!entry.isRefused && !isWaiting) deliverLater(entry);
    }
    for (const entry of before) {
      if (find(current, entry.id)) continue;
      endPause(entry.id);
      // An undo has replaced the beer, or a refused entry was discarded.
      if (!isUndo(entry) && (undone.has(entry.beer) || entry.isRefused)) continue;
      const answer = answers.get(entry.id);
      answers.delete(entry.id);
      if (answer && "reason" in answer) tell({ type: "refused", entry, reason: answer.reason });
      else tell({ type: "delivered", entry, answer: answer ?? null });
    }
  }

  function takeReason(id: string): string | null {
    const answer = answers.get(id);
    answers.delete(id);
    return answer && "reason" in answer ? answer.reason : null;
  }

  function createEntry(given: NewEntry, beer: string, id: string): OutboxEntry {
    return { ...given, id, beer, memberId, postedAt: Date.now(), isRefused: false, failures: 0 };
  }

  /** Shows the entry at once, in place of `replaced`; resolves once it is stored. */
  function save(entry: OutboxEntry, replaced?: string): Promise<void> {
    const saved = store(entry, replaced);
    saving.set(entry.id, saved);
    show([...entries.get().filter(({ id }) => id !== replaced), entry]);
    return saved;
  }

  async function store(entry: OutboxEntry, replaced?: string): Promise<void> {
    try {
      if (replaced !== undefined) await saving.get(replaced);
      await storage.add(entry, replaced);
    } catch {
      saving.delete(entry.id);
      entries.set(entries.get().filter(({ id }) => id !== entry.id));
      tell({ type: "notSaved", entry });
      return;
    }
    saving.delete(entry.id);
    channel.notify();
    if (entries.get().some(({ id }) => id === entry.id)) void deliver(entry);
  }

  async function update(id: string, change: EntryChange): Promise<void> {
    if (isCleared) return;
    await storage.update(id, change);
    channel.notify();
  }

  function deliverLater(entry: OutboxEntry): void {
    const pause = retryDelay(Math.max(1, entry.failures), Math.random());
    pauses.set(
      entry.id,
      setTimeout(() => void deliver(entry), pause),
    );
  }

  function endPause(id: string): void {
    clearTimeout(pauses.get(id));
    pauses.delete(id);
  }

  /** Makes at most one attempt per entry at a time. */
  function deliver({ id, beer }: OutboxEntry): Promise<void> {
    endPause(id);
    const running = attempts.get(id);
    if (running) return running;
    // An undo waits for the answer to its beer.
    const attempt = (attempts.get(beer) ?? Promise.resolve())
      .then(() => withBeerLock(beer, () => attemptOnce(id)))
      .finally(() => attempts.delete(id))
      .then(() => refresh())
      .then(() => void answers.delete(id));
    attempts.set(id, attempt);
    return attempt;
  }

  async function attemptOnce(id: string): Promise<void> {
    const entry = isCleared ? null : await storage.update(id, (found) => found);
    if (!isRunning || entry === null || entry.isRefused) return;
    try {
      answers.set(id, await send(entry));
      await update(id, () => null);
    } catch (error) {
      if (error instanceof ApiError && !isRetryable(error.status)) {
        answers.set(id, { reason: error.message });
        await update(id, (found) => (found && !isUndo(found) ? { ...found, isRefused: true } : null));
        return;
      }
      await update(id, (found) => found && { ...found, failures: found.failures + 1 });
      void requestBackgroundSync();
    }
  }

  function deliverAll(): Promise<unknown> {
    const sendable = entries.get().filter(({ id, isRefused }) => !isRefused && !saving.has(id));
    return Promise.all(sendable.map(deliver));
  }

  function dispose(): void {
    isRunning = false;
    for (const id of [...pauses.keys()]) endPause(id);
    channel.close();
    entries.set([]);
  }

  return {
    entries,
    isStored: storage.isStored,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(given) {
      const key = createKey();
      void save(createEntry(given, key, key));
      return key;
    },
    async undo(beer, given) {
      const entry = entries.get().find(({ id }) => id === beer);
      if (entry?.isRefused) return this.discard(beer);
      await save(createEntry(given, beer, `undo ${beer}`), beer);
    },
    async retry(id) {
      await update(id, (found) => found && { ...found, isRefused: false });
      await refresh();
      const entry = entries.get().find((one) => one.id === id);
      if (entry) void deliver(entry);
    },
    async discard(id) {
      const entry = entries.get().find((one) => one.id === id);
      // An attempt without an answer may have booked the beer.
      if (entry?.isRefused && entry.failures > 0)
        return save(createEntry(undoOf(entry, entry.beer), entry.beer, `undo ${entry.beer}`), id);
      await update(id, (found) => (found?.isRefused ? null : found));
      await refresh();
    },
    start: () => void refresh(true).then(deliverAll),
    // The storage may have opened only after the start.
    sendAll: () => void refresh().then(deliverAll),
    async flush() {
      const tooLong = sleep(flushTimeoutMs);
      await Promise.all(saving.values());
      await refresh();
      // Another tab may still be sending an entry after the first round.
      for (let round = 0; round < 3 && entries.get().some(({ isRefused }) => !isRefused); round++) {
        await Promise.race([deliverAll().then(() => sleep(flushPauseMs)), tooLong]);
      }
      return entries.get().length;
    },
    async clear() {
      const left = entries.get();
      await Promise.all(saving.values());
      isRunning = false;
      for (const { id } of left) await update(id, () => null);
      isCleared = true;
      dispose();
      await storage.deleteIfEmpty();
    },
    dispose,
  };
}

export function sendEntry(entry: OutboxEntry, headers: Readonly<Record<string, string>> = {}): Promise<OutboxReply> {
  const endpoint: Endpoint = outboxEndpoints[entry.endpoint];
  const { params = {}, body } = entry;
  return callWithHeaders(endpoint, {
    params: params as never,
    ...(body && { body: body as never }),
    headers: { ...headersOf(entry), ...headers },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** TypeScript's types lack Background Sync, because not every browser supports it. */
interface WithSync extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

/** Lets the browser start the service worker once it is online, even with every tab closed (Chromium only). */
async function requestBackgroundSync(): Promise<void> {
  const registration: WithSync | undefined = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}
