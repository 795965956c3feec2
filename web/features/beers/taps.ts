import { drinkBeer, tapBody, tapLimits, undoTap, type BeerKind } from "#contract/beercounter.ts";
import { createStore } from "#web/client/store.ts";
import { getConnection } from "#web/data/connection.ts";
import { headersOf, isPending, isWaiting } from "#web/data/outbox-rules.ts";
import type { OutboxEntry } from "#web/data/outbox-storage.ts";
import { createOutbox } from "#web/data/outbox.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useStore, getUser, useMember, type LogoutHook } from "#web/page/session.ts";
import { formatBeers } from "#web/ui/german.ts";
import {
  callForCounters,
  getCounterState,
  reloadCounters,
  reloadLatestBeer,
  reloadOwnBeers,
  reloadStats,
  updateCounterState,
  updateOwnBeers,
} from "./api.ts";
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
import { readEarlyTaps, removeEarlyTap } from "./early-taps.ts";
import { alreadyUndoneText, applyDelivery, pickSaying, sayingTopic, undoneText } from "./rules.ts";

/**
 * Books a beer. The outbox shows it at once, stores it in the browser, sends it until the server answers, and then
 * calls its hooks (`onDelivered` or `onRefused` below) in every tab of the browser.
 */
export function drink(memberId: number, kind: BeerKind): void {
  addToOutbox(memberId, kind ?? "");
}

/** `kind` is empty for a beer with alcohol. */
function addToOutbox(memberId: number, kind: string, early?: Pick<OutboxEntry, "key" | "postedAt">): void {
  const key = outbox.add(memberId, { ...early, ...(kind !== "" && { body: { kind } }) });
  const undo = { label: "Rückgängig", run: () => void undoBeer(key, memberId) };
  showMessage({
    type: "success",
    text: pickSaying(Math.random()),
    topic: sayingTopic,
    action: undo,
    anchor: beerButtonsId,
  });
  recentTaps.set([...recentTaps.get(), { key, memberId }]);
  setTimeout(() => removeRecentTap(key), undoOfferMs);
}

/** Undoes a beer by the key of its tap, no matter if the tap is stored, in flight or booked. */
export async function undoBeer(key: string, memberId: number): Promise<void> {
  removeRecentTap(key);
  await outbox.cancel(key, memberId);
  showMessage({ type: "info", text: undoneText });
}

/** The element to which flash messages with a saying are anchored. */
export const beerButtonsId = "beer-buttons";

const outbox = createOutbox<TapReply>({
  send,
  onAdded: ({ memberId }, isKept) => updateCounterState(memberId, isKept ? addPersistedTap : addTap),
  onSaved: ({ key }) => removeEarlyTap(key),
  onNotSaved({ key, memberId }) {
    removeEarlyTap(key);
    removeRecentTap(key);
    updateCounterState(memberId, removeTap);
    showMessage({
      type: "error",
      text: "Dein Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal.",
    });
  },
  onCancelled({ key, memberId }, wasPending) {
    // Another tab may have cancelled the beer.
    removeRecentTap(key);
    updateCounterState(memberId, wasPending ? removeTap : removeBooked);
  },
  onDelivered(entry, reply) {
    const { memberId, isRecalled, failures } = entry;
    // With failures, an earlier attempt may have undone the beer, whose replayed answer needs no message.
    if (isRecalled && reply?.isReplayed && failures === 0) showMessage({ type: "info", text: alreadyUndoneText });
    updateOwnBeers(memberId, (beers) => applyDelivery(beers, entry));
    updateCounterState(memberId, (state) => (isRecalled ? applyReply(state, reply) : answerTap(state, reply)));
    reloadOwnBeers();
    // A connected page gets the charts and the latest beer with an event.
    if (getConnection() !== "online") {
      reloadStats();
      reloadLatestBeer();
    }
    reloadIfOutdated(memberId);
  },
  onRefused({ memberId, isRecalled }, reason) {
    if (isRecalled) reloadCounters();
    else updateCounterState(memberId, removeTap);
    reloadIfOutdated(memberId);
    if (reason === null) return;
    const result = isRecalled ? "Dein Bier zählt weiter." : "Dein Bier wurde nicht gebucht.";
    showMessage({ type: "error", text: `${result} ${reason}` });
  },
});

function send(entry: OutboxEntry, signal: AbortSignal): Promise<TapReply> {
  const { key, isRecalled, body } = entry;
  const headers = headersOf(entry);
  if (isRecalled) return callForCounters(undoTap, { params: { key }, headers, signal });
  return callForCounters(drinkBeer, { headers, signal, ...(body && { body: tapBody.parse(body) }) });
}

function isTooOld({ postedAt }: Pick<OutboxEntry, "postedAt">): boolean {
  return Date.now() - postedAt > tapLimits.age;
}

/** Refetches the counters if an event changed them and no answer has brought them. */
function reloadIfOutdated(memberId: number): void {
  const state = getCounterState(memberId);
  if (!state || !isOutdated(state)) return;
  reloadCounters();
  reloadStats();
  reloadOwnBeers();
}

/** Returns a function that stops sending and shows the number of unsent taps. */
export function activateOutbox(memberId: number): () => void {
  const stop = outbox.activate(memberId);
  adoptEarlyTaps(memberId);
  return () => {
    const left = outbox.entries.get().filter(isPending).length;
    // After a regular logout no taps are left, because `tapsLogoutHook` has sent or deleted them.
    if (left > 0) {
      const waits = `${formatBeers(left)} ${left === 1 ? "wartet" : "warten"}`;
      showMessage({ type: "warning", text: `Du bist abgemeldet. ${waits}, bis du dich wieder anmeldest.` });
    }
    stop();
  };
}

function adoptEarlyTaps(memberId: number): void {
  for (const { key, postedAt, kind } of readEarlyTaps(memberId)) addToOutbox(memberId, kind, { key, postedAt });
}

export const tapsLogoutHook: LogoutHook = {
  async confirm() {
    // Another page of this browser may not have started yet.
    adoptEarlyTaps(getUser()?.id ?? 0);
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

const undoOfferMs = 10_000;
/** The taps whose undo this browser tab offers, the newest last. */
const recentTaps = createStore<readonly { key: string; memberId: number }[]>([]);

function removeRecentTap(key: string): void {
  recentTaps.set(recentTaps.get().filter((tap) => tap.key !== key));
}

export interface BeerTap {
  drink(kind: BeerKind): void;
  /** Number of beers without an answer from the server after at least one attempt to send them. */
  waiting: number;
  /** Must stay open until the waiting beers are sent. `null` if the browser sends them later, too (Chromium only). */
  need: "page" | "app" | null;
  rejected: number;
  /** `null` if all refused beers are too old. */
  retry: (() => void) | null;
  discard(): void;
  /** Undoes the last tap; `null` unless it was in the last 10 seconds. `key` distinguishes taps. */
  undo: { key: string; run(): void } | null;
}

export function useBeerTap(): BeerTap {
  const user = useMember();
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
      showMessage({ type: "info", text: `${formatBeers(refused.length)} verworfen.` });
    },
    undo: last ? { key: last.key, run: () => void undoBeer(last.key, last.memberId) } : null,
  };
}

/** Taps and undos that the server has not answered yet, and taps that it refused. */
export function usePendingTaps(): readonly OutboxEntry[] {
  return useStore(outbox.entries);
}
