import { ApiError } from "./api.ts";
import { isOut, isWaiting, isWorthRepeating, newParcel, pauseBefore } from "./parcel-rules.ts";
import { alone, openParcelStore, openParcelNews, type Parcel, type ParcelStore } from "./parcel-store.ts";
import { sendLater } from "./service-worker.ts";
import { createStore, type Store } from "./store.ts";

export interface OutboxOptions<Reply> {
  /** One try; `signal` ends it when the answer takes too long. */
  deliver(parcel: Parcel, signal: AbortSignal): Promise<Reply>;
  /** Something is out that was not before: posted here, in another tab, or on an earlier visit. */
  onPosted(parcel: Parcel): void;
  /** It was taken back. `wasOut`: before the server had answered. */
  onRecalled(parcel: Parcel, wasOut: boolean): void;
  /** It has arrived. Without a reply when another tab or the worker brought it there. */
  onDelivered(parcel: Parcel, reply: Reply | null): void;
  /** The server said no. `reason` is a German sentence, null in the tabs that did not ask. */
  onRefused(parcel: Parcel, reason: string | null): void;
  /** Two tries in a row stayed without an answer; more will follow by themselves. */
  onStuck(parcel: Parcel): void;
  store?: ParcelStore;
}

export interface Outbox {
  /** Everything of the member at work that has no answer yet. */
  readonly parcels: Store<readonly Parcel[]>;
  /** Puts something on its way; resolves to its key once it is safe on this device. */
  post(memberId: number): Promise<string>;
  /** Sends a refused parcel once more, under its old key. */
  postAgain(key: string): Promise<void>;
  /** Takes something back, whether it has arrived or not. */
  recall(key: string, memberId: number): Promise<void>;
  /** From now on this member's parcels are sent, those that wait at once. Returns what stops it. */
  open(memberId: number): () => void;
  /** Gives everything one more chance, for a few seconds at most; resolves to how many are still here then. */
  flush(): Promise<number>;
  /** Throws away what the member at work has here, and every trace of it. */
  discard(): Promise<void>;
}

/** A request without an answer after this many milliseconds is repeated. */
const patience = 15_000;

/** In milliseconds. */
const flushFor = 3000;
const flushPause = 100;

/** How many things of the member at work wait for the network, for whoever wants to show it, e.g. on the app's icon. */
export const waitingParcels = createStore(0);

/**
 * Brings things to the server exactly once: what gets no answer is repeated under the same key with growing pauses. What
 * is posted lies in the browser's database before anything else happens, so that neither a reload nor a closed tab nor
 * an empty battery loses it; all tabs and the worker look into the same box, and only one sends a thing at a time.
 */
