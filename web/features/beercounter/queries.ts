import { keepPreviousData, type QueryKey, type UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { DataOf } from "#contract/event.ts";
import type { toasted } from "#contract/presence.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { callConditionally } from "#web/data/conditional-call.ts";
import { useConnection } from "#web/data/connection.ts";
import { keepReply } from "#web/data/kept-reply.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { type PresenceList, whenVisible } from "#web/data/realtime.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import {
  detailsKey,
  latestKey,
  reloadLatestBeer,
  reloadPauseMs,
  reloadStats,
  statsKey,
} from "#web/shared/beers/queries.ts";
import { throttle } from "#web/shared/beers/rules.ts";
import { shownPartyKey, updateRunningParties } from "#web/shared/parties/queries.ts";
import { updateRanking } from "./charts-rules.ts";
import { addRanks, isSameWeek } from "./rules.ts";

const rankingKey = [...statsKey, "user"];
const weekdaysKey = [...statsKey, "timely"];
const keptRanking = "drinkers";
const keptWeekdays = "timely";

/**
 * Queries the ranking. Of a large group, loads only the top and the member's neighbours in the
 * ranking, unless `isWhole`. `isEnabled` delays the query until the counters are fetched.
 */
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

/**
 * Queries the beers per day of this week and the averages per weekday. `isEnabled` delays the query
 * until the counters are fetched.
 */
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

/**
 * Updates the cached charts and running parties from an event. Refetches what the event does not contain: shown
 * parties, statistics of a period or member, and a ranking into which a missing member may have moved.
 */
export function updateCharts(event: contract.SubscribedCounters | contract.CounterEvent, memberId: number): void {
  // A reply in flight may be older than the event.
  if (queryClient.isFetching({ queryKey: statsKey }) > 0) return whenVisible(reloadStats);
  if (event.weekdays) updateKept(weekdaysKey, keptWeekdays, event.weekdays);
  const rankings = queryClient.getQueriesData<contract.ShownRanking>({ queryKey: rankingKey });
  const isUpdated = rankings.map(([queryKey, ranking]) => {
    const next = ranking && updateRanking(ranking, event.totals ?? []);
    if (next) updateKept(queryKey, queryKey.at(-1) === true ? null : keptRanking, next);
    return next !== null;
  });
  if (isUpdated.every(Boolean) && updateRunningParties(event, memberId)) whenVisible(reloadDetails);
  else whenVisible(reloadStats);
}

function updateKept(queryKey: QueryKey, name: string | null, data: object): void {
  if (queryClient.getQueryData(queryKey) === undefined) return;
  queryClient.setQueryData(queryKey, data);
  if (name !== null) keepReply(name, data);
}

const reloadDetails = throttle(() => reload(shownPartyKey, detailsKey), reloadPauseMs);

/**
 * Queries the newest beer of the group. `isEnabled` delays the query until the counters are
 * fetched.
 */
export function useLatestBeer(isEnabled: boolean): UseQueryResult<contract.LatestBeer | null> {
  return useReply(contract.getLatestBeer, {
    queryKey: latestKey,
    select: ({ beer }) => beer,
    enabled: isEnabled,
  });
}

/**
 * Updates the cached newest beer from an event. Refetches the beer if the event does not name the
 * drinker.
 */
export function updateLatestBeer(userId: number | null, userName: string | null): void {
  if (userId === null || userName === null) return reloadLatestBeer();
  const beer = { userId, userName, at: new Date().toISOString() };
  queryClient.setQueryData<ReplyOf<typeof contract.getLatestBeer>>(latestKey, { beer });
}

/**
 * Queries the years that have a review. `isEnabled` delays the query until the counters are
 * fetched.
 */
export function useReviewYears(isEnabled: boolean): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"], enabled: isEnabled });
}

export type ToastTarget = DataOf<typeof toasted>;

/**
 * Milliseconds after a beer during which the app offers to toast back, longer than the flash
 * message is shown.
 */
const offerMs = 60_000;

/**
 * The member whose beer was announced last, as long as the app offers to toast back; otherwise
 * `null`.
 */
export const pendingToast = createStore<ToastTarget | null>(null);

export function offerToast(member: ToastTarget): void {
  pendingToast.set(member);
  setTimeout(() => pendingToast.get() === member && pendingToast.set(null), offerMs);
}

/** No members, e.g. while disconnected. */
export const noPresence: PresenceList = { count: 0, members: [] };

/** The present members: those who have the app open and have not hidden their presence. */
export const presentMembers = createStore(noPresence);

/**
 * Returns the present members except the logged-in one. They are sorted by name if all are listed,
 * otherwise those of most interest come first. The list is empty while disconnected. With `pages`,
 * it may omit members.
 */
export function useOtherPresentMembers(): PresenceList {
  const memberId = useSession().user?.id;
  const here = useStore(presentMembers);
  const isOffline = useConnection() === "offline";
  if (isOffline) return noPresence;
  const others = here.members.filter(({ id }) => id !== memberId);
  if (here.pages !== undefined) return { ...here, count: others.length, members: others };
  if (here.count > here.members.length) return { count: here.count - 1, members: others };
  return { count: others.length, members: others.toSorted((one, other) => one.name.localeCompare(other.name, "de")) };
}
