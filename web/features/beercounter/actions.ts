import { drinkBeer, removeBeer, tapHeaders, tapLimits, undoTap, type Counters } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { savePresence, toastMember, type toasted } from "#contract/presence.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { createOutbox } from "#web/platform/outbox.ts";
import { isWaiting } from "#web/platform/parcel-rules.ts";
import type { Parcel } from "#web/platform/parcel-store.ts";
import { ask } from "#web/platform/question.tsx";
import { replaceMember, useSession, type Farewell } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";

import { changeTally, reloadCounters, reloadOwnBeers, reloadStats, setTally, tallyOf } from "./queries.ts";
import { beersInWords, booked, saySomething, settled, tapped, unbooked, untapped } from "./rules.ts";

export interface Drinking {
  /** One more beer; every call is its own. */
  drink(): void;
  /** Beers that the server did not hear of yet, after at least one try. */
  waiting: number;
  /** Beers that the server refused. */
  refused: number;
  /** Sends the refused ones once more. */
  retry(): void;
  /** Takes the refused ones back. */
  discard(): void;
  /** Takes the last one back, as long as it was only just tapped; `key` tells taps apart. */
  undo: { key: string; run(): void } | null;
}

/** How long after a tap its undoing is offered right beside it, in milliseconds. */
const undoFor = 10_000;
/** The taps of the last moments in this window, the newest last. */
const justTapped = createStore<readonly { key: string; memberId: number }[]>([]);

/** The yellow button and what became of its taps. */
export function useDrink(): Drinking {
  const { user } = useSession();
  const mine = useStore(taps.parcels);
  const last = useStore(justTapped).findLast(({ memberId }) => memberId === user?.id);
  const refused = mine.filter(({ isRefused }) => isRefused);
  return {
    drink: () => void (user && drink(user.id)),
    waiting: mine.filter(isWaiting).length,
    refused: refused.length,
    retry() {
      for (const { key } of refused) void taps.postAgain(key);
    },
    discard() {
      for (const { key, memberId } of refused) void takeBack(key, memberId);
    },
    undo: last ? { key: last.key, run: () => void takeBack(last.key, last.memberId) } : null,
  };
}

/** One's own taps that the server does not know of, or does not know that they were taken back. */
export function useTapsOnTheWay(): readonly Parcel[] {
  return useStore(taps.parcels);
}

async function drink(memberId: number): Promise<void> {
  const key = await taps.post(memberId);
  showFlash({ type: "success", text: saySomething(Math.random()) });
  justTapped.set([...justTapped.get(), { key, memberId }]);
  setTimeout(() => forgetTap(key), undoFor);
}

/** Takes a beer back by the key of its tap, wherever it is: here, on its way, or booked. */
export async function takeBack(key: string, memberId: number): Promise<void> {
  forgetTap(key);
  await taps.recall(key, memberId);
  showFlash({ type: "info", text: "Ein Bier zurückgenommen." });
}

/** Takes a beer back that came without a key, say from another program. */
export async function remove(id: number): Promise<void> {
  try {
    await call(removeBeer, { params: { id: String(id) } });
    showFlash({ type: "info", text: "Ein Bier zurückgenommen." });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showFlash({ type: "error", text: error.message });
  }
  reloadOwnBeers();
}

/** Answers somebody's beer. */
export async function toastBack({ userId, userName: name, avatarId }: DataOf<typeof toasted>): Promise<void> {
  showFlash({ type: "success", text: `Prost, ${name}!`, avatarId, name });
  try {
    await call(toastMember, { params: { id: userId } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showFlash({ type: "error", text: error.message });
  }
}

/** From now on one's beers are told by name again, and one's bar is back. */
export async function endPause(isShown: boolean): Promise<string> {
  const { data } = await call(savePresence, { body: { is_shown: isShown, is_paused: false } });
  replaceMember(data);
  return "Schön, dass du wieder dabei bist!";
}

/** From now on this member's taps are sent, those that wait at once. Returns what stops it. */
export function sendTaps(memberId: number): () => void {
  return taps.open(memberId);
}

/** Nothing may be left behind in the browser: whoever logs out sends what waits, or throws it away. */
export const tapsFarewell: Farewell = {
  async mayLeave() {
    const left = await taps.flush();
    if (left === 0) return true;
    const answer = await ask({
      title: left === 1 ? "1 Bier wartet noch" : `${beersInWords(left)} warten noch`,
      text:
        "Noch nicht gebucht! Solange du angemeldet bleibst, passiert das von selbst, sobald du Empfang hast. " +
        "Nach dem Logout bleibt in diesem Browser nichts von dir zurück.",
      answers: [{ value: "discard", label: "Verwerfen und abmelden", kind: "danger" }],
    });
    return answer !== null;
  },
  clear: () => taps.discard(),
};

const taps = createOutbox<Counters>({
  deliver({ key, memberId, postedAt, isRecalled }, signal) {
    const member = { [tapHeaders.member]: String(memberId) };
    if (isRecalled) return call(undoTap, { params: { key }, headers: member, signal });
    const age = Math.max(0, Date.now() - postedAt);
    if (age > tapLimits.age) throw new ApiError(422, "Es ist älter als eine Woche.");
    return call(drinkBeer, { headers: { ...member, [tapHeaders.key]: key, [tapHeaders.age]: String(age) }, signal });
  },
  onPosted: ({ memberId }) => changeTally(memberId, tapped),
  onRecalled({ memberId }, wasOut) {
    changeTally(memberId, wasOut ? untapped : unbooked);
    settle(memberId);
  },
  onDelivered({ memberId, isRecalled }, reply) {
    if (reply && !isRecalled) setTally(memberId, booked(tallyOf(memberId), reply));
    else reloadCounters();
    settle(memberId);
    reloadStats();
    reloadOwnBeers();
  },
  onRefused({ memberId, isRecalled }, reason) {
    if (!isRecalled) changeTally(memberId, untapped);
    settle(memberId);
    if (isRecalled) reloadCounters();
    if (reason !== null)
      showFlash({ type: "error", text: isRecalled ? reason : `Dein Bier wurde nicht gebucht. ${reason}` });
  },
  onStuck: () => showFlash({ type: "warning", text: "Kein Empfang: Dein Bier wartet und wird nachgetragen." }),
});

/** Once nothing of this member is out any more, the screen promises no more than the server said. */
function settle(memberId: number): void {
  const isOut = taps.parcels.get().some(({ isRecalled, isRefused }) => !isRecalled && !isRefused);
  if (!isOut) changeTally(memberId, settled);
}

function forgetTap(key: string): void {
  justTapped.set(justTapped.get().filter((tap) => tap.key !== key));
}
