import {
  keepPreviousData,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import * as z from "zod/mini";

import * as contract from "#contract/beercounter.ts";
import { getOwnDoors, type OwnDoors } from "#contract/calendar-lottery.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { getParty, getRunningParties, joinParty, type RunningParty, type ShownParty } from "#contract/party.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { call, callWithHeaders } from "#web/client/api.ts";
import type { Client } from "#web/client/client.ts";
import { isPending } from "#web/client/outbox-rules.ts";
import { keptOptions, keyOf, reload, replyOptions } from "#web/client/queries.ts";
import { choose } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useClient, useGroup } from "#web/page/session.ts";
import {
  addTap,
  applyFetched,
  createCounterState,
  displayedCounters,
  storableCounters,
  type TapReply,
  type CounterState,
} from "./counter-rules.ts";
import { describeEarlier, type JoinableParty, type NewNumbers, updateParty, updateShownParty } from "./party-rules.ts";
import { addRanks, alreadyUndoneText, isSameWeek, undoneText } from "./rules.ts";

export const countersKey = keyOf(contract.getCounters);
export const ownBeersKey = keyOf(contract.getOwnBeers);
export const latestKey = keyOf(contract.getLatestBeer);
export const rankingKey = keyOf(contract.getDrinkers);
export const weekdaysKey = keyOf(contract.getTimelyStats);
export const partyKeys = [keyOf(getRunningParties), ["parties"]];
/** Data that events do not contain. */
export const detailKeys = [["beercounter", "stats", "period"], ["members"]];
/** Everything that a beer may change, except the counters. */
export const statsKeys = [["beercounter", "stats"], ["members"], ...partyKeys];

/** Opening the counter does not repeat a request for the counters. */
const countersStaleTime = 5000;
/** The remove button must disappear 15 minutes after a beer. */
const historyRefetchMs = 30_000;

function countersOptions(client: Client) {
  return queryOptions({
    queryKey: countersKey,
    queryFn: async ({ signal }) => {
      const askedAt = getCounterState(client)?.group.version ?? 0;
      const fetch = async () => readTapReply(await callWithHeaders(contract.getCounters, { signal }));
      let reply = await fetch();
      while (missedChanges.delete(client)) reply = await fetch();
      const state = getCounterState(client);
      if (state) return storeCounters(client, applyFetched(state, reply, askedAt));
      const pending = client.outbox.entries.get().filter((entry) => entry.endpoint === "drinkBeer" && isPending(entry));
      return storeCounters(client, pending.reduce(addTap, createCounterState(reply, reply.version ?? 0)));
    },
    initialData: () => readStoredCounters(client),
    initialDataUpdatedAt: 0,
    staleTime: countersStaleTime,
  });
}

export function prefetchCounter(client: Client): void {
  void client.queries.prefetchQuery(countersOptions(client));
}

export function useCounters(): UseQueryResult<contract.Totals> {
  return useQuery({ ...countersOptions(useClient()), select: displayedCounters });
}

export function useCounterState(): CounterState | undefined {
  return useQuery({ ...countersOptions(useClient()), enabled: false }).data;
}

/** Returns `false` during the first request for the counters, which nothing else of the page may delay. */
export function useMayFetch(): boolean {
  const { isFetched, isFetching } = useQuery({ ...countersOptions(useClient()), enabled: false });
  return isFetched || !isFetching;
}

export function getCounterState({ queries }: Client): CounterState | undefined {
  return queries.getQueryData<CounterState>(countersKey);
}

/** Clients whose counters changed before they were known: a request in flight may be too old. */
const missedChanges = new WeakSet<Client>();

export function updateCounterState(client: Client, change: (state: CounterState) => CounterState): void {
  const state = getCounterState(client) ?? readStoredCounters(client);
  // Stored counters stay stale until they are fetched.
  const updatedAt = client.queries.getQueryState(countersKey)?.dataUpdatedAt ?? 0;
  if (state) client.queries.setQueryData(countersKey, storeCounters(client, change(state)), { updatedAt });
  else missedChanges.add(client);
}

const storageName = "beercounter";
const storedCounters = z.extend(contract.counters, { memberId: z.int() });

/** Keeps the counters for the start of the next visit, even offline. */
function storeCounters({ storage, member }: Client, state: CounterState): CounterState {
  storage.set(storageName, { ...contract.toCounters(storableCounters(state)), memberId: member.get()?.id });
  return state;
}

function readStoredCounters({ storage }: Client): CounterState | undefined {
  const last = storage.get(storageName, storedCounters);
  if (last === null) return undefined;
  const kept = contract.toTotals(last);
  return { ...createCounterState(kept), kept };
}

export function readTapReply({ reply, headers }: { readonly reply: unknown; readonly headers: Headers }): TapReply {
  const version = headers.get(contract.countersVersionHeader);
  return {
    ...contract.toTotals(contract.counters.parse(reply)),
    version: version === null ? null : Number(version),
    isReplayed: isReplay(headers),
  };
}

function isReplay(headers: Headers): boolean {
  return headers.get(contract.replayedHeader) === "true";
}

/** Returns those of the last 24 hours, newest first, without pending taps. */
export function useOwnBeers(): UseQueryResult<ReplyOf<typeof contract.getOwnBeers>> {
  return useQuery({ ...replyOptions(contract.getOwnBeers), refetchInterval: historyRefetchMs });
}

