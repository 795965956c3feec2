import type { UseQueryResult } from "@tanstack/react-query";

import type { ReplyOf } from "#contract/endpoint.ts";
import { getParty, getRunningParties, joinParty, type RunningParty } from "#contract/party.ts";
import { call } from "#web/data/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { choose } from "#web/forms/confirm.tsx";
import { useGroup } from "#web/session/session.ts";
import { statsKey } from "#web/shared/beers/queries.ts";
import { describeEarlier, type JoinableParty, type NewNumbers, updateParty } from "./rules.ts";

/** The prefix of the query keys of parties. It begins with `statsKey`, so that parties are refetched with the charts. */
export const partyKey = [...statsKey, "party"];
const runningKey = [...partyKey, "running"];
/** The prefix of the query key of the party that a page shows. */
export const shownPartyKey = [...partyKey, "shown"];

/** Milliseconds between refetches of running parties, which may end without an event. */
export const partyRefetchMs = 60_000;

const keptMs = 16 * 60 * 60_000;

/** Returns `true` if a reply stored at `at` (epoch ms) may still be about the same evening. */
export function isSameEvening(at: number): boolean {
  return Date.now() - at < keptMs;
}

/**
 * Queries the running parties; the request is sent once `isEnabled` is `true`, after the counters
 * have been fetched.
 */
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
 * Returns a function that joins or rejoins a party. If the member has earlier beers, first asks
 * whether they should count. The function resolves to a message, or to `undefined` if the member
 * cancels.
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

/** Fetches the data needed to join a party. */
export function findJoinableParty(id: number): Promise<JoinableParty> {
  return call(getParty, { params: { id } });
}
