import { useMutation, useQuery, type UseInfiniteQueryResult, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import * as z from "zod/mini";

import { guestAsked } from "#contract/guest-device.ts";
import { partyStarted } from "#contract/party-events.ts";
import { drinkGuestBeer, type PartyGuest } from "#contract/party-guests.ts";
import { getParties, getParty, type ListedParty, type ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import type { Client } from "#web/client/client.ts";
import { isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import type { OutboxEvent } from "#web/client/outbox.ts";
import { keptOptions, keyOf, replyOptions } from "#web/client/queries.ts";
import {
  isSameEvening,
  partyKeys,
  partyRefetchMs,
  useCounters,
  useCounterState,
  useJoinParty,
  useMayFetch,
} from "#web/features/beers/api.ts";
import { addOwnBeers, countUnseenBeers, partyPath, partyTopic } from "#web/features/beers/party-rules.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useEvent, usePages } from "#web/page/queries.ts";
import { useClient, useMember } from "#web/page/session.ts";
import { useCounterOf, type GuestCounter } from "./guest-counter.ts";
import { addToRanking, applyGuestTotal } from "./rules.ts";

export function useParties(): UseInfiniteQueryResult<ListedParty[]> {
  return usePages(getParties, ({ parties, has_more }) => ({ entries: parties, has_more }));
}

/** Adds the member's own beers that only the counter knows yet. Unless `isConfirmed`, it is only what is stored. */
export function useParty(id: number, isConfirmed = true): UseQueryResult<ShownParty> {
  const memberId = useMember()?.id;
  const { storage } = useClient();
  useCounters();
  const counters = useCounterState();
  // A stored reply may belong to another party.
  const kept = { ...getParty, reply: getParty.reply.check(z.refine((party) => party.id === id)) };
  return useQuery({
    ...replyOptions(getParty, { params: { id } }),
    ...keptOptions(storage, kept, "party", isSameEvening),
    enabled: useMayFetch() && isConfirmed,
    refetchInterval: ({ state }) => state.data?.is_running === true && partyRefetchMs,
    select(party) {
      const beers = countUnseenBeers(party, counters);
      return beers === 0 ? party : addToRanking(addOwnBeers(party, beers), memberId, beers);
    },
  });
}

/** Announces a new party, and what becomes of guests' beers. */
export function usePartiesLive(): void {
  const client = useClient();
  const member = useMember();
  const { mutate: join } = useJoinParty();
  const { mutate: joinById } = useMutation({
    mutationFn: (id: number) => call(getParty, { params: { id } }),
    onSuccess: (party) => join(party),
  });
  useEvent(partyStarted, ({ id, name, userId, userName, avatarId }) => {
    if (userId === member?.id) return;
    showMessage({
      type: "info",
      ...(userName === null
        ? { text: `Die Party „${name}“ beginnt.` }
        : { text: `${userName} startet die Party „${name}“.`, member: { avatarId, name: userName } }),
      link: partyPath(id),
      topic: partyTopic(id),
      action: { label: "Dabei sein", run: () => joinById(id) },
    });
  });
  useEvent(guestAsked, ({ party, name }) => {
    client.reloadSoon(...partyKeys);
    showMessage({ type: "info", text: `${name} möchte nach der Party Mitglied werden.`, link: partyPath(party) });
  });
  useEffect(() => client.outbox.listen((event) => handleGuestBeer(client, event)), [client]);
}

function isGuestBeer({ endpoint }: OutboxEntry): boolean {
  return endpoint === "drinkGuestBeer" || endpoint === "undoGuestBeer";
}

function handleGuestBeer(client: Client, event: OutboxEvent): void {
  const { entry, type } = event;
  if (!isGuestBeer(entry) || type === "added") return;
  client.reloadSoon(...partyKeys);
  if (type === "notSaved" && !isUndo(entry))
    showMessage({
      type: "error",
      text: "Das Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal.",
    });
  if (type === "delivered" && event.answer) {
    const { total } = drinkGuestBeer.reply.parse(event.answer.reply);
    client.queries.setQueriesData<ShownParty>(
      { queryKey: keyOf(getParty) },
      (party) => party && applyGuestTotal(party, entry, total),
    );
  }
  if (type !== "refused") return;
  // Not kept for another attempt, unlike the member's own.
  if (!isUndo(entry)) void client.outbox.discard(entry.id);
  if (event.reason === null) return;
  const result = isUndo(entry) ? "Das Bier zählt weiter." : "Das Bier zählt nicht.";
  showMessage({ type: "error", text: `${result} ${event.reason}` });
}

export function useGuestCounter(guest: PartyGuest): GuestCounter {
  const id = String(guest.id);
  const ofGuest = ({ endpoint, params }: OutboxEntry) =>
    (endpoint === "drinkGuestBeer" || endpoint === "undoGuestBeer") && params?.["guest"] === id;
  return useCounterOf(guest, ofGuest, { endpoint: "drinkGuestBeer", params: { guest: id } });
}
