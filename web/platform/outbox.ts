import { ApiError } from "./api.ts";
import { isPending, isWaiting, isRetryable, createEntry, retryDelay } from "./outbox-rules.ts";
import {
  withEntryLock,
  createOutboxStorage,
  openOutboxChannel,
  type OutboxEntry,
  type OutboxStorage,
} from "./outbox-storage.ts";
import { requestBackgroundSync } from "./service-worker.ts";
import { createStore, type Store } from "./store.ts";

export interface OutboxOptions<Reply> {
  /** One try; `signal` ends it when the answer takes too long. */
  send(parcel: OutboxEntry, signal: AbortSignal): Promise<Reply>;
  /** Something is out that was not before: posted here, in another tab, or on an earlier visit. */
  onEnqueued(parcel: OutboxEntry): void;
  /** It was taken back. `wasOut`: before the server had answered. */
  onCancelled(parcel: OutboxEntry, wasOut: boolean): void;
  /** It has arrived. Without a reply when another tab or the worker brought it there. */
  onDelivered(parcel: OutboxEntry, reply: Reply | null): void;
  /** The server said no. `reason` is a German sentence, null in the tabs that did not ask. */
  onRefused(parcel: OutboxEntry, reason: string | null): void;
  /** Two tries in a row stayed without an answer; more will follow by themselves. */
  onUnanswered(parcel: OutboxEntry): void;
  storage?: OutboxStorage;
}

export interface Outbox {
  /** Everything of the member at work that has no answer yet. */
  readonly entries: Store<readonly OutboxEntry[]>;
  /** Puts something on its way; resolves to its key once it is safe on this device. */
  enqueue(memberId: number): Promise<string>;
  /** Sends a refused parcel once more, under its old key. */
  retry(key: string): Promise<void>;
  /** Takes something back, whether it has arrived or not. */
  cancel(key: string, memberId: number): Promise<void>;
  /** From now on this member's parcels are sent, those that wait at once. Returns what stops it. */
  activate(memberId: number): () => void;
  /** Gives everything one more chance, for a few seconds at most; resolves to how many are still here then. */
  flush(): Promise<number>;
  /** Throws away what the member at work has here, and every trace of it. */
  clear(): Promise<void>;
}

/** A request without an answer after this many milliseconds is repeated. */
const requestTimeoutMs = 15_000;

/** In milliseconds. */
const flushTimeoutMs = 3000;
const flushPauseMs = 100;

/** How many things of the member at work wait for the network, for whoever wants to show it, e.g. on the app's icon. */
export const waitingCount = createStore(0);

/**
 * Brings things to the server exactly once: what gets no answer is repeated under the same key with growing pauses. What
 * is posted lies in the browser's database before anything else happens, so that neither a reload nor a closed tab nor
 * an empty battery loses it; all tabs and the worker look into the same box, and only one sends a thing at a time.
 */
