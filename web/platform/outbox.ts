import { ApiError } from "./api.ts";
import { createStore, type Store } from "./store.ts";

/** One thing on its way to the server. Its key makes every repetition the same thing. */
export interface Parcel {
  readonly key: string;
  readonly memberId: number;
  /** Tries without an answer so far. */
  readonly failures: number;
  readonly state: "sending" | "waiting" | "refused";
}

export interface OutboxOptions<Reply> {
  /** One try; `signal` ends it when the answer takes too long. */
  deliver(key: string, signal: AbortSignal): Promise<Reply>;
  onDelivered(parcel: Parcel, reply: Reply): void;
  /** The server said no; the parcel stays until it is posted again. `reason` is a German sentence. */
  onRefused(parcel: Parcel, reason: string): void;
  /** Two tries in a row stayed without an answer; more will follow by themselves. */
  onStuck(parcel: Parcel): void;
}

export interface Outbox {
  /** Everything without an answer. */
  readonly parcels: Store<readonly Parcel[]>;
  post(memberId: number): void;
  /** Sends a refused parcel once more, under its old key. */
  postAgain(parcel: Parcel): void;
  /** From now on this member's parcels are sent, those that wait at once. Returns what stops it. */
  open(memberId: number): () => void;
}

/** A request without an answer after this many milliseconds is repeated. */
const patience = 15_000;

/**
 * Brings things to the server exactly once: what gets no answer is repeated under the same key with growing pauses.
 * Lives as long as the page, also over a new login, and never sends a member's things in another one's name.
 */
export function createOutbox<Reply>({ deliver, ...hooks }: OutboxOptions<Reply>): Outbox {
  const parcels = createStore<readonly Parcel[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let openFor: number | null = null;

  async function send(key: string): Promise<void> {
    clearTimeout(timers.get(key));
    timers.delete(key);
    const parcel = parcels.get().find((one) => one.key === key);
    if (parcel?.state !== "waiting" || parcel.memberId !== openFor) return;
    change(key, { state: "sending" });
    try {
      const reply = await deliver(key, AbortSignal.timeout(patience));
      parcels.set(parcels.get().filter((one) => one.key !== key));
      hooks.onDelivered(parcel, reply);
    } catch (error) {
      if (!(error instanceof ApiError) || isWorthRepeating(error.status)) return repeatLater(parcel);
      change(key, { state: "refused" });
      hooks.onRefused(parcel, error.message);
    }
  }

  function repeatLater(parcel: Parcel): void {
    const failures = parcel.failures + 1;
    change(parcel.key, { state: "waiting", failures });
    timers.set(
      parcel.key,
      setTimeout(() => void send(parcel.key), pauseBefore(failures, Math.random())),
    );
    if (failures === 2) hooks.onStuck(parcel);
  }

  function change(key: string, news: Partial<Parcel>): void {
    parcels.set(parcels.get().map((one) => (one.key === key ? { ...one, ...news } : one)));
  }

  return {
    parcels,
    post(memberId) {
      const key = newKey();
      parcels.set([...parcels.get(), { key, memberId, failures: 0, state: "waiting" }]);
      void send(key);
    },
    postAgain({ key }) {
      change(key, { state: "waiting" });
      void send(key);
    },
    open(memberId) {
      openFor = memberId;
      for (const { key } of parcels.get()) void send(key);
      return () => {
        openFor = null;
      };
    },
  };
}

/** Whether a try that ended with this status may end otherwise the next time; 401: once the member is back. */
export function isWorthRepeating(status: number): boolean {
  return [0, 401, 408, 409, 429].includes(status) || status >= 500;
}

/** Pause before the next try in milliseconds: 0.5 s, doubling up to 30 s, spread by a quarter either way. */
export function pauseBefore(failures: number, chance: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.75 + chance / 2);
}

/** A random key; randomUUID is missing where the page came over plain http. */
function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
