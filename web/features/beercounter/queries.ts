import type { UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import * as contract from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { DataOf } from "#contract/event.ts";
import type { toasted } from "#contract/presence.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { callWithHeaders, type CallOptions } from "#web/platform/api.ts";
import { useConnection } from "#web/platform/connection.ts";
import { queryClient, reload, useQuery, useReply } from "#web/platform/query-client.ts";
import type { PresenceEntry } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";
import { setUserItem, getUserItem } from "#web/platform/user-storage.ts";
import {
  applyFetched,
  createCounterState,
  displayedCounters,
  storableCounters,
  type TapReply,
  type CounterState,
} from "./counter-rules.ts";
import { coalesce, isSameWeek } from "./rules.ts";

const countersKey = ["beercounter", "counters"];
/** Of all charts. */
export const statsKey = ["beercounter", "stats"];
const latestKey = ["beercounter", "latest"];
const ownKey = ["beercounter", "own"];
/** How often the history is fetched again while it is open, because the time left for removing beers runs out. */
const historyRefetchMs = 30_000;

/** What stands on the mat: the group's total and one's own count. */
export function useCounters(): UseQueryResult<contract.Counters> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({
    queryKey: countersKeyOf(memberId),
    queryFn: async ({ signal }) => {
      const askedAt = getCounterState(memberId)?.group.version ?? 0;
      const reply = await callForCounters(contract.getCounters, { signal });
      const state = getCounterState(memberId) ?? createCounterState(reply);
      return storeCounters(memberId, applyFetched(state, reply, askedAt));
    },
    initialData: () => readStoredCounters(memberId),
    select: displayedCounters,
  });
}

/** The ranking; `isEnabled` delays it until the counters have been fetched. */
export function useDrinkers(isEnabled: boolean): UseQueryResult<readonly contract.Drinker[]> {
  return useReply(contract.getDrinkers, {
    queryKey: [...statsKey, "user"],
    select: ({ users }) => users,
    enabled: isEnabled,
    kept: { name: "drinkers" },
  });
}

/** This week and the averages; `isEnabled` delays them until the counters have been fetched. */
export function useTimelyStats(isEnabled: boolean): UseQueryResult<contract.TimelyStats> {
  const endpoint = { ...contract.getTimelyStats, reply: contract.receivedTimelyStats };
  const { time_zone: timeZone } = useGroup();
  return useReply(endpoint, {
    queryKey: [...statsKey, "timely"],
    enabled: isEnabled,
    kept: { name: "timely", isCurrent: (at) => isSameWeek(at, Date.now(), timeZone) },
  });
}

/** The last beer of the group; `isEnabled` delays it until the counters have been fetched. */
export function useLatestBeer(isEnabled: boolean): UseQueryResult<contract.LatestBeer | null> {
  return useReply(contract.getLatestBeer, {
    queryKey: latestKey,
    select: ({ beer }) => beer,
    enabled: isEnabled,
  });
}

/** What an event tells of the last beer; where it tells nothing, it is loaded again. */
export function updateLatestBeer(userId: number | null, userName: string | null): void {
  if (userId === null || userName === null) return reloadLatestBeer();
  const beer = { userId, userName, at: new Date().toISOString() };
  queryClient.setQueryData<ReplyOf<typeof contract.getLatestBeer>>(latestKey, { beer });
}

/** The years with a review; `isEnabled` as above. */
export function useReviewYears(isEnabled: boolean): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"], enabled: isEnabled });
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

export type Toastable = DataOf<typeof toasted>;

/** How long somebody can be toasted back after the flash has gone, in milliseconds. */
const offerMs = 60_000;

/** The member whose beer was announced last, for a minute or until it was answered. */
export const missedToast = createStore<Toastable | null>(null);

export function offerToast(member: Toastable): void {
  missedToast.set(member);
  setTimeout(() => missedToast.get() === member && missedToast.set(null), offerMs);
}

/** Everybody who has the app open and is not hidden. */
export const presentMembers = createStore<readonly PresenceEntry[]>([]);

/** The other present members, sorted by name; none while the connection is lost. */
export function useOtherPresentMembers(): readonly PresenceEntry[] {
  const memberId = useSession().user?.id;
  const here = useStore(presentMembers);
  const isKnown = useConnection() !== "offline";
  const others = here.filter(({ id }) => isKnown && id !== memberId);
  return others.toSorted((one, other) => one.name.localeCompare(other.name, "de"));
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
