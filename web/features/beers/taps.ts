import { tapLimits, type BeerKind } from "#contract/beercounter.ts";
import type { Client } from "#web/client/client.ts";
import { isUndo, isWaiting, type OutboxEntry } from "#web/client/outbox-rules.ts";
import type { OutboxEvent } from "#web/client/outbox.ts";
import { createStore } from "#web/client/store.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useClient, useStore } from "#web/page/session.ts";
import { formatBeers } from "#web/ui/german.ts";
import * as api from "./api.ts";
import {
  addPersistedTap,
  addTap,
  answerTap,
  applyReply,
  isOutdated,
  removeBooked,
  removeTap,
} from "./counter-rules.ts";
import { alreadyUndoneText, applyDelivery, pickSaying, sayingTopic, undoneText } from "./rules.ts";

/** The element id of the drink buttons, to which messages with a saying are anchored. */
export const beerButtonsId = "beer-buttons";

/**
 * Books a beer. The outbox shows the beer at once, stores it in the browser, and sends it until the server answers;
 * `handleTap` below learns each step, in every tab of the browser.
 */
function drink(client: Client, kind: BeerKind): void {
  const key = client.outbox.add({ endpoint: "drinkBeer", body: kind === null ? {} : { kind } });
  showMessage({
    type: "success",
    text: pickSaying(Math.random()),
    topic: sayingTopic,
    action: { label: "Rückgängig", run: () => void undoBeer(client, key) },
    anchor: beerButtonsId,
  });
  recentTaps.set([...recentTaps.get(), key]);
  setTimeout(() => removeRecentTap(key), undoOfferMs);
}

/** Undoes a beer by the idempotency key of its tap, no matter if the tap is stored, in flight or booked. */
async function undoBeer({ outbox }: Client, key: string): Promise<void> {
  removeRecentTap(key);
  await outbox.undo(key, { endpoint: "undoTap", params: { key } });
  showMessage({ type: "info", text: undoneText });
}

/** Sends the member's taps and shows what becomes of them, until the returned function is called. */
export function followTaps(client: Client): () => void {
  const stop = client.outbox.listen((event) => {
    if (isTap(event.entry)) handleTap(client, event);
  });
  client.outbox.start();
  return () => {
    stop();
    recentTaps.set([]);
  };
}

function isTap({ endpoint }: OutboxEntry): boolean {
  return endpoint === "drinkBeer" || endpoint === "undoTap";
}

function handleTap(client: Client, event: OutboxEvent): void {
  const { entry } = event;
  const update = (change: Parameters<typeof api.updateCounterState>[1]): void => api.updateCounterState(client, change);
  switch (event.type) {
    case "added":
      if (!isUndo(entry)) return update(event.isKept ? addPersistedTap : addTap);
      removeRecentTap(entry.beer);
      if (!event.isKept) update(event.removed ? removeTap : removeBooked);
      return;
    case "notSaved":
      removeRecentTap(entry.beer);
      if (isUndo(entry)) return client.reloadSoon(api.countersKey);
      update(removeTap);
      return showMessage({
        type: "error",
        text: "Dein Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal.",
      });
    case "delivered": {
      const reply = event.answer && api.readTapReply(event.answer);
      // After a failed attempt, the server may replay its answer to that attempt, which needs no message.
      if (isUndo(entry) && reply?.isReplayed && entry.failures === 0)
        showMessage({ type: "info", text: alreadyUndoneText });
      api.updateOwnBeers(client, (beers) => applyDelivery(beers, entry));
      update((state) => (isUndo(entry) ? applyReply(state, reply) : answerTap(state, reply)));
      client.reloadSoon(api.ownBeersKey);
      // A connected page gets the charts and the latest beer with an event.
      if (client.realtime.connection.get() !== "online") client.reloadSoon(...api.statsKeys, api.latestKey);
      return reloadIfOutdated(client);
    }
    case "refused": {
      if (isUndo(entry)) client.reloadSoon(api.countersKey);
      else update(removeTap);
      reloadIfOutdated(client);
      if (event.reason === null) return;
      const result = isUndo(entry) ? "Dein Bier zählt weiter." : "Dein Bier wurde nicht gebucht.";
      showMessage({ type: "error", text: `${result} ${event.reason}` });
    }
  }
}

/** Refetches the counters if an event changed them and no answer has brought them. */
function reloadIfOutdated(client: Client): void {
  const state = api.getCounterState(client);
  if (state && isOutdated(state)) client.reloadSoon(api.countersKey, ...api.statsKeys, api.ownBeersKey);
}

/** Returns `true` if the server would refuse the tap because of its age. */
function isTooOld({ postedAt }: OutboxEntry): boolean {
  return Date.now() - postedAt > tapLimits.age;
}

/** Milliseconds after a tap during which an undo button is shown. */
const undoOfferMs = 10_000;
/** Keys of the taps whose undo this browser tab offers, the newest last. */
const recentTaps = createStore<readonly string[]>([]);

function removeRecentTap(key: string): void {
  recentTaps.set(recentTaps.get().filter((one) => one !== key));
}

export interface Taps {
  /** The taps and undos that the server has not answered, and the taps that it refused. */
  readonly entries: readonly OutboxEntry[];
  drink(kind: BeerKind): void;
  undo(key: string): void;
  /** Key of the last tap; `undefined` unless it was in the last ten seconds. */
  readonly last: string | undefined;
  /** Number of beers without an answer from the server after at least one attempt to send them. */
  readonly waiting: number;
  /**
   * The page or app that the member must keep open until the waiting beers are sent; `null` if the browser sends them
   * even after the app is closed (Chromium only).
   */
  readonly need: "page" | "app" | null;
  /** Number of beers that the server refused. */
  readonly refused: number;
  /** Retries the refused beers; `null` if all of them are too old. */
  readonly retry: (() => void) | null;
  discard(): void;
}

/** Returns the member's taps and what the drink buttons do. */
export function useTaps(): Taps {
  const client = useClient();
  const { outbox } = client;
  const entries = useStore(outbox.entries).filter(isTap);
  const waiting = entries.filter(isWaiting);
  const refused = entries.filter(({ isRefused }) => isRefused);
  return {
    entries,
    drink: (kind) => drink(client, kind),
    undo: (key) => void undoBeer(client, key),
    last: useStore(recentTaps).at(-1),
    waiting: waiting.length,
    need: waiting.some(({ id }) => !outbox.isStored(id)) ? "page" : "SyncManager" in globalThis ? null : "app",
    refused: refused.length,
    retry: refused.every(isTooOld) ? null : () => refused.forEach(({ id }) => void outbox.retry(id)),
    discard() {
      for (const { id } of refused) void outbox.discard(id);
      showMessage({ type: "info", text: `${formatBeers(refused.length)} verworfen.` });
    },
  };
}
