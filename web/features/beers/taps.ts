import { skipToken, useQuery } from "@tanstack/react-query";

import { tapLimits, type BeerKind } from "#contract/beercounter.ts";
import type { Client } from "#web/client/client.ts";
import { isUndo, isWaiting, undoOf, type NewEntry, type OutboxEntry } from "#web/client/outbox-rules.ts";
import type { OutboxEvent } from "#web/client/outbox.ts";
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
import { beerButtonsId } from "./drink-buttons.tsx";
import { alreadyUndoneText, applyDelivery, pickSaying, sayingTopic, undoneText } from "./rules.ts";

/** The outbox shows and stores the beer at once; `followTaps` learns each step, in every tab. */
function drink(client: Client, kind: BeerKind): void {
  // The button is there a moment before the parts that are mounted beside the page.
  followTaps(client);
  const key = client.outbox.add({ endpoint: "drinkBeer", body: kind === null ? {} : { kind } });
  showMessage({
    type: "success",
    text: pickSaying(Math.random()),
    topic: sayingTopic,
    action: { label: "Rückgängig", run: () => void undoBeer(client, key) },
    anchor: beerButtonsId,
  });
  client.queries.setQueryData<readonly string[]>(recentTapsKey, (keys = []) => [...keys, key]);
  setTimeout(() => removeRecentTap(client, key), undoOfferMs);
}

/** Takes the drinker's id. */
export function tapForTopic(id: number): string {
  return `tap-for-${id}`;
}

export function drinkForMember(client: Client, { id, name }: { id: number; name: string }, kind: BeerKind): void {
  followTaps(client);
  const call: NewEntry = { endpoint: "drinkFor", params: { id: String(id) }, drinker: name };
  const key = client.outbox.add({ ...call, body: kind === null ? {} : { kind } });
  showMessage({
    type: "success",
    text: `Ein Strich für ${name}.`,
    topic: tapForTopic(id),
    action: { label: "Rückgängig", run: () => void undoBeer(client, key, undoOf(call, key)) },
    anchor: beerButtonsId,
  });
}

/** Undoes a stored, unanswered or booked tap. */
async function undoBeer(
  client: Client,
  key: string,
  call: NewEntry = { endpoint: "undoTap", params: { key } },
): Promise<void> {
  removeRecentTap(client, key);
  await client.outbox.undo(key, call);
  showMessage({ type: "info", text: undoneText });
}

const followed = new WeakSet<Client>();

/** Follows the taps of this client, if not yet. */
export function followTaps(client: Client): void {
  if (followed.has(client)) return;
  followed.add(client);
  client.outbox.listen((event) => {
    if (isOwnTap(event.entry)) handleTap(client, event);
    else if (isTap(event.entry)) handleTapForOther(client, event);
  });
}

function isOwnTap({ endpoint }: OutboxEntry): boolean {
  return endpoint === "drinkBeer" || endpoint === "undoTap";
}

/** Includes the member's taps for others. */
function isTap(entry: OutboxEntry): boolean {
  return isOwnTap(entry) || entry.endpoint === "drinkFor" || entry.endpoint === "undoFor";
}

function handleTap(client: Client, event: OutboxEvent): void {
  const { entry } = event;
  const update = (change: Parameters<typeof api.updateCounterState>[1]): void => api.updateCounterState(client, change);
  switch (event.type) {
    case "added":
      if (!isUndo(entry)) return update(event.isKept ? addPersistedTap : addTap);
      removeRecentTap(client, entry.beer);
      if (!event.isKept && !event.removed?.isRefused) update(event.removed ? removeTap : removeBooked);
      return;
    case "notSaved":
      removeRecentTap(client, entry.beer);
      if (isUndo(entry)) return client.reloadSoon(api.countersKey);
      update(removeTap);
      return showMessage({
        type: "error",
        text: "Dein Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal.",
      });
    case "delivered": {
      const reply = event.answer && api.readTapReply(event.answer);
      // A failed attempt may have reached the server, whose replayed answer needs no message.
      if (isUndo(entry) && reply?.isReplayed && entry.failures === 0)
        showMessage({ type: "info", text: alreadyUndoneText });
      api.updateOwnBeers(client, (beers) => applyDelivery(beers, entry));
      update((state) => (isUndo(entry) ? applyReply(state, reply) : answerTap(state, reply)));
      client.reloadSoon(api.ownBeersKey);
      // A connected page gets both with an event.
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

function handleTapForOther(client: Client, { entry, ...event }: OutboxEvent): void {
  if (event.type === "added") return;
  client.reloadSoon(api.ownBeersKey);
  const what = `Der Strich für ${entry.drinker}`;
  if (event.type === "notSaved" && !isUndo(entry))
    showMessage({ type: "error", text: `${what} ließ sich hier nicht speichern und zählt nicht.` });
  if (event.type === "refused" && event.reason !== null)
    showMessage({
      type: "error",
      text: `${what} ${isUndo(entry) ? "zählt weiter" : "wurde nicht gebucht"}. ${event.reason}`,
    });
}

/** Refetches the counters if an event changed them and no answer has brought them. */
function reloadIfOutdated(client: Client): void {
  const state = api.getCounterState(client);
  if (state && isOutdated(state)) client.reloadSoon(api.countersKey, ...api.statsKeys, api.ownBeersKey);
}

/** Returns `true` if the server would refuse the tap. */
function isTooOld({ postedAt }: OutboxEntry): boolean {
  return Date.now() - postedAt > tapLimits.age;
}

/** Milliseconds after a tap during which an undo button is shown. */
const undoOfferMs = 10_000;
const recentTapsKey = ["recent-taps"];

function removeRecentTap({ queries }: Client, key: string): void {
  queries.setQueryData<readonly string[]>(recentTapsKey, (keys = []) => keys.filter((one) => one !== key));
}

export interface Taps {
  readonly entries: readonly OutboxEntry[];
  drink(kind: BeerKind): void;
  undo(key: string, call?: NewEntry): void;
  /** `undefined` unless it was in the last ten seconds. */
  readonly last: string | undefined;
  /** Number of beers without an answer after at least one attempt. */
  readonly waiting: number;
  /** The part to keep open until the waiting beers are sent; `null` if the browser sends them anyway (Chromium only). */
  readonly need: "page" | "app" | null;
  /** Number of beers that the server refused. */
  readonly refused: number;
  /** `null` if all refused beers are too old. */
  readonly retry: (() => void) | null;
  discard(): void;
}

export function useTaps(): Taps {
  const client = useClient();
  const { outbox } = client;
  const entries = useStore(outbox.entries).filter(isTap);
  const waiting = entries.filter(isWaiting);
  const refused = entries.filter(({ isRefused }) => isRefused);
  return {
    entries,
    drink: (kind) => drink(client, kind),
    undo: (key, call) => void undoBeer(client, key, call),
    last: useQuery<readonly string[]>({ queryKey: recentTapsKey, queryFn: skipToken }).data?.at(-1),
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
