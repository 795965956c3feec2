import { drinkBeer, tapBody, tapLimits, undoTap, type BeerKind } from "#contract/beercounter.ts";
import { headersOf, isPending, isWaiting } from "#web/data/outbox-rules.ts";
import type { OutboxEntry } from "#web/data/outbox-storage.ts";
import { createOutbox } from "#web/data/outbox.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { confirm } from "#web/forms/confirm.tsx";
import { useSession, type LogoutHook } from "#web/session/session.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { formatBeers } from "#web/ui/german.ts";
import {
  addPersistedTap,
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
import { alreadyUndoneText, applyDelivery, pickSaying, sayingTopic, undoneText } from "./rules.ts";

/**
 * Books a beer: it is shown at once (`addTap`), stored on this device by the outbox, then sent until the server answers. The
 * outbox calls the hooks below with the outcome, in every tab of the browser.
 */
export function drink(memberId: number, kind: BeerKind): void {
  const key = outbox.add(memberId, kind === null ? {} : { body: { kind } });
  const undo = { label: "Rückgängig", run: () => void undoBeer(key, memberId) };
  showFlash({
    type: "success",
    text: pickSaying(Math.random()),
    topic: sayingTopic,
    action: undo,
    anchor: beerButtonsId,
  });
  recentTaps.set([...recentTaps.get(), { key, memberId }]);
  setTimeout(() => removeRecentTap(key), undoOfferMs);
}

/** Undoes a beer by the key of its tap, whether it is stored, in flight or booked. */
export async function undoBeer(key: string, memberId: number): Promise<void> {
  removeRecentTap(key);
  await outbox.cancel(key, memberId);
  showFlash({ type: "info", text: undoneText });
}

/** The element id of the buttons that flash messages with a saying are anchored to. */
export const beerButtonsId = "beer-buttons";

const outbox = createOutbox<TapReply>({
  send,
  onAdded: ({ memberId }, isKept) => updateCounterState(memberId, isKept ? addPersistedTap : addTap),
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
    // After a failed attempt, that attempt may have made this undo.
    if (isRecalled && reply?.isReplayed && failures === 0) showFlash({ type: "info", text: alreadyUndoneText });
    updateOwnBeers(memberId, (beers) => applyDelivery(beers, entry));
    updateCounterState(memberId, (state) => (isRecalled ? applyReply(state, reply) : answerTap(state, reply)));
    reloadStats();
    reloadOwnBeers();
    // The event may arrive while the page is disconnected.
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

function send(entry: OutboxEntry, signal: AbortSignal): Promise<TapReply> {
  const { key, isRecalled, body } = entry;
  const headers = headersOf(entry);
  if (isRecalled) return callForCounters(undoTap, { params: { key }, headers, signal });
  return callForCounters(drinkBeer, { headers, signal, ...(body && { body: tapBody.parse(body) }) });
}

/** Returns `true` if the server would no longer book the tap. */
function isTooOld({ postedAt }: Pick<OutboxEntry, "postedAt">): boolean {
  return Date.now() - postedAt > tapLimits.age;
}

/** Returns `true` if an answer is expected soon, so that an event about the own tap needs no fetch. */
export function isRequestInFlight(): boolean {
  return outbox.entries.get().some(({ isRefused, failures }) => !isRefused && failures === 0);
}

/** Refetches the counters after the last answer, if an event changed them without an answer. */
function reloadIfOutdated(memberId: number): void {
  const state = getCounterState(memberId);
  if (isRequestInFlight() || !state || !isOutdated(state)) return;
  reloadCounters();
  reloadStats();
  reloadOwnBeers();
}

/**
 * Starts sending this member's taps, including waiting ones. Returns a function that stops it and announces the taps that still
 * wait.
 */
export function activateOutbox(memberId: number): () => void {
  const stop = outbox.activate(memberId);
  return () => {
    const left = outbox.entries.get().filter(isPending).length;
    // After a logout none are left.
    if (left > 0) {
      const waits = `${formatBeers(left)} ${left === 1 ? "wartet" : "warten"}`;
      showFlash({ type: "warning", text: `Du bist abgemeldet. ${waits}, bis du dich wieder anmeldest.` });
    }
    stop();
  };
}

/** Sends the waiting taps before a logout, or deletes them after a question, so that none stay in the browser. */
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

/** Milliseconds after a tap during which its undo is offered beside it. */
const undoOfferMs = 10_000;
/** The taps whose undo this window offers, the newest last. */
const recentTaps = createStore<readonly { key: string; memberId: number }[]>([]);

function removeRecentTap(key: string): void {
  recentTaps.set(recentTaps.get().filter((tap) => tap.key !== key));
}

export interface BeerTap {
  /** Books one beer per call. */
  drink(kind: BeerKind): void;
  /** Number of beers without an answer after at least one attempt. */
  waiting: number;
  /**
   * The page or app that must remain open until they are sent; `null` if the browser sends them with the app closed (Chromium
   * only).
   */
  need: "page" | "app" | null;
  /** Number of beers that the server refused. */
  rejected: number;
  /** Retries refused beers; `null` if all of them are too old. */
  retry: (() => void) | null;
  /** Discards refused beers. */
  discard(): void;
  /** Undoes the last tap, offered for some seconds; `key` distinguishes taps. */
  undo: { key: string; run(): void } | null;
}

/** Returns the actions of the yellow button and the state of its taps. */
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
    need: waiting.some(({ key }) => !outbox.isStored(key)) ? "page" : "SyncManager" in globalThis ? null : "app",
    rejected: refused.length,
    retry: refused.every(isTooOld) ? null : () => refused.forEach(({ key }) => void outbox.retry(key)),
    discard() {
      for (const { key, memberId } of refused) void outbox.cancel(key, memberId);
      showFlash({ type: "info", text: `${formatBeers(refused.length)} verworfen.` });
    },
    undo: last ? { key: last.key, run: () => void undoBeer(last.key, last.memberId) } : null,
  };
}

/** Returns the member's taps and undos without an answer. */
export function usePendingTaps(): readonly OutboxEntry[] {
  return useStore(outbox.entries);
}
