import { findRegistration } from "#web/pwa/service-worker.ts";
import { ApiError } from "./api.ts";
import { createEntry, isPending, isRetryable, isWaiting, removeDelivered, retryDelay } from "./outbox-rules.ts";
import {
  createOutboxStorage,
  openOutboxChannel,
  outboxSyncTag,
  withEntryLock,
  type EntryChange,
  type OutboxEntry,
  type OutboxStorage,
} from "./outbox-storage.ts";
import { createStore, type Store } from "./store.ts";

export interface OutboxOptions<Reply> {
  /** Sends the entry's request once; `signal` aborts the request when it times out. */
  send(entry: OutboxEntry, signal: AbortSignal): Promise<Reply>;
  /**
   * Called for an entry that becomes pending, even if another tab added it. `isKept` is `true` if
   * an earlier visit stored the entry.
   */
  onAdded(entry: OutboxEntry, isKept: boolean): void;
  /** Called when a new entry is stored. */
  onSaved?(entry: OutboxEntry): void;
  /**
   * Called when the browser could not store a new entry. The entry is removed and was never sent.
   */
  onNotSaved(entry: OutboxEntry): void;
  /**
   * Called when an entry is cancelled, unless the server had refused it. `wasPending` is `true` if
   * the server had not answered yet.
   */
  onCancelled(entry: OutboxEntry, wasPending: boolean): void;
  /**
   * Called when an entry is delivered; `reply` is `null` if another tab or the service worker sent
   * the entry.
   */
  onDelivered(entry: OutboxEntry, reply: Reply | null): void;
  /**
   * Called when the server refuses an entry. `reason` is a German sentence; `null` in tabs that did
   * not send the entry.
   */
  onRefused(entry: OutboxEntry, reason: string | null): void;
  storage?: OutboxStorage;
}

export interface Outbox {
  /** The active member's entries that the server has not answered, or has refused. */
  readonly entries: Store<readonly OutboxEntry[]>;
  /**
   * Returns `false` for an entry that is lost when this page closes, because the browser refuses
   * storage.
   */
  isStored(key: string): boolean;
  /**
   * Adds an entry to `entries` at once, then stores and sends it. Returns its idempotency key, which is new unless
   * `about` has one.
   */
  add(memberId: number, about?: Partial<Pick<OutboxEntry, "key" | "postedAt" | "body">>): string;
  /** Retries a refused entry under the same key. */
  retry(key: string): Promise<void>;
  /**
   * Cancels a pending, refused or delivered entry. `about` has the body of the request that cancels
   * a delivered entry.
   */
  cancel(key: string, memberId: number, about?: Pick<OutboxEntry, "body">): Promise<void>;
  /**
   * Starts sending this member's entries, including stored ones. Returns a function that stops
   * sending them.
   */
  activate(memberId: number): () => void;
  /**
   * Tries for at most three seconds to send all entries; resolves to the number of entries left,
   * including refused ones.
   */
  flush(): Promise<number>;
  /** Deletes the active member's entries, and the database if it is then empty. */
  clear(): Promise<void>;
}

/** Milliseconds after which an unanswered request is aborted and retried later. */
const requestTimeoutMs = 15_000;
const flushTimeoutMs = 3000;
const flushPauseMs = 100;

/**
 * Number of the active member's entries in all outboxes that are pending after a failed attempt to
 * send them. Shown as the badge of the app's icon.
 */
export const waitingCount = createStore(0);
/** The same number for each outbox, by storage name. */
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
 * Creates an outbox that delivers entries to the server exactly once. An entry is stored in the
 * browser before it is sent, so that it survives reloads and closed tabs, and is retried with
 * backoff under the same key. All tabs and the service worker share the storage, and only one of
 * them sends an entry at a time.
 */
export function createOutbox<Reply>({ send, storage = createOutboxStorage(), ...hooks }: OutboxOptions<Reply>): Outbox {
  const entries = createStore<readonly OutboxEntry[]>([]);
  /** Promises of the entries that are being stored, by key. */
  const saving = new Map<string, Promise<void>>();
  const attempts = new Map<string, Promise<void>>();
  /** Timers of the next attempts to send, by key. */
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  /**
   * Keys of entries that this tab added and has not sent yet. They are already stored with
   * `isTried: true`, because this page may be closed before it can store that a request was sent.
   */
  const untried = new Set<string>();
  /**
   * Outcomes of entries (delivered, refused or cancelled) about which this tab has not called the
   * hooks yet, by key.
   */
  const outcomes = new Map<string, Outcome<Reply>>();
  let activeMember: number | null = null;
  let lastRefresh = Promise.resolve();

  const notifyTabs = openOutboxChannel((cancelled) => {
    if (cancelled !== null) outcomes.set(cancelled, { type: "cancelled" });
    void refresh();
  });

  /**
   * Shows the stored entries, e.g. after a change in another tab. Refreshes run one after the
   * other, so that the result of the newest read is shown last.
   */
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
    // Entries that were added or being stored during the read are missing in its result.
    const isMissing = ({ key }: OutboxEntry): boolean =>
      (wasSaving.has(key) || !before.has(key)) && !stored.some((entry) => entry.key === key);
    const current = [...stored.filter((entry) => entry.memberId === memberId), ...entries.get().filter(isMissing)];
    show(
      current.toSorted((one, other) => one.postedAt - other.postedAt),
      isFirst,
    );
  }

  /** Replaces the shown entries and calls the hooks for every changed entry. */
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
    hooks.onSaved?.(entry);
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

  /** Makes one attempt to send the entry, or waits for the attempt in flight. */
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
      await update(key, removeDelivered(entry));
    } catch (error) {
      if (error instanceof ApiError && !isRetryable(error.status)) return refuse(entry, error.message);
      // A request during which the browser was always offline cannot have reached the server.
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
    const sendable = entries.get().filter(({ key, isRefused }) => !isRefused && !saving.has(key));
    return Promise.all(sendable.map(({ key }) => deliver(key)));
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
      // Makes several rounds, because an entry that another tab is sending may still be left after
      // the first round.
      for (let round = 0; round < 3 && entries.get().some(({ isRefused }) => !isRefused); round++) {
        await Promise.race([deliverAll().then(() => sleep(flushPauseMs)), tooLong]);
      }
      return entries.get().length;
    },
    async clear() {
      const left = entries.get();
      // Stops sending, and ignores messages of other tabs, because a message would show the deleted
      // entries again.
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

/**
 * Asks the browser to start the service worker once it is online, even with every tab closed. Does
 * nothing in browsers without Background Sync.
 */
async function requestBackgroundSync(): Promise<void> {
  const registration: WithSync | undefined = await findRegistration();
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}

/** TypeScript's types lack Background Sync, because not every browser supports it. */
interface WithSync extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}
