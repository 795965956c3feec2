import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";

import type { DataOf } from "#contract/event.ts";
import { partyStarted } from "#contract/party-events.ts";
import { getParties, getParty, type ListedParty, type ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { subscribe } from "#web/client/realtime.ts";
import { useReply } from "#web/data/query-client.ts";
import {
  isSameEvening,
  partyKey,
  partyRefetchMs,
  shownPartyKey,
  useCounters,
  useCounterState,
  useJoinParty,
} from "#web/features/beers/api.ts";
import { addOwnBeers, countUnseenBeers, partyPath, partyTopic } from "#web/features/beers/party-rules.ts";
import { useAction } from "#web/forms/use-action.ts";
import { showMessage } from "#web/page/messages.tsx";
import { usePages } from "#web/page/queries.ts";
import { useMember } from "#web/page/session.ts";
import { getUserItem } from "#web/session/user-storage.ts";
import { addToRanking, guestTapsItem } from "./rules.ts";

export function useParties(): UseInfiniteQueryResult<ListedParty[]> {
  return usePages([...partyKey, "all"], getParties, ({ parties, has_more }) => ({ entries: parties, has_more }));
}

/** Adds the member's own beers that the counter knows but the loaded party does not. */
export function useParty(id: number): UseQueryResult<ShownParty> {
  const memberId = useMember()?.id;
  useCounters();
  const counters = useCounterState();
  // Rejects a stored reply that belongs to another party.
  const reply = getParty.reply.check(z.refine((party) => party.id === id));
  return useReply(
    { ...getParty, reply },
    {
      queryKey: [...shownPartyKey, id],
      request: { params: { id } },
      refetchInterval: ({ state }) => state.data?.is_running === true && partyRefetchMs,
      select: (party) => {
        const beers = countUnseenBeers(party, counters);
        return beers === 0 ? party : addToRanking(addOwnBeers(party, beers), memberId, beers);
      },
      kept: { name: "party", isCurrent: isSameEvening },
    },
  );
}

/** Sends guest taps that are still waiting from an earlier visit. */
export function useWaitingGuestTaps(): void {
  const memberId = useMember()?.id;
  useEffect(() => {
    if (memberId === undefined || getUserItem(guestTapsItem, z.literal(true)) === null) return;
    void import("./guest-taps.ts").then(({ activateGuestTaps }) => activateGuestTaps(memberId));
  }, [memberId]);
}

/** Announces that another member has started a party. */
export function usePartyLive(): void {
  const user = useMember();
  const join = useJoinParty();
  const { run: joinById } = useAction(async (id: number) => join(await call(getParty, { params: { id } })));
  const onEvent = useEffectEvent(({ id, name, userId, userName, avatarId }: DataOf<typeof partyStarted>) => {
    if (userId === user?.id || user?.is_paused) return;
    showMessage({
      type: "info",
      ...(userName === null
        ? { text: `Die Party „${name}“ beginnt.` }
        : { text: `${userName} startet die Party „${name}“.`, member: { avatarId, name: userName } }),
      link: partyPath(id),
      topic: partyTopic(id),
      action: { label: "Dabei sein", run: () => void joinById(id) },
    });
  });
  useEffect(() => subscribe(partyStarted, { onEvent, onSubscribed() {} }), []);
}
