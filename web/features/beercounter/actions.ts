import { drinkBeer, removeBeer, tapHeaders, tapLimits, undoTap, type Counters } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { savePresence, toastMember, type toasted } from "#contract/presence.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { createOutbox } from "#web/platform/outbox.ts";
import { isWaiting } from "#web/platform/outbox-rules.ts";
import type { OutboxEntry } from "#web/platform/outbox-storage.ts";
import { confirm } from "#web/platform/confirm.tsx";
import { replaceMember, useSession, type LogoutHook } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";

import {
  updateCounterState,
  reloadCounters,
  reloadOwnBeers,
  reloadStats,
  setCounterState,
  getCounterState,
} from "./queries.ts";
import { formatBeers, applyReply, pickSaying, clearPromised, addTap, removeBooked, removeTap } from "./rules.ts";

export interface BeerTap {
  /** One more beer; every call is its own. */
  drink(): void;
  /** Beers that the server did not hear of yet, after at least one try. */
  waiting: number;
  /** Beers that the server refused. */
  rejected: number;
  /** Sends the refused ones once more. */
  retry(): void;
  /** Takes the refused ones back. */
  discard(): void;
  /** Takes the last one back, as long as it was only just tapped; `key` tells taps apart. */
  undo: { key: string; run(): void } | null;
}

/** How long after a tap its undoing is offered right beside it, in milliseconds. */
const undoOfferMs = 10_000;
/** The taps of the last moments in this window, the newest last. */
const recentTaps = createStore<readonly { key: string; memberId: number }[]>([]);

/** The yellow button and what became of its taps. */
export function useBeerTap(): BeerTap {
  const { user } = useSession();
  const mine = useStore(outbox.entries);
  const last = useStore(recentTaps).findLast(({ memberId }) => memberId === user?.id);
  const refused = mine.filter(({ isRefused }) => isRefused);
  return {
    drink: () => void (user && drink(user.id)),
    waiting: mine.filter(isWaiting).length,
    rejected: refused.length,
    retry() {
      for (const { key } of refused) void outbox.retry(key);
    },
    discard() {
      for (const { key, memberId } of refused) void undoBeer(key, memberId);
    },
    undo: last ? { key: last.key, run: () => void undoBeer(last.key, last.memberId) } : null,
  };
}

/** One's own taps that the server does not know of, or does not know that they were taken back. */
export function usePendingTaps(): readonly OutboxEntry[] {
  return useStore(outbox.entries);
}

async function drink(memberId: number): Promise<void> {
  const key = await outbox.enqueue(memberId);
  showFlash({ type: "success", text: pickSaying(Math.random()) });
  recentTaps.set([...recentTaps.get(), { key, memberId }]);
  setTimeout(() => removeRecentTap(key), undoOfferMs);
}

/** Takes a beer back by the key of its tap, wherever it is: here, on its way, or booked. */
export async function undoBeer(key: string, memberId: number): Promise<void> {
  removeRecentTap(key);
  await outbox.cancel(key, memberId);
  showFlash({ type: "info", text: "Ein Bier zurückgenommen." });
}

/** Takes a beer back that came without a key, say from another program. */
export async function removeBeerById(id: number): Promise<void> {
  try {
    await call(removeBeer, { params: { id } });
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
export function activateOutbox(memberId: number): () => void {
  return outbox.activate(memberId);
}

/** Nothing may be left behind in the browser: whoever logs out sends what waits, or throws it away. */
export const tapsLogoutHook: LogoutHook = {
  async confirm() {
    const left = await outbox.flush();
    if (left === 0) return true;
    return confirm({
      title: left === 1 ? "1 Bier wartet noch" : `${formatBeers(left)} warten noch`,
      text:
        "Noch nicht gebucht! Solange du angemeldet bleibst, passiert das von selbst, sobald du Empfang hast. " +
        "Nach dem Logout bleibt in diesem Browser nichts von dir zurück.",
      action: "Verwerfen und abmelden",
    });
  },
  clear: () => outbox.clear(),
};

const outbox = createOutbox<Counters>({
  send({ key, memberId, postedAt, isRecalled }, signal) {
    const member = { [tapHeaders.member]: String(memberId) };
    if (isRecalled) return call(undoTap, { params: { key }, headers: member, signal });
    const age = Math.max(0, Date.now() - postedAt);
    if (age > tapLimits.age) throw new ApiError(422, "Es ist älter als eine Woche.");
    return call(drinkBeer, { headers: { ...member, [tapHeaders.key]: key, [tapHeaders.age]: String(age) }, signal });
  },
  onEnqueued: ({ memberId }) => updateCounterState(memberId, addTap),
  onCancelled({ memberId }, wasOut) {
    updateCounterState(memberId, wasOut ? removeTap : removeBooked);
    settleCounters(memberId);
  },
  onDelivered({ memberId, isRecalled }, reply) {
    if (reply && !isRecalled) setCounterState(memberId, applyReply(getCounterState(memberId), reply));
    else reloadCounters();
    settleCounters(memberId);
    reloadStats();
    reloadOwnBeers();
  },
  onRefused({ memberId, isRecalled }, reason) {
    if (!isRecalled) updateCounterState(memberId, removeTap);
    settleCounters(memberId);
    if (isRecalled) reloadCounters();
    if (reason !== null)
      showFlash({ type: "error", text: isRecalled ? reason : `Dein Bier wurde nicht gebucht. ${reason}` });
  },
  onUnanswered: () => showFlash({ type: "warning", text: "Kein Empfang: Dein Bier wartet und wird nachgetragen." }),
});

/** Once nothing of this member is out any more, the screen promises no more than the server said. */
function settleCounters(memberId: number): void {
  const isOut = outbox.entries.get().some(({ isRecalled, isRefused }) => !isRecalled && !isRefused);
  if (!isOut) updateCounterState(memberId, clearPromised);
}

function removeRecentTap(key: string): void {
  recentTaps.set(recentTaps.get().filter((tap) => tap.key !== key));
}
