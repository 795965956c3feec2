import { ApiError } from "./api.ts";
import { createEntry, isPending, isRetryable, isWaiting, retryDelay } from "./outbox-rules.ts";
import {
  createOutboxStorage,
  openOutboxChannel,
  outboxSyncTag,
  withEntryLock,
  type EntryChange,
  type OutboxEntry,
  type OutboxStorage,
} from "./outbox-storage.ts";
import { findRegistration } from "./service-worker.ts";
import { createStore, type Store } from "./store.ts";

export interface OutboxOptions<Reply> {
  /** Sends the entry once; `signal` ends the request when the answer takes too long. */
  send(entry: OutboxEntry, signal: AbortSignal): Promise<Reply>;
  /** An entry is pending that was not before: added here, in another tab, or, if it was kept, on an earlier visit. */
  onAdded(entry: OutboxEntry, isKept: boolean): void;
  /** The browser could not store the new entry, so it is gone again and was never sent. */
  onNotSaved(entry: OutboxEntry): void;
  /** It was cancelled, unless the server had refused it. `wasPending`: before the server had answered. */
  onCancelled(entry: OutboxEntry, wasPending: boolean): void;
  /** It has arrived. Without a reply when another tab or the worker sent it. */
  onDelivered(entry: OutboxEntry, reply: Reply | null): void;
  /** The server refused it. `reason` is a German sentence, null in the tabs that did not send it. */
  onRefused(entry: OutboxEntry, reason: string | null): void;
  storage?: OutboxStorage;
}

export interface Outbox {
  /** Everything of the active member that has no answer yet. */
  readonly entries: Store<readonly OutboxEntry[]>;
  /** False for an entry that is lost when this page is closed, since the browser stores nothing. */
  isStored(key: string): boolean;
  /** Adds an entry, which is in `entries` at once, then stores and sends it, with what it says besides. Returns its key. */
  add(memberId: number, about?: Pick<OutboxEntry, "body">): string;
  /** Sends a refused entry again, under its old key. */
  retry(key: string): Promise<void>;
  /** Cancels an entry, whether it has arrived or not; `about` is what the cancellation says besides if it has. */
  cancel(key: string, memberId: number, about?: Pick<OutboxEntry, "body">): Promise<void>;
  /** From now on this member's entries are sent, those that wait at once. Returns a function that stops it. */
  activate(memberId: number): () => void;
  /** Tries to send everything, for a few seconds at most; resolves to the number of entries that are left. */
  flush(): Promise<number>;
  /** Deletes the active member's entries, and the database. */
  clear(): Promise<void>;
}

/** A request without an answer after this time is repeated. */
const requestTimeoutMs = 15_000;
const flushTimeoutMs = 3000;
const flushPauseMs = 100;

/** Number of entries of the active member that wait for the network, in all outboxes. Shown on the app's icon. */
export const waitingCount = createStore(0);
/** Number of waiting entries by the name of the outbox's storage. */
const waitingCounts = new Map<string, number>();

function countWaiting(name: string, entries: readonly OutboxEntry[]): void {
  waitingCounts.set(name, entries.filter(isWaiting).length);
  waitingCount.set([...waitingCounts.values()].reduce((sum, count) => sum + count, 0));
}

type Outcome<Reply> =
  | { readonly type: "delivered"; readonly reply: Reply }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "cancelled" };

/**
 * Brings entries to the server exactly once. A new entry is shown at once, stored on the device, then sent; without an
 * answer it is sent again under the same key, with growing pauses. Because it is stored before it is sent, no reload, closed
 * tab or empty battery loses it. All tabs and the worker share the stored entries, and only one sends an entry at a time.
 */
