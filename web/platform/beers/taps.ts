import { drinkBeer, tapBody, tapHeaders, tapLimits, undoTap, type BeerKind } from "#contract/beercounter.ts";
import { confirm } from "#web/platform/confirm.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { isPending, isWaiting } from "#web/platform/outbox-rules.ts";
import type { OutboxEntry } from "#web/platform/outbox-storage.ts";
import { createOutbox } from "#web/platform/outbox.ts";
import { useSession, type LogoutHook } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";
import { formatBeers } from "#web/ui/german.ts";
import {
  addKeptTap,
  addTap,
  answerTap,
  applyReply,
  isOutdated,
  removeBooked,
  removeTap,
  type TapReply,
} from "./counter-rules.ts";
import {
  callForCounters,
  getCounterState,
  reloadCounters,
  reloadLatestBeer,
  reloadOwnBeers,
  reloadStats,
  updateCounterState,
  updateOwnBeers,
} from "./queries.ts";
import { alreadyUndoneText, applyDelivery, pickSaying, undoneText } from "./rules.ts";

/**
 * The life of a tap: it is on the screen at once (`addTap`) while the outbox stores it on this device, then sends it until
 * the server has answered, and calls the functions below with the outcome, in every tab of the browser.
 */
export function drink(memberId: number, kind: BeerKind): void {
  const key = outbox.add(memberId, kind === null ? {} : { body: { kind } });
  const undo = { label: "Rückgängig", run: () => void undoBeer(key, memberId) };
  showFlash({ type: "success", text: pickSaying(Math.random()), action: undo, anchor: beerButtonsId });
  recentTaps.set([...recentTaps.get(), { key, memberId }]);
  setTimeout(() => removeRecentTap(key), undoOfferMs);
}

/** Takes a beer back by the key of its tap, wherever it is: here, on its way, or booked. */
export async function undoBeer(key: string, memberId: number): Promise<void> {
  removeRecentTap(key);
  await outbox.cancel(key, memberId);
  showFlash({ type: "info", text: undoneText });
}

/** Of what the sayings slide out from behind. */
export const beerButtonsId = "beer-buttons";

const outbox = createOutbox<TapReply>({
  send,
  onAdded: ({ memberId }, isKept) => updateCounterState(memberId, isKept ? addKeptTap : addTap),
  onNotSaved({ key, memberId }) {
    removeRecentTap(key);
    updateCounterState(memberId, removeTap);
    showFlash({ type: "error", text: "Dein Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal." });
  },
  onCancelled({ key, memberId }, wasPending) {
    // Another tab may have cancelled it.
    removeRecentTap(key);
    updateCounterState(memberId, wasPending ? removeTap : removeBooked);
  },
  onDelivered(entry, reply) {
    const { memberId, isRecalled, failures } = entry;
    // After a failed try it may have been that one which took the beer back.
    if (isRecalled && reply?.isReplayed && failures === 0) showFlash({ type: "info", text: alreadyUndoneText });
    updateOwnBeers(memberId, (beers) => applyDelivery(beers, entry));
    updateCounterState(memberId, (state) => (isRecalled ? applyReply(state, reply) : answerTap(state, reply)));
    reloadStats();
    reloadOwnBeers();
    // Its event may come while the page is cut off.
    reloadLatestBeer();
    reloadIfOutdated(memberId);
  },
  onRefused({ memberId, isRecalled }, reason) {
    if (isRecalled) reloadCounters();
    else updateCounterState(memberId, removeTap);
    reloadIfOutdated(memberId);
    if (reason === null) return;
    const result = isRecalled ? "Dein Bier zählt weiter." : "Dein Bier wurde nicht gebucht.";
    showFlash({ type: "error", text: `${result} ${reason}` });
  },
});

