import { useQuery, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import * as z from "zod/mini";

import {
  counters,
  getCounters,
  getDrinkers,
  getTimelyStats,
  type Counters,
  type Drinker,
  type TimelyStats,
} from "#contract/beercounter.ts";
import { call } from "#web/platform/api.ts";
import { keep, recall } from "#web/platform/keepsake.ts";
import { useSession } from "#web/platform/session.ts";

import { answered, booked, collapsed, shownOf, type Tally } from "./rules.ts";

const root = ["beercounter"] as const;
const countersKey = [...root, "counters"] as const;
const statsKey = [...root, "stats"] as const;

/** Asked anew on every opening. */
const fresh = { staleTime: 0 } as const;

/** What stands on the mat: the group's total and one's own count. */
export function useCounters(): UseQueryResult<Counters> {
  const client = useQueryClient();
  const memberId = useSession().user?.id ?? 0;
  return useQuery({
    ...fresh,
    queryKey: tallyKey(memberId),
    queryFn: async ({ signal }) => {
      const askedAt = tallyOf(client, memberId)?.step ?? 0;
      const reply = await call(getCounters, { signal });
      const tally = answered(tallyOf(client, memberId), reply, askedAt);
      keepLast(memberId, tally);
      return tally;
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

/** What the cache knows of this member's count; undefined while nothing was loaded. */
export function tallyOf(client: QueryClient, memberId: number): Tally | undefined {
  return client.getQueryData<Tally>(tallyKey(memberId));
}

/** Changes the count in the cache; `change` may leave it undefined. */
export function changeTally(
  client: QueryClient,
  memberId: number,
  change: (tally: Tally | undefined) => Tally | undefined,
): void {
  const tally = client.setQueryData<Tally>(tallyKey(memberId), change);
  if (tally) keepLast(memberId, tally);
}

const restBetween = 500;

/** Loads the statistics anew if they are on the screen; a burst of wishes becomes two loads. */
export const reloadStats = collapsed(
  (client: QueryClient) => client.invalidateQueries({ queryKey: statsKey }),
  restBetween,
);

/** Loads the counters anew if they are on the screen. */
export const reloadCounters = collapsed(
  (client: QueryClient) => client.invalidateQueries({ queryKey: countersKey }),
  restBetween,
);

const keptName = "beercounter";
const keptCounters = z.extend(counters, { memberId: z.int() });

/** The last known count stays on this device, so that the next opening starts with it, even without reception. */
function keepLast(memberId: number, { known }: Tally): void {
  keep(keptName, { ...known, memberId });
}

function lastKept(memberId: number): Tally | undefined {
  const kept = recall(keptName, keptCounters);
  return kept?.memberId === memberId
    ? booked(undefined, { KSKCounterVal: kept.KSKCounterVal, userCounterVal: kept.userCounterVal })
    : undefined;
}

/** Each member has an own entry, so that nobody ever sees the count of whoever used the browser before. */
function tallyKey(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}
