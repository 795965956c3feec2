import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import * as contract from "#contract/beercounter.ts";
import { getOwnDoors, type OwnDoors } from "#contract/calendar-lottery.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { getRunningParties, joinParty, type RunningParty } from "#contract/party.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { call, callWithHeaders, type CallOptions } from "#web/client/api.ts";
import { callConditionally } from "#web/data/conditional-call.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { choose } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useGroup, useMember } from "#web/page/session.ts";
import { setUserItem, getUserItem } from "#web/session/user-storage.ts";
import {
  applyFetched,
  createCounterState,
  displayedCounters,
  storableCounters,
  type TapReply,
  type CounterState,
} from "./counter-rules.ts";
import { describeEarlier, type JoinableParty, type NewNumbers, updateParty } from "./party-rules.ts";
import { addRanks, alreadyUndoneText, isSameWeek, throttle, undoneText } from "./rules.ts";

const countersKey = ["beercounter", "counters"];
/** The common prefix of the query keys of all charts. */
export const statsKey = ["beercounter", "stats"];
/** The prefix of the query keys of statistics that events do not contain. */
export const detailsKey = [...statsKey, "details"];
const latestKey = ["beercounter", "latest"];
const ownKey = ["beercounter", "own"];
export const rankingKey = [...statsKey, "user"];
export const weekdaysKey = [...statsKey, "timely"];
export const keptRanking = "drinkers";
export const keptWeekdays = "timely";
/** Begins with `statsKey`, so that parties are refetched with the charts. */
export const partyKey = [...statsKey, "party"];
const runningKey = [...partyKey, "running"];
/** The prefix of the query key of the party that a page shows. */
export const shownPartyKey = [...partyKey, "shown"];

/** A beer can be removed for only 15 minutes, so its remove button must disappear in time. */
const historyRefetchMs = 30_000;

export function useCounters(): UseQueryResult<contract.Totals> {
  const memberId = useMember()?.id ?? 0;
  return useQuery({ ...countersQuery(memberId), select: displayedCounters }, queryClient);
}

/** Returns the cached counter state without a request. */
export function useCounterState(): CounterState | undefined {
  const memberId = useMember()?.id ?? 0;
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
  const memberId = useMember()?.id ?? 0;
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

const reloadPauseMs = 500;
export const reloadStats = throttle(() => reload(statsKey), reloadPauseMs);
export const reloadDetails = throttle(() => reload(shownPartyKey, detailsKey), reloadPauseMs);
export const reloadCounters = throttle(() => reload(countersKey), reloadPauseMs);
export const reloadLatestBeer = throttle(() => reload(latestKey), reloadPauseMs);
export const reloadOwnBeers = throttle(() => reload(ownKey), reloadPauseMs);

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

function isReplay(headers: Headers): boolean {
  return headers.get(contract.replayedHeader) === "true";
}

/** Undoes a booked beer without an idempotency key, e.g. from another program. */
export async function removeBeerById(id: number): Promise<void> {
  try {
    const { headers } = await callWithHeaders(contract.removeBeer, { params: { id } });
    showMessage({ type: "info", text: isReplay(headers) ? alreadyUndoneText : undoneText });
  } finally {
    reloadOwnBeers();
  }
}

/** Contains the member, so that the next member of this browser never sees the previous member's count. */
function countersKeyOf(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}

export function getCounterState(memberId: number): CounterState | undefined {
  return queryClient.getQueryData<CounterState>(countersKeyOf(memberId));
}

/** Does nothing if no counters are cached or stored. */
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

// The queries below are sent once `isEnabled` is `true`, after the counters have been fetched.

/** Loads only the top and the member's neighbors of a large group's ranking, unless `isWhole`. */
export function useRanking(isEnabled: boolean, isWhole: boolean): UseQueryResult<contract.ShownRanking> {
  return useReply(contract.getDrinkers, {
    queryKey: [...rankingKey, isWhole],
    ...(!isWhole && { request: { query: { range: "near" } }, kept: { name: keptRanking } }),
    select: addRanks,
    placeholderData: keepPreviousData,
    fetchReply: callConditionally,
    enabled: isEnabled,
  });
}

export function useTimelyStats(isEnabled: boolean): UseQueryResult<contract.TimelyStats> {
  const endpoint = { ...contract.getTimelyStats, reply: contract.receivedTimelyStats };
  const { time_zone: timeZone } = useGroup();
  return useReply(endpoint, {
    queryKey: weekdaysKey,
    fetchReply: callConditionally,
    enabled: isEnabled,
    kept: { name: keptWeekdays, isCurrent: (at) => isSameWeek(at, Date.now(), timeZone) },
  });
}

export function useLatestBeer(isEnabled: boolean): UseQueryResult<contract.LatestBeer | null> {
  return useReply(contract.getLatestBeer, {
    queryKey: latestKey,
    select: ({ beer }) => beer,
    enabled: isEnabled,
  });
}

/** Updates the cached newest beer from an event, or refetches it if the event does not name the drinker. */
export function updateLatestBeer(userId: number | null, userName: string | null): void {
  if (userId === null || userName === null) return reloadLatestBeer();
  const beer = { userId, userName, at: new Date().toISOString() };
  queryClient.setQueryData<ReplyOf<typeof contract.getLatestBeer>>(latestKey, { beer });
}

export function useReviewYears(isEnabled: boolean): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"], enabled: isEnabled });
}

/** Shares the cache entry with the calendar page. */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<OwnDoors> {
  return useReply(getOwnDoors, {
    queryKey: ["christmas-calendar", "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}

/** Parties may end without an event. */
export const partyRefetchMs = 60_000;

const keptMs = 16 * 60 * 60_000;

/** Returns `true` if a reply stored at `at` (epoch ms) may still be about the same evening. */
export function isSameEvening(at: number): boolean {
  return Date.now() - at < keptMs;
}

export function useRunningParties(isEnabled: boolean): UseQueryResult<readonly RunningParty[]> {
  return useReply(getRunningParties, {
    queryKey: runningKey,
    select: ({ parties }) => parties,
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data?.parties.length ?? 0) > 0 && partyRefetchMs,
    kept: { name: "parties", isCurrent: isSameEvening },
  });
}

/** Updates the cached running parties from an event. Returns `false` if they must be refetched. */
export function updateRunningParties(event: NewNumbers, memberId: number): boolean {
  const cached = queryClient.getQueryData<ReplyOf<typeof getRunningParties>>(runningKey);
  if (!cached) return true;
  const parties = cached.parties.map((party) => updateParty(party, event, memberId));
  if (!parties.every((party) => party !== null) || parties.length !== event.parties?.length) return false;
  queryClient.setQueryData(runningKey, { parties });
  return true;
}

export function reloadParties(): Promise<unknown> {
  return reload(partyKey);
}

/**
 * Returns a function that joins or rejoins a party. It first asks whether earlier beers should count, and resolves to
 * `undefined` if the member cancels.
 */
export function useJoinParty(): (party: JoinableParty) => Promise<string | undefined> {
  const { time_zone } = useGroup();
  return async (party) => {
    const answer =
      party.earlier === 0
        ? "other"
        : await choose({
            title: "Auch die früheren Biere?",
            text: describeEarlier(party, Date.now(), time_zone),
            action: "Ja, mitzählen",
            otherAction: "Ab jetzt",
            kind: "primary",
          });
    if (answer === null) return undefined;
    const { message } = await call(joinParty, {
      params: { id: party.id },
      body: { with_earlier: answer === "action" },
    });
    await reloadParties();
    return message;
  };
}