function send({ key, memberId, postedAt, isRecalled, body }: OutboxEntry, signal: AbortSignal): Promise<TapReply> {
  const member = { [tapHeaders.member]: String(memberId) };
  if (isRecalled) return callForCounters(undoTap, { params: { key }, headers: member, signal });
  const age = Math.max(0, Date.now() - postedAt);
  const headers = { ...member, [tapHeaders.key]: key, [tapHeaders.age]: String(age) };
  return callForCounters(drinkBeer, { headers, signal, ...(body && { body: tapBody.parse(body) }) });
}

/** Whether the server would not book it any more. */
function isTooOld({ postedAt }: Pick<OutboxEntry, "postedAt">): boolean {
  return Date.now() - postedAt > tapLimits.age;
}

/** Whether an answer is about to come, so that an event of the own tap needs no fetch. */
export function isAnswerExpected(): boolean {
  return outbox.entries.get().some(({ isRefused, failures }) => !isRefused && failures === 0);
}

/** After the last answer: fetches what changed by an event and was in no answer. */
function reloadIfOutdated(memberId: number): void {
  const state = getCounterState(memberId);
  if (isAnswerExpected() || !state || !isOutdated(state)) return;
  reloadCounters();
  reloadStats();
  reloadOwnBeers();
}

/** From now on this member's taps are sent, those that wait at once. Returns a function that stops it, and says what still waits. */
export function activateOutbox(memberId: number): () => void {
  const stop = outbox.activate(memberId);
  return () => {
    const left = outbox.entries.get().filter(isPending).length;
    // A logout has left nothing.
    if (left > 0) {
      const waits = `${formatBeers(left)} ${left === 1 ? "wartet" : "warten"}`;
      showFlash({ type: "warning", text: `Du bist abgemeldet. ${waits}, bis du dich wieder anmeldest.` });
    }
    stop();
  };
}

/** Nothing may be left behind in the browser: at a logout what waits is sent, or deleted after a question. */
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

/** How long after a tap its undo is offered right beside it. */
const undoOfferMs = 10_000;
/** The taps for which this window offers the undo, the newest last. */
const recentTaps = createStore<readonly { key: string; memberId: number }[]>([]);

function removeRecentTap(key: string): void {
  recentTaps.set(recentTaps.get().filter((tap) => tap.key !== key));
}

export interface BeerTap {
  /** One more beer; every call is its own. */
  drink(kind: BeerKind): void;
  /** Beers without an answer after at least one try. */
  waiting: number;
  /** What must be open until they are sent; `null` if the browser sends them with the app closed (Chromium only). */
  need: "page" | "app" | null;
  /** Beers that the server refused. */
  rejected: number;
  /** Sends the refused ones again; null where all of them have become too old for that. */
  retry: (() => void) | null;
  /** Takes the refused ones back. */
  discard(): void;
  /** Takes the last one back for some seconds after its tap; `key` tells taps apart. */
  undo: { key: string; run(): void } | null;
}

/** The yellow button and what became of its taps. */
export function useBeerTap(): BeerTap {
  const { user } = useSession();
  const entries = useStore(outbox.entries);
  const last = useStore(recentTaps).findLast(({ memberId }) => memberId === user?.id);
  const waiting = entries.filter(isWaiting);
  const refused = entries.filter(({ isRefused }) => isRefused);
  return {
    drink(kind) {
      if (user) drink(user.id, kind);
    },
    waiting: waiting.length,
    need: waiting.some(({ key }) => !outbox.isStored(key)) ? "page" : "SyncManager" in window ? null : "app",
    rejected: refused.length,
    retry: refused.every(isTooOld) ? null : () => refused.forEach(({ key }) => void outbox.retry(key)),
    discard() {
      for (const { key, memberId } of refused) void outbox.cancel(key, memberId);
      showFlash({ type: "info", text: `${formatBeers(refused.length)} verworfen.` });
    },
    undo: last ? { key: last.key, run: () => void undoBeer(last.key, last.memberId) } : null,
  };
}

/** One's own taps, and undos, that the server has not answered yet. */
export function usePendingTaps(): readonly OutboxEntry[] {
  return useStore(outbox.entries);
}
