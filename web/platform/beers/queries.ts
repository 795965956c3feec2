import type { UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import * as contract from "#contract/beercounter.ts";
import { callWithHeaders, type CallOptions } from "#web/platform/api.ts";
import { queryClient, reload, useQuery, useReply } from "#web/platform/query-client.ts";
import { useSession } from "#web/platform/session.ts";
import { setUserItem, getUserItem } from "#web/platform/user-storage.ts";
import {
  applyFetched,
  createCounterState,
  displayedCounters,
  storableCounters,
  type TapReply,
  type CounterState,
} from "./counter-rules.ts";
import { coalesce } from "./rules.ts";

const countersKey = ["beercounter", "counters"];
/** Of all charts. */
export const statsKey = ["beercounter", "stats"];
/** Of the last beer of the group. */
export const latestKey = ["beercounter", "latest"];
const ownKey = ["beercounter", "own"];
/** How often the history is fetched again while it is open, because the time left for removing beers runs out. */
const historyRefetchMs = 30_000;

/** What stands on the mat: the group's total and one's own count. */
export function useCounters(): UseQueryResult<contract.Counters> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({ ...countersQuery(memberId), select: displayedCounters });
}

/** All that is known of the counters, without a request. */
export function useCounterState(): CounterState | undefined {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({ ...countersQuery(memberId), enabled: false }).data;
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

/** One's own beers of the last 24 hours, the last one first, as far as the server knows them. */
export function useOwnBeers(): UseQueryResult<readonly contract.OwnBeer[]> {
  const memberId = useSession().user?.id ?? 0;
  return useReply(contract.getOwnBeers, {
    queryKey: [...ownKey, memberId],
    select: ({ beers }) => beers,
    refetchInterval: historyRefetchMs,
  });
}

/** Changes the history as far as it is known, until it is loaded again. */
export function updateOwnBeers(
  memberId: number,
  change: (beers: readonly contract.OwnBeer[]) => readonly contract.OwnBeer[],
): void {
  const key = [...ownKey, memberId];
  queryClient.setQueryData<{ beers: readonly contract.OwnBeer[] }>(key, (own) => own && { beers: change(own.beers) });
}

// What was promised for waiting taps is kept nowhere else.
queryClient.setQueryDefaults(countersKey, { gcTime: Infinity });
// Reopened pages show the last charts while offline.
queryClient.setQueryDefaults(statsKey, { gcTime: Infinity });

const reloadPauseMs = 500;
export const reloadStats = coalesce(() => reload(statsKey), reloadPauseMs);
export const reloadCounters = coalesce(() => reload(countersKey), reloadPauseMs);
export const reloadLatestBeer = coalesce(() => reload(latestKey), reloadPauseMs);
export const reloadOwnBeers = coalesce(() => reload(ownKey), reloadPauseMs);

/** Calls an endpoint whose answer is the counters, and reads what its headers say of them. */
export async function callForCounters<
  E extends typeof contract.getCounters | typeof contract.drinkBeer | typeof contract.undoTap,
>(endpoint: E, options: CallOptions<E>): Promise<TapReply> {
  const { reply, headers } = await callWithHeaders(endpoint, options);
  const version = headers.get(contract.countersVersionHeader);
  return { ...reply, version: version === null ? null : Number(version), isReplayed: isReplay(headers) };
}

/** Returns `true` if an earlier request has already made this change. */
export function isReplay(headers: Headers): boolean {
  return headers.get(contract.replayedHeader) === "true";
}

/** Each member has a cache entry, so that the next member of this browser never sees the count of the one before. */
function countersKeyOf(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}

export function getCounterState(memberId: number): CounterState | undefined {
  return queryClient.getQueryData<CounterState>(countersKeyOf(memberId));
}

/** Does nothing while no counters are known at all. */
export function updateCounterState(memberId: number, change: (state: CounterState) => CounterState): void {
  const state = getCounterState(memberId) ?? readStoredCounters(memberId);
  if (state) queryClient.setQueryData(countersKeyOf(memberId), storeCounters(memberId, change(state)));
}

const storageName = "beercounter";
const storedCounters = z.extend(contract.counters, { memberId: z.int() });

/** The last known counters stay on this device, so that the next visit starts with them, even without reception. */
function storeCounters(memberId: number, state: CounterState): CounterState {
  setUserItem(storageName, { ...storableCounters(state), memberId });
  return state;
}

function readStoredCounters(memberId: number): CounterState | undefined {
  const last = getUserItem(storageName, storedCounters);
  return last?.memberId === memberId ? { ...createCounterState(last), kept: last } : undefined;
}
