import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import { getParties, getParty, type ListedParty, type ShownParty } from "#contract/party.ts";
import { queryClient, useReply } from "#web/data/query-client.ts";
import { usePages } from "#web/data/use-pages.ts";
import { useSession } from "#web/session/session.ts";
import { useCounters, useCounterState } from "#web/shared/beers/queries.ts";
import { isSameEvening, partyKey, partyRefetchMs, shownPartyKey } from "#web/shared/parties/queries.ts";
import { addOwnBeers, countUnseenBeers } from "#web/shared/parties/rules.ts";
import { addToRanking } from "./rules.ts";

export function useParties(): UseInfiniteQueryResult<ListedParty[]> {
  return usePages([...partyKey, "all"], getParties, ({ parties, has_more }) => ({ entries: parties, has_more }));
}

/**
 * Loads a party and adds the member's own beers that the counter knows but the loaded party does
 * not.
 */
export function useParty(id: number): UseQueryResult<ShownParty> {
  const memberId = useSession().user?.id;
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

/** A guest's tap, or its undo (`isRecalled`), that the server has booked. */
interface GuestTap {
  readonly key: string;
  readonly isRecalled: boolean;
}

/**
 * Updates a guest's beers in the cached party from the reply to a tap, until the party is
 * refetched.
 */
export function applyGuestTotal(
  { party: partyId, guest: guestId }: { readonly party: number; readonly guest: number },
  { key, isRecalled }: GuestTap,
  total: number,
): void {
  queryClient.setQueryData<ShownParty>([...shownPartyKey, partyId], (party) => {
    const before = party?.guests.find(({ id }) => id === guestId);
    if (!party || !before) return party;
    const others = before.undo_keys.filter((one) => one !== key);
    const after = { ...before, total, undo_keys: isRecalled ? others : [...others, key] };
    return {
      ...party,
      total: party.total + total - before.total,
      guest_total: party.guest_total + total - before.total,
      guests: party.guests.map((guest) => (guest === before ? after : guest)),
    };
  });
}