export function createOutbox<Reply>({ send, storage = createOutboxStorage(), ...hooks }: OutboxOptions<Reply>): Outbox {
  const entries = createStore<readonly OutboxEntry[]>([]);
  /** New entries that are not stored yet. */
  const saving = new Map<string, Promise<void>>();
  const attempts = new Map<string, Promise<void>>();
  /** The pauses before the next attempts. */
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  /** Added here and not sent before. The stored entry says otherwise, in case this page dies on the way. */
  const untried = new Set<string>();
  /** What this tab did to entries, until it has told the hooks. */
  const outcomes = new Map<string, Outcome<Reply>>();
  let activeMember: number | null = null;
  let lastRefresh = Promise.resolve();

  const notifyTabs = openOutboxChannel((cancelled) => {
    if (cancelled !== null) outcomes.set(cancelled, { type: "cancelled" });
    void refresh();
  });

  /** Shows what is stored, also when another tab changed it. One after the other, so that the last one read is the last one shown. */
  function refresh(isFirst = false): Promise<void> {
    const refreshed = lastRefresh.then(() => showStored(isFirst));
    lastRefresh = refreshed.catch(() => undefined);
    return refreshed;
  }

  async function showStored(isFirst: boolean): Promise<void> {
    const memberId = activeMember;
    if (memberId === null) return;
    const wasSaving = new Set(saving.keys());
    const before = new Set(entries.get().map(({ key }) => key));
    const stored = await storage.list().catch(() => entries.get());
    if (memberId !== activeMember) return;
    // What was added, or being stored, while this was read is missing in it.
    const isMissing = ({ key }: OutboxEntry): boolean =>
      (wasSaving.has(key) || !before.has(key)) && !stored.some((entry) => entry.key === key);
    const current = [...stored.filter((entry) => entry.memberId === memberId), ...entries.get().filter(isMissing)];
    show(
      current.toSorted((one, other) => one.postedAt - other.postedAt),
      isFirst,
    );
  }

  /** Replaces the entries on the screen and tells the hooks what has changed. */
  function show(current: readonly OutboxEntry[], isFirst = false): void {
    const before = entries.get();
    entries.set(current);
    countWaiting(storage.name, entries.get());
    for (const entry of current) {
      const { key } = entry;
      const known = before.find((one) => one.key === key);
      const wasPending = known !== undefined && isPending(known);
      if (isPending(entry) && !wasPending) hooks.onAdded(entry, isFirst);
      if (entry.isRecalled && !known?.isRecalled && !known?.isRefused && !isFirst) hooks.onCancelled(entry, wasPending);
      if (entry.isRefused && known && !known.isRefused) hooks.onRefused(entry, takeReason(key));
      if (!entry.isRefused && !saving.has(key) && !attempts.has(key) && !pauses.has(key)) deliverLater(entry);
    }
    for (const entry of before) if (!current.some(({ key }) => key === entry.key)) remove(entry);
  }

  function remove(entry: OutboxEntry): void {
    endPause(entry.key);
    const outcome = outcomes.get(entry.key);
    outcomes.delete(entry.key);
    if (outcome?.type === "cancelled") hooks.onCancelled(entry, isPending(entry));
    else if (outcome?.type === "refused") hooks.onRefused(entry, outcome.reason);
    else hooks.onDelivered(entry, outcome?.reply ?? null);
  }

  function takeReason(key: string): string | null {
    const outcome = outcomes.get(key);
    outcomes.delete(key);
    return outcome?.type === "refused" ? outcome.reason : null;
  }

  async function save(entry: OutboxEntry): Promise<void> {
    try {
      await storage.add(entry);
    } catch {
      untried.delete(entry.key);
      saving.delete(entry.key);
      entries.set(entries.get().filter(({ key }) => key !== entry.key));
      hooks.onNotSaved(entry);
      return;
    }
    saving.delete(entry.key);
    notifyTabs();
    void deliver(entry.key);
  }

  async function update(key: string, change: EntryChange): Promise<void> {
    await storage.update(key, change);
    notifyTabs();
  }

  function deliverLater({ key, failures }: OutboxEntry): void {
    const pause = retryDelay(Math.max(1, failures), Math.random());
    pauses.set(
      key,
      setTimeout(() => void deliver(key), pause),
    );
  }

  function endPause(key: string): void {
    clearTimeout(pauses.get(key));
    pauses.delete(key);
  }

  /** Makes one attempt, or waits for the one under way. */
  function deliver(key: string): Promise<void> {
    endPause(key);
    const running = attempts.get(key);
    if (running) return running;
    const attempt = withEntryLock(key, () => attemptOnce(key))
      .finally(() => attempts.delete(key))
      .then(() => refresh());
    attempts.set(key, attempt);
    return attempt;
  }

  async function attemptOnce(key: string): Promise<void> {
    let isFirstTry = false;
    const entry = await storage.update(key, (found) => {
      if (found?.memberId !== activeMember || found.isRefused) return found;
      isFirstTry = !found.isTried || untried.has(key);
      return found.isTried ? found : { ...found, isTried: true };
    });
    untried.delete(key);
    if (entry === null || entry.memberId !== activeMember || entry.isRefused) return;
    const wasOffline = !navigator.onLine;
    try {
      const reply = await send(entry, AbortSignal.timeout(requestTimeoutMs));
      outcomes.set(key, { type: "delivered", reply });
      // What was cancelled meanwhile stays, so that the server is told.
      await update(key, (found) => (found?.isRecalled === entry.isRecalled ? null : found));
    } catch (error) {
      if (error instanceof ApiError && !isRetryable(error.status)) return refuse(entry, error.message);
      // Without network from beginning to end it cannot have arrived.
      const isTried = !(isFirstTry && wasOffline && !navigator.onLine);
      await update(key, (found) => found && { ...found, isTried, failures: found.failures + 1 });
      void requestBackgroundSync();
    }
  }

  async function refuse(entry: OutboxEntry, reason: string): Promise<void> {
    outcomes.set(entry.key, { type: "refused", reason });
    await update(entry.key, (found) => {
      if (found?.isRecalled !== entry.isRecalled) return found;
      return found.isRecalled ? null : { ...found, isRefused: true };
    });
  }

  function deliverAll(): Promise<unknown> {
    const willing = entries.get().filter(({ key, isRefused }) => !isRefused && !saving.has(key));
    return Promise.all(willing.map(({ key }) => deliver(key)));
  }

  function reset(): void {
    activeMember = null;
    for (const key of [...pauses.keys()]) endPause(key);
    entries.set([]);
    countWaiting(storage.name, entries.get());
  }

  return {
    entries,
    isStored: storage.isStored,
    add(memberId, about) {
      const entry = createEntry(memberId, Date.now(), about);
      untried.add(entry.key);
      saving.set(entry.key, save(entry));
      if (memberId === activeMember) show([...entries.get(), entry]);
      return entry.key;
    },
    async retry(key) {
      await update(key, (found) => found && { ...found, isRefused: false, failures: 0 });
      await refresh();
      void deliver(key);
    },
    async cancel(key, memberId, about) {
      await saving.get(key);
      const left = await storage.update(key, (found) => {
        if (found === undefined) return { ...createEntry(memberId, Date.now(), { ...about, key }), isRecalled: true };
        return found.isTried ? { ...found, isRecalled: true, isRefused: false } : null;
      });
      if (left === null) outcomes.set(key, { type: "cancelled" });
      notifyTabs(left === null ? key : undefined);
      await refresh();
      void deliver(key);
    },
    activate(memberId) {
      const isFirst = activeMember !== memberId;
      if (isFirst) entries.set([]);
      activeMember = memberId;
      void refresh(isFirst).then(deliverAll);
      return reset;
    },
    async flush() {
      const tooLong = sleep(flushTimeoutMs);
      await Promise.all(saving.values());
      await refresh();
      // More than once, because another tab may be sending right now.
      for (let round = 0; round < 3 && entries.get().some(({ isRefused }) => !isRefused); round++) {
        await Promise.race([deliverAll().then(() => sleep(flushPauseMs)), tooLong]);
      }
      return entries.get().length;
    },
    async clear() {
      const left = entries.get();
      // From here on nothing is sent, and nothing that happens in other tabs shows the entries again.
      reset();
      await Promise.all(saving.values());
      for (const { key } of left) await update(key, () => null);
      await storage.deleteIfEmpty();
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets the worker send what waits as soon as there is network, even with every tab closed, where the browser can do that. */
async function requestBackgroundSync(): Promise<void> {
  const registration: WithSync | undefined = await findRegistration();
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}

/** Background Sync is not in the standard's types, because not every browser has it. */
interface WithSync extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}