export function createOutbox<Reply>({
  send: request,
  storage = createOutboxStorage(),
  ...hooks
}: OutboxOptions<Reply>): Outbox {
  const parcels = createStore<readonly OutboxEntry[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const sending = new Map<string, Promise<void>>();
  /** Posted here and not tried before, whatever the box says in case this page dies on the way. */
  const untried = new Set<string>();
  /** What became of parcels that this tab has dealt with, until it looks at the box the next time. */
  const replies = new Map<string, Reply>();
  const reasons = new Map<string, string>();
  const recalled = new Set<string>();
  let openFor: number | null = null;

  const tellOthers = openOutboxChannel((key) => {
    if (key !== null) recalled.add(key);
    void look();
  });

  /** Looks into the box, and tells what has changed since the last time, whoever changed it. */
  async function look(isFirst = false): Promise<void> {
    const memberId = openFor;
    if (memberId === null) return;
    const all = await storage.list();
    if (memberId !== openFor) return;
    const before = parcels.get();
    const now = all
      .filter((parcel) => parcel.memberId === memberId)
      .toSorted((one, other) => one.postedAt - other.postedAt);
    parcels.set(now);
    waitingCount.set(now.filter(isWaiting).length);
    for (const parcel of now) {
      const was = before.find(({ key }) => key === parcel.key);
      if (isPending(parcel) && !(was && isPending(was))) hooks.onEnqueued(parcel);
      if (parcel.isRecalled && !was?.isRecalled && !isFirst)
        hooks.onCancelled(parcel, was !== undefined && isPending(was));
      if (parcel.isRefused && was && !was.isRefused) hooks.onRefused(parcel, take(reasons, parcel.key));
      if (!parcel.isRefused && !timers.has(parcel.key) && !sending.has(parcel.key)) sendIn(parcel);
    }
    for (const parcel of before) {
      if (now.some(({ key }) => key === parcel.key)) continue;
      clearTimer(parcel.key);
      const reason = take(reasons, parcel.key);
      if (recalled.delete(parcel.key)) hooks.onCancelled(parcel, isPending(parcel));
      else if (reason !== null) hooks.onRefused(parcel, reason);
      else hooks.onDelivered(parcel, take(replies, parcel.key));
    }
  }

  async function change(
    key: string,
    decide: (found: OutboxEntry | undefined) => OutboxEntry | null | undefined,
  ): Promise<OutboxEntry | null> {
    const parcel = await storage.update(key, decide);
    tellOthers();
    return parcel;
  }

  function sendIn({ key, failures }: OutboxEntry): void {
    timers.set(
      key,
      setTimeout(() => void send(key), retryDelay(Math.max(1, failures), Math.random())),
    );
  }

  function send(key: string): Promise<void> {
    clearTimer(key);
    const trying =
      sending.get(key) ??
      withEntryLock(key, () => attempt(key))
        .finally(() => sending.delete(key))
        .then(() => look());
    sending.set(key, trying);
    return trying;
  }

  async function attempt(key: string): Promise<void> {
    let isFirstTry = false;
    const parcel = await storage.update(key, (found) => {
      if (found?.memberId !== openFor || found.isRefused) return found;
      isFirstTry = !found.isTried || untried.has(key);
      return found.isTried ? found : { ...found, isTried: true };
    });
    untried.delete(key);
    if (parcel === null || parcel.memberId !== openFor || parcel.isRefused) return;
    const wasOffline = !navigator.onLine;
    try {
      const reply = await request(parcel, AbortSignal.timeout(requestTimeoutMs));
      replies.set(key, reply);
      reasons.delete(key);
      // What was taken back on the way is brought once more.
      await change(key, (found) => (found?.isRecalled === parcel.isRecalled ? null : found));
    } catch (error) {
      if (error instanceof ApiError && !isRetryable(error.status)) return refused(parcel, error.message);
      const isTried = !(isFirstTry && wasOffline && !navigator.onLine);
      await change(key, (found) => found && { ...found, isTried, failures: found.failures + 1 });
      void requestBackgroundSync();
      if (parcel.failures === 1 && !parcel.isRecalled) hooks.onUnanswered(parcel);
    }
  }

  async function refused(parcel: OutboxEntry, reason: string): Promise<void> {
    reasons.set(parcel.key, reason);
    await change(parcel.key, (found) => {
      if (found?.isRecalled !== parcel.isRecalled) return found;
      return found.isRecalled ? null : { ...found, isRefused: true };
    });
  }

  function clearTimer(key: string): void {
    clearTimeout(timers.get(key));
    timers.delete(key);
  }

  function sendAll(): Promise<unknown> {
    const willing = parcels.get().filter(({ isRefused }) => !isRefused);
    return Promise.all(willing.map(({ key }) => send(key)));
  }

  return {
    entries: parcels,
    async enqueue(memberId) {
      const parcel = createEntry(memberId);
      const { key } = parcel;
      untried.add(key);
      await change(key, () => parcel);
      await look();
      void send(key);
      return key;
    },
    async retry(key) {
      await change(key, (found) => found && { ...found, isRefused: false, failures: 0 });
      await look();
      void send(key);
    },
    async cancel(key, memberId) {
      const left = await storage.update(key, (found) => {
        if (found === undefined) return { ...createEntry(memberId, key), isRecalled: true };
        return found.isTried ? { ...found, isRecalled: true, isRefused: false } : null;
      });
      if (left === null) recalled.add(key);
      tellOthers(left === null ? key : undefined);
      await look();
      void send(key);
    },
    activate(memberId) {
      const isFirst = openFor !== memberId;
      if (isFirst) parcels.set([]);
      openFor = memberId;
      void look(isFirst).then(sendAll);
      return () => {
        openFor = null;
        for (const key of timers.keys()) clearTimer(key);
        parcels.set([]);
        waitingCount.set(0);
      };
    },
    async flush() {
      const tooLong = sleep(flushTimeoutMs);
      await look();
      // More than once, because another tab may be sending right now.
      for (let round = 0; round < 3 && parcels.get().some(({ isRefused }) => !isRefused); round++) {
        await Promise.race([sendAll().then(() => sleep(flushPauseMs)), tooLong]);
      }
      return parcels.get().length;
    },
    async clear() {
      // Whatever happens meanwhile in other tabs must not look into the box again, which would put it back in its place.
      openFor = null;
      for (const { key } of parcels.get()) await change(key, () => null);
      for (const key of timers.keys()) clearTimer(key);
      parcels.set([]);
      waitingCount.set(0);
      await storage.deleteIfEmpty();
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function take<Value>(map: Map<string, Value>, key: string): Value | null {
  const value = map.get(key) ?? null;
  map.delete(key);
  return value;
}