/** Changes the beers until they are refetched. */
export function updateOwnBeers(
  { queries }: Client,
  change: (beers: readonly contract.OwnBeer[]) => readonly contract.OwnBeer[],
): void {
  queries.setQueryData<ReplyOf<typeof contract.getOwnBeers>>(
    ownBeersKey,
    (own) => own && { ...own, beers: [...change(own.beers)] },
  );
}

export function useRemoveBeer(): (id: number) => void {
  const { reloadSoon } = useClient();
  const { mutate } = useMutation({
    mutationFn: (id: number) => callWithHeaders(contract.removeBeer, { params: { id } }),
    onSuccess: ({ headers }) => showMessage({ type: "info", text: isReplay(headers) ? alreadyUndoneText : undoneText }),
    onSettled: () => reloadSoon(ownBeersKey),
  });
  return mutate;
}

/** Loads only the top and the member's neighbors of a large group, unless `isWhole`. */
export function useRanking(isWhole: boolean): UseQueryResult<contract.ShownRanking> {
  const { storage } = useClient();
  return useQuery({
    ...(isWhole
      ? replyOptions(contract.getDrinkers)
      : {
          ...replyOptions(contract.getDrinkers, { query: { range: "near" } }),
          ...keptOptions(storage, contract.getDrinkers, "drinkers"),
        }),
    select: addRanks,
    placeholderData: keepPreviousData,
    enabled: useMayFetch(),
  });
}

export function useTimelyStats(): UseQueryResult<contract.TimelyStats> {
  const endpoint = { ...contract.getTimelyStats, reply: contract.receivedTimelyStats };
  const { storage } = useClient();
  const { time_zone: timeZone } = useGroup();
  return useQuery({
    ...replyOptions(endpoint),
    ...keptOptions(storage, endpoint, "timely", (at) => isSameWeek(at, Date.now(), timeZone)),
    enabled: useMayFetch(),
  });
}

export function useLatestBeer(): UseQueryResult<contract.LatestBeer | null> {
  return useQuery({ ...replyOptions(contract.getLatestBeer), enabled: useMayFetch(), select: ({ beer }) => beer });
}

/** Refetches if the event does not name the drinker. */
export function updateLatestBeer(client: Client, userId: number | null, userName: string | null): void {
  if (userId === null || userName === null) return client.reloadSoon(latestKey);
  const beer = { userId, userName, at: new Date().toISOString() };
  client.queries.setQueryData<ReplyOf<typeof contract.getLatestBeer>>(latestKey, { beer });
}

export function useReviewYears(): UseQueryResult<ReviewYears> {
  return useQuery({ ...replyOptions(getReviewYears), enabled: useMayFetch() });
}

/** Shares the cache entry with the calendar page. */
export function useOwnDoors(): UseQueryResult<OwnDoors> {
  const { storage } = useClient();
  return useQuery({
    ...replyOptions(getOwnDoors),
    ...keptOptions(storage, getOwnDoors, "own-doors"),
    enabled: useMayFetch(),
    staleTime: 60_000,
  });
}

/** Parties may end without an event. */
export const partyRefetchMs = 60_000;

const keptMs = 16 * 60 * 60_000;

/** Takes epoch milliseconds. */
export function isSameEvening(at: number): boolean {
  return Date.now() - at < keptMs;
}

function useRunningPartiesReply<Part>(
  select: (reply: ReplyOf<typeof getRunningParties>) => Part,
): UseQueryResult<Part> {
  const { storage } = useClient();
  return useQuery({
    ...replyOptions(getRunningParties),
    ...keptOptions(storage, getRunningParties, "parties", isSameEvening),
    enabled: useMayFetch(),
    select,
    refetchInterval: ({ state }) => (state.data?.parties.length ?? 0) > 0 && partyRefetchMs,
  });
}

export function useRunningParties(): UseQueryResult<readonly RunningParty[]> {
  return useRunningPartiesReply(({ parties }) => parties);
}

/** Returns the id of the party whose story the counter opens. */
export function useUnseenStory(): number | null {
  const { data = null, dataUpdatedAt } = useRunningPartiesReply(({ story }) => story);
  // Another device may have shown the story of the reply that this browser kept.
  return dataUpdatedAt > 0 ? data : null;
}

/** Returns the request of a guest that the member may answer. */
export function useAskingGuest(): ReplyOf<typeof getRunningParties>["asking"] {
  return useRunningPartiesReply(({ asking }) => asking).data ?? null;
}

/** Returns `false` if the parties must be refetched. */
export function updateRunningParties({ queries }: Client, event: NewNumbers, memberId: number): boolean {
  const key = keyOf(getRunningParties);
  const cached = queries.getQueryData<ReplyOf<typeof getRunningParties>>(key);
  if (!cached) return true;
  const parties = cached.parties.map((party) => updateParty(party, event, memberId));
  if (!parties.every((party) => party !== null) || parties.length !== event.parties?.length) return false;
  queries.setQueryData(key, { ...cached, parties });
  return true;
}

/** Returns the keys of parties that must be refetched. */
export function updateShownParties({ queries }: Client, event: NewNumbers, memberId: number): QueryKey[] {
  return queries.getQueriesData<ShownParty>({ queryKey: keyOf(getParty) }).flatMap(([key, party]) => {
    const next = party && updateShownParty(party, event, memberId);
    if (!next) return [key];
    queries.setQueryData(key, next);
    return [];
  });
}

/** Asks first whether earlier beers should count. */
export function useJoinParty() {
  const { queries } = useClient();
  const { time_zone } = useGroup();
  return useMutation({
    async mutationFn(party: JoinableParty) {
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
      await reload(queries, ...partyKeys);
      return message;
    },
  });
}