export function createOutbox<Reply>({ deliver, store = openParcelStore(), ...hooks }: OutboxOptions<Reply>): Outbox {
  const parcels = createStore<readonly Parcel[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const sending = new Map<string, Promise<void>>();
  /** Posted here and not tried before, whatever the box says in case this page dies on the way. */
  const untried = new Set<string>();
  /** What became of parcels that this tab has dealt with, until it looks at the box the next time. */
  const replies = new Map<string, Reply>();
  const reasons = new Map<string, string>();
  const recalled = new Set<string>();
  let openFor: number | null = null;

  const tellOthers = openParcelNews((key) => {
    if (key !== null) recalled.add(key);
    void look();
  });

  /** Looks into the box, and tells what has changed since the last time, whoever changed it. */
  async function look(isFirst = false): Promise<void> {
    const memberId = openFor;
    if (memberId === null) return;
    const all = await store.all();
    if (memberId !== openFor) return;
    const before = parcels.get();
    const now = all
      .filter((parcel) => parcel.memberId === memberId)
      .toSorted((one, other) => one.postedAt - other.postedAt);
    parcels.set(now);
    waitingParcels.set(now.filter(isWaiting).length);
    for (const parcel of now) {
      const was = before.find(({ key }) => key === parcel.key);
      if (isOut(parcel) && !(was && isOut(was))) hooks.onPosted(parcel);
      if (parcel.isRecalled && !was?.isRecalled && !isFirst) hooks.onRecalled(parcel, was !== undefined && isOut(was));
      if (parcel.isRefused && was && !was.isRefused) hooks.onRefused(parcel, take(reasons, parcel.key));
      if (!parcel.isRefused && !timers.has(parcel.key) && !sending.has(parcel.key)) sendIn(parcel);
    }
    for (const parcel of before) {
      if (now.some(({ key }) => key === parcel.key)) continue;
      clearTimer(parcel.key);
      const reason = take(reasons, parcel.key);
      if (recalled.delete(parcel.key)) hooks.onRecalled(parcel, isOut(parcel));
      else if (reason !== null) hooks.onRefused(parcel, reason);
      else hooks.onDelivered(parcel, take(replies, parcel.key));
    }
  }

  async function change(
    key: string,
    decide: (found: Parcel | undefined) => Parcel | null | undefined,
  ): Promise<Parcel | null> {
    const parcel = await store.change(key, decide);
    tellOthers();
    return parcel;
  }

  function sendIn({ key, failures }: Parcel): void {
    timers.set(
      key,
      setTimeout(() => void send(key), pauseBefore(Math.max(1, failures), Math.random())),
    );
  }

  function send(key: string): Promise<void> {
    clearTimer(key);
    const trying =
      sending.get(key) ??
      alone(key, () => attempt(key))
        .finally(() => sending.delete(key))
        .then(() => look());
    sending.set(key, trying);
    return trying;
  }

  async function attempt(key: string): Promise<void> {
    let isFirstTry = false;
    const parcel = await store.change(key, (found) => {
      if (found?.memberId !== openFor || found.isRefused) return found;
      isFirstTry = !found.isTried || untried.has(key);
      return found.isTried ? found : { ...found, isTried: true };
    });
    untried.delete(key);
    if (parcel === null || parcel.memberId !== openFor || parcel.isRefused) return;
    const wasOffline = !navigator.onLine;
    try {
      const reply = await deliver(parcel, AbortSignal.timeout(patience));
      replies.set(key, reply);
      reasons.delete(key);
      // What was taken back on the way is brought once more.
      await change(key, (found) => (found?.isRecalled === parcel.isRecalled ? null : found));
    } catch (error) {
      if (error instanceof ApiError && !isWorthRepeating(error.status)) return refused(parcel, error.message);
      const isTried = !(isFirstTry && wasOffline && !navigator.onLine);
      await change(key, (found) => found && { ...found, isTried, failures: found.failures + 1 });
      void sendLater();
      if (parcel.failures === 1 && !parcel.isRecalled) hooks.onStuck(parcel);
    }
  }

  async function refused(parcel: Parcel, reason: string): Promise<void> {
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
    parcels,
    async post(memberId) {
      const parcel = newParcel(memberId);
      const { key } = parcel;
      untried.add(key);
      await change(key, () => parcel);
      await look();
      void send(key);
      return key;
    },
    async postAgain(key) {
      await change(key, (found) => found && { ...found, isRefused: false, failures: 0 });
      await look();
      void send(key);
    },
    async recall(key, memberId) {
      const left = await store.change(key, (found) => {
        if (found === undefined) return { ...newParcel(memberId, key), isRecalled: true };
        return found.isTried ? { ...found, isRecalled: true, isRefused: false } : null;
      });
      if (left === null) recalled.add(key);
      tellOthers(left === null ? key : undefined);
      await look();
      void send(key);
    },
    open(memberId) {
      const isFirst = openFor !== memberId;
      if (isFirst) parcels.set([]);
      openFor = memberId;
      void look(isFirst).then(sendAll);
      return () => {
        openFor = null;
        for (const key of timers.keys()) clearTimer(key);
        parcels.set([]);
        waitingParcels.set(0);
      };
    },
    async flush() {
      const tooLong = sleep(flushFor);
      await look();
      // More than once, because another tab may be sending right now.
      for (let round = 0; round < 3 && parcels.get().some(({ isRefused }) => !isRefused); round++) {
        await Promise.race([sendAll().then(() => sleep(flushPause)), tooLong]);
      }
      return parcels.get().length;
    },
    async discard() {
      // Whatever happens meanwhile in other tabs must not look into the box again, which would put it back in its place.
      openFor = null;
      for (const { key } of parcels.get()) await change(key, () => null);
      for (const key of timers.keys()) clearTimer(key);
      parcels.set([]);
      waitingParcels.set(0);
      await store.vanish();
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
