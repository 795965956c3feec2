import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import * as contract from "#contract/beercounter.ts";
import { callWithHeaders, type CallOptions } from "#web/data/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { useSession } from "#web/session/session.ts";
import { setUserItem, getUserItem } from "#web/session/user-storage.ts";
import {
  applyFetched,
  createCounterState,
  displayedCounters,
  storableCounters,
  type TapReply,
  type CounterState,
} from "./counter-rules.ts";
import { throttle } from "./rules.ts";

const countersKey = ["beercounter", "counters"];
/** The common prefix of the query keys of all charts. */
export const statsKey = ["beercounter", "stats"];
/** The prefix of the query keys of statistics that events do not contain. */
export const detailsKey = [...statsKey, "details"];
/** The query key of the group's last beer. */
export const latestKey = ["beercounter", "latest"];
const ownKey = ["beercounter", "own"];
/**
 * Milliseconds between refetches of the history. A beer can be removed for only 15 minutes, so its
 * remove button must disappear in time.
 */
const historyRefetchMs = 30_000;

/** Queries the group's total and the member's own count. */
export function useCounters(): UseQueryResult<contract.Totals> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({ ...countersQuery(memberId), select: displayedCounters }, queryClient);
}

/** Returns the cached counter state without a request. */
export function useCounterState(): CounterState | undefined {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({ ...countersQuery(memberId), enabled: false }, queryClient).data;
}

function countersQuery(memberId: number) {
  return {
    queryKey: countersKeyOf(memberId),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const askedAt = getCounterState(memberId)?.group.version ?? 0;
      const reply = await callForCounters(contract.getCounters, { signal });
      const state = getCounterState(memberId) ?? createCounterState(reply);
      return storeCounters(memberId, applyFetched(state, reply, askedAt));
    },
    initialData: () => readStoredCounters(memberId),
  };
}

/** Queries the member's own beers of the last 24 hours, newest first, without pending taps. */
export function useOwnBeers(): UseQueryResult<readonly contract.OwnBeer[]> {
  const memberId = useSession().user?.id ?? 0;
  return useReply(contract.getOwnBeers, {
    queryKey: [...ownKey, memberId],
    select: ({ beers }) => beers,
    refetchInterval: historyRefetchMs,
  });
}

/** Changes the member's cached beers until they are refetched. */
export function updateOwnBeers(
  memberId: number,
  change: (beers: readonly contract.OwnBeer[]) => readonly contract.OwnBeer[],
): void {
  const key = [...ownKey, memberId];
  queryClient.setQueryData<{ beers: readonly contract.OwnBeer[] }>(key, (own) => own && { beers: change(own.beers) });
}

// Kept indefinitely, because the optimistic counts of pending taps are stored only in this cache.
queryClient.setQueryDefaults(countersKey, { gcTime: Infinity });
// Kept indefinitely, so that reopened pages show the last charts while offline.
queryClient.setQueryDefaults(statsKey, { gcTime: Infinity });

/** Minimum milliseconds between two refetches of the same data. */
export const reloadPauseMs = 500;
export const reloadStats = throttle(() => reload(statsKey), reloadPauseMs);
export const reloadCounters = throttle(() => reload(countersKey), reloadPauseMs);
export const reloadLatestBeer = throttle(() => reload(latestKey), reloadPauseMs);
export const reloadOwnBeers = throttle(() => reload(ownKey), reloadPauseMs);

/**
 * Calls an endpoint that replies with counters, and reads their version from the response headers.
 */
export async function callForCounters<
  E extends typeof contract.getCounters | typeof contract.drinkBeer | typeof contract.undoTap,
>(endpoint: E, options: CallOptions<E>): Promise<TapReply> {
  const { reply, headers } = await callWithHeaders(endpoint, options);
  const version = headers.get(contract.countersVersionHeader);
  return {
    ...contract.toTotals(reply),
    version: version === null ? null : Number(version),
    isReplayed: isReplay(headers),
  };
}

/** Returns `true` if the response is a replay: an earlier request has already made this change. */
export function isReplay(headers: Headers): boolean {
  return headers.get(contract.replayedHeader) === "true";
}

/**
 * Returns a query key that contains the member, so that the next member of this browser never sees
 * the previous member's count.
 */
function countersKeyOf(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}

export function getCounterState(memberId: number): CounterState | undefined {
  return queryClient.getQueryData<CounterState>(countersKeyOf(memberId));
}

/** Changes the counter state; does nothing if no counters are cached or stored. */
export function updateCounterState(memberId: number, change: (state: CounterState) => CounterState): void {
  const state = getCounterState(memberId) ?? readStoredCounters(memberId);
  if (state) queryClient.setQueryData(countersKeyOf(memberId), storeCounters(memberId, change(state)));
}

const storageName = "beercounter";
const storedCounters = z.extend(contract.counters, { memberId: z.int() });

/** Stores the counters in this browser, so that the next visit starts with them, even offline. */
function storeCounters(memberId: number, state: CounterState): CounterState {
  setUserItem(storageName, { ...contract.toCounters(storableCounters(state)), memberId });
  return state;
}

function readStoredCounters(memberId: number): CounterState | undefined {
  const last = getUserItem(storageName, storedCounters);
  if (last?.memberId !== memberId) return undefined;
  const kept = contract.toTotals(last);
  return { ...createCounterState(kept), kept };
}
