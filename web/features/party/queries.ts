import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";

import { getParties, getParty, type ListedParty, type ShownParty } from "#contract/party.ts";
import { queryClient, reload, useReply } from "#web/platform/query-client.ts";
import { usePages } from "#web/platform/use-pages.ts";

/** Among the counter's charts, which are loaded again after every beer and every change of a party. */
const partyKey = ["beercounter", "stats", "party"];

/** How often a running party is loaded again without a beer, since it ends by itself. */
const refetchMs = 60_000;

export function useParties(): UseInfiniteQueryResult<ListedParty[]> {
  return usePages([...partyKey, "all"], getParties, ({ parties, has_more }) => ({ entries: parties, has_more }));
}

export function useParty(id: number): UseQueryResult<ShownParty> {
  return useReply(getParty, {
    queryKey: [...partyKey, id],
    request: { params: { id } },
    refetchInterval: ({ state }) => state.data?.is_running === true && refetchMs,
  });
}

export function reloadParties(): Promise<unknown> {
  return reload(partyKey);
}

/** A tap for a guest that has been answered. */
interface GuestTap {
  readonly key: string;
  readonly isRecalled: boolean;
}

/** Shows the answer to a guest's tap until the party is loaded again. */
export function applyGuestTotal(
  { party: partyId, guest: guestId }: { readonly party: number; readonly guest: number },
  { key, isRecalled }: GuestTap,
  total: number,
): void {
  queryClient.setQueryData<ShownParty>([...partyKey, partyId], (party) => {
    const before = party?.guests.find(({ id }) => id === guestId);
    if (!party || !before) return party;
    const others = before.undo_keys.filter((one) => one !== key);
    const after = { ...before, total, undo_keys: isRecalled ? others : [...others, key] };
    return {
      ...party,
      total: party.total + total - before.total,
      guests: party.guests.map((guest) => (guest === before ? after : guest)),
    };
  });
}
