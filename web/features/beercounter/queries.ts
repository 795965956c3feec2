import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import {
  counters,
  getCounters,
  getDrinkers,
  getOwnBeers,
  getTimelyStats,
  type Counters,
  type Drinker,
  type OwnBeer,
  type TimelyStats,
} from "#contract/beercounter.ts";
import { getPeriodStats, type PeriodStats } from "#contract/statistics.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { call } from "#web/platform/api.ts";
import { keep, recall } from "#web/platform/keepsake.ts";
import { queryClient } from "#web/platform/query-client.ts";
import { useConnection, type Present } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";

import { answered, booked, collapsed, shownOf, type Tally } from "./rules.ts";
import type { PeriodChoice } from "./statistics-rules.ts";

const countersKey = ["beercounter", "counters"];
const statsKey = ["beercounter", "stats"];
const ownKey = ["beercounter", "own"];
/** Asked anew on every opening. */
const fresh = { staleTime: 0 };
/** How often the time that is left for taking beers back is asked for while somebody looks at it. */
const historyEvery = 30_000;

/** What stands on the mat: the group's total and one's own count. */
export function useCounters(): UseQueryResult<Counters> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({
    ...fresh,
    queryKey: tallyKey(memberId),
    queryFn: async ({ signal }) => {
      const askedAt = tallyOf(memberId)?.step ?? 0;
      const reply = await call(getCounters, { signal });
      const tally = answered(tallyOf(memberId), reply, askedAt);
      // Something newer came in between the question and the answer, so that this one may not count down.
      if (tally.isDoubted) reloadCounters();
      return kept(memberId, tally);
    },
    initialData: () => lastKept(memberId),
    select: shownOf,
  });
}

/** The ranking; `mayLoad` holds it back until the counters were asked for. */
export function useDrinkers(mayLoad: boolean): UseQueryResult<readonly Drinker[]> {
  return useQuery({
    ...fresh,
    queryKey: [...statsKey, "user"],
    queryFn: ({ signal }) => call(getDrinkers, { signal }),
    select: ({ users }) => users,
    enabled: mayLoad,
  });
}

/** This week and the averages; `mayLoad` holds them back until the counters were asked for. */
export function useTimelyStats(mayLoad: boolean): UseQueryResult<TimelyStats> {
  return useQuery({
    ...fresh,
    queryKey: [...statsKey, "timely"],
    queryFn: ({ signal }) => call(getTimelyStats, { signal }),
    enabled: mayLoad,
  });
}

/** What was drunk in a period; the one before stays on the screen until the answer is there. */
export function usePeriodStats({ span, day }: PeriodChoice): UseQueryResult<PeriodStats> {
  return useQuery({
    ...fresh,
    queryKey: [...statsKey, "period", span, day],
    queryFn: ({ signal }) => call(getPeriodStats, { signal, query: { span, ...(day !== null && { day }) } }),
    placeholderData: keepPreviousData,
  });
}

/** The years that can be looked back on; `mayLoad` as above. */
export function useReviewYears(mayLoad: boolean): UseQueryResult<ReviewYears> {
  return useQuery({
    ...fresh,
    queryKey: ["year-review", "years"],
    queryFn: ({ signal }) => call(getReviewYears, { signal }),
    enabled: mayLoad,
  });
}

/** One's own beers of the last 24 hours, the last one first, as far as the server knows them. */
export function useOwnBeers(): UseQueryResult<readonly OwnBeer[]> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({
    ...fresh,
    queryKey: [...ownKey, memberId],
    queryFn: ({ signal }) => call(getOwnBeers, { signal }),
    select: ({ beers }) => beers,
    refetchInterval: historyEvery,
  });
}

/** Everybody who has the app open and wants to be seen, as told last. */
export const present = createStore<readonly Present[]>([]);

/** The others who are here right now, by name; nobody while that cannot be known. */
export function useOthersHere(): readonly Present[] {
  const memberId = useSession().user?.id;
  const here = useStore(present);
  const isKnown = useConnection() !== "offline";
  const others = here.filter(({ id }) => isKnown && id !== memberId);
  return others.toSorted((one, other) => one.name.localeCompare(other.name, "de"));
}

// What was promised for taps that wait for reception is known nowhere else.
queryClient.setQueryDefaults(countersKey, { gcTime: Infinity });

const restBetween = 500;
export const reloadStats = collapsed(() => queryClient.invalidateQueries({ queryKey: statsKey }), restBetween);
export const reloadCounters = collapsed(() => queryClient.invalidateQueries({ queryKey: countersKey }), restBetween);
export const reloadOwnBeers = collapsed(() => queryClient.invalidateQueries({ queryKey: ownKey }), restBetween);

/** Each member has an own entry, so that nobody ever sees the count of whoever used the browser before. */
function tallyKey(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}

export function tallyOf(memberId: number): Tally | undefined {
  return queryClient.getQueryData<Tally>(tallyKey(memberId));
}

export function setTally(memberId: number, tally: Tally): void {
  queryClient.setQueryData<Tally>(tallyKey(memberId), kept(memberId, tally));
}

export function changeTally(memberId: number, change: (tally: Tally) => Tally): void {
  const tally = tallyOf(memberId) ?? lastKept(memberId);
  if (tally) setTally(memberId, change(tally));
}

const keptName = "beercounter";
const keptCounters = z.extend(counters, { memberId: z.int() });

/** The last known count stays on this device, so that the next opening starts with it, even without reception. */
function kept(memberId: number, tally: Tally): Tally {
  keep(keptName, { ...tally.known, memberId });
  return tally;
}

function lastKept(memberId: number): Tally | undefined {
  const last = recall(keptName, keptCounters);
  return last?.memberId === memberId ? booked(undefined, counters.parse(last)) : undefined;
}
