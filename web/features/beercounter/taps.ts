import { useQueryClient, type QueryClient } from "@tanstack/react-query";

import { drinkBeer } from "#contract/beercounter.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useSession } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";

import { changeTally, reloadStats } from "./queries.ts";
import { booked, isWorthRepeating, pauseBefore, saySomething, settled, tapped, untapped } from "./rules.ts";

/** One beer on its way to the server. Its key makes every repetition the same beer. */
interface Tap {
  readonly key: string;
  readonly memberId: number;
  readonly failures: number;
  readonly state: "sending" | "waiting" | "refused";
}

/** All taps without an answer, and the member who is logged in: nobody's taps are sent in another one's name. */
interface Queue {
  readonly memberId: number | null;
  readonly taps: readonly Tap[];
}

/** Lives as long as the page, also over a new login of the same member. */
const queue = createStore<Queue>({ memberId: null, taps: [] });
/** A request without an answer after this many milliseconds is repeated. */
const patience = 15_000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export interface Drinking {
  /** One more beer; every call is its own. */
  drink(): void;
  /** Beers that the server did not hear of yet. */
  waiting: number;
  /** Beers that the server refused. */
  refused: number;
  /** Sends the refused ones once more. */
  retry(): void;
}

/** The yellow button and what became of its taps. */
export function useDrinking(): Drinking {
  const client = useQueryClient();
  const { user } = useSession();
  const mine = useStore(queue).taps.filter((tap) => tap.memberId === user?.id);
  return {
    drink: () => {
      if (!user) return;
      const tap: Tap = { key: newKey(), memberId: user.id, failures: 0, state: "waiting" };
      changeTaps((taps) => [...taps, tap]);
      changeTally(client, user.id, (tally) => tally && tapped(tally));
      showFlash({ type: "success", text: saySomething(Math.random()) });
      void send(client, tap.key);
    },
    waiting: mine.filter((tap) => tap.state !== "refused" && tap.failures > 0).length,
    refused: mine.filter((tap) => tap.state === "refused").length,
    retry: () => {
      for (const tap of mine.filter(({ state }) => state === "refused")) {
        changeTap(tap.key, { state: "waiting" });
        changeTally(client, tap.memberId, (tally) => tally && tapped(tally));
        void send(client, tap.key);
      }
    },
  };
}

/** From now on the taps of this member are sent; what waits goes out at once. */
export function startSending(client: QueryClient, memberId: number): void {
  queue.set({ ...queue.get(), memberId });
  for (const tap of queue.get().taps) if (tap.state === "waiting") void send(client, tap.key);
}

/** Nobody is logged in any more: nothing is sent until somebody is. */
export function stopSending(): void {
  queue.set({ ...queue.get(), memberId: null });
}

async function send(client: QueryClient, key: string): Promise<void> {
  clearTimeout(timers.get(key));
  timers.delete(key);
  const { memberId, taps } = queue.get();
  const tap = taps.find((one) => one.key === key);
  if (!tap || tap.state !== "waiting" || tap.memberId !== memberId) return;
  changeTap(key, { state: "sending" });
  try {
    const headers = { "Idempotency-Key": key };
    const reply = await call(drinkBeer, { headers, signal: AbortSignal.timeout(patience) });
    changeTaps((all) => all.filter((one) => one.key !== key));
    changeTally(client, tap.memberId, (tally) => booked(tally, reply));
    reloadStats(client);
  } catch (error) {
    // Logged out meanwhile: the tap waits for the same member to come back.
    if (!(error instanceof ApiError) || error.status === 401 || isWorthRepeating(error.status))
      repeatLater(client, tap);
    else refuse(client, tap, error.message);
  }
  const isQuiet = queue.get().taps.every((one) => one.memberId !== tap.memberId || one.state === "refused");
  if (isQuiet) changeTally(client, tap.memberId, (tally) => tally && settled(tally));
}

function repeatLater(client: QueryClient, tap: Tap): void {
  const failures = tap.failures + 1;
  changeTap(tap.key, { state: "waiting", failures });
  timers.set(
    tap.key,
    setTimeout(() => void send(client, tap.key), pauseBefore(failures, Math.random())),
  );
  // Once is a hiccup; twice is worth a word, also on other pages.
  if (failures === 2) showFlash({ type: "warning", text: "Kein Empfang: Dein Bier wartet und wird nachgetragen." });
}

function refuse(client: QueryClient, { key, memberId }: Tap, reason: string): void {
  changeTap(key, { state: "refused" });
  changeTally(client, memberId, (tally) => tally && untapped(tally));
  showFlash({ type: "error", text: `Dein Bier wurde nicht gebucht. ${reason}` });
}

function changeTap(key: string, change: Partial<Tap>): void {
  changeTaps((taps) => taps.map((tap) => (tap.key === key ? { ...tap, ...change } : tap)));
}

function changeTaps(change: (taps: readonly Tap[]) => readonly Tap[]): void {
  const { memberId, taps } = queue.get();
  queue.set({ memberId, taps: change(taps) });
}

/** A random key; randomUUID is missing where the page came over plain http. */
function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
