import type { UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { DataOf } from "#contract/event.ts";
import type { toasted } from "#contract/presence.ts";
import { getReviewYears, type ReviewYears } from "#contract/year-review.ts";
import { latestKey, reloadLatestBeer, statsKey } from "#web/platform/beers/queries.ts";
import { useConnection } from "#web/platform/connection.ts";
import { queryClient, useReply } from "#web/platform/query-client.ts";
import type { PresenceEntry } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";
import { isSameWeek } from "./rules.ts";

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
