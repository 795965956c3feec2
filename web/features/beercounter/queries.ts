import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";

import {
  beercounterUpdated,
  counters,
  drinkBeer,
  getCounters,
  getDrinkers,
  getTimelyStats,
  type Counters,
  type Drinker,
  type TimelyStats,
} from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { call } from "#web/platform/api.ts";
import { showFlash, useFlash } from "#web/platform/flash.tsx";
import { keep, recall } from "#web/platform/keepsake.ts";
import { notify } from "#web/platform/notifications.ts";
import { createOutbox } from "#web/platform/outbox.ts";
import { queryClient } from "#web/platform/query-client.ts";
import { onReachChange } from "#web/platform/reach.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { useStore } from "#web/platform/store.ts";

import {
  answered,
  booked,
  collapsed,
  heard,
  isSaying,
  saySomething,
  settled,
  shownOf,
  tapped,
  untapped,
} from "./rules.ts";
import type { Tally } from "./rules.ts";

const countersKey = ["beercounter", "counters"];
const statsKey = ["beercounter", "stats"];
/** Asked anew on every opening. */
const fresh = { staleTime: 0 };

/** What stands on the mat: the group's total and one's own count. */
export function useCounters(): UseQueryResult<Counters> {
  const memberId = useSession().user?.id ?? 0;
  return useQuery({
    ...fresh,
    queryKey: tallyKey(memberId),
    queryFn: async ({ signal }) => {
      const askedAt = tallyOf(memberId)?.step ?? 0;
      const reply = await call(getCounters, { signal });
      return kept(memberId, answered(tallyOf(memberId), reply, askedAt));
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

export interface Drinking {
  /** One more beer; every call is its own. */
  drink(): void;
  /** Beers that the server did not hear of yet, after at least one try. */
  waiting: number;
  /** Beers that the server refused. */
  refused: number;
  /** Sends the refused ones once more. */
  retry(): void;
}

/** The yellow button and what became of its taps. */
export function useDrink(): Drinking {
  const { user } = useSession();
  const mine = useStore(taps.parcels).filter((tap) => tap.memberId === user?.id);
  const refused = mine.filter((tap) => tap.state === "refused");
  return {
    drink: () => {
      if (!user) return;
      changeTally(user.id, tapped);
      showFlash({ type: "success", text: saySomething(Math.random()) });
      taps.post(user.id);
    },
    waiting: mine.filter((tap) => tap.state !== "refused" && tap.failures > 0).length,
    refused: refused.length,
    retry: () => {
      for (const tap of refused) {
        changeTally(tap.memberId, tapped);
        taps.postAgain(tap);
      }
    },
  };
}

/**
 * Everything the counter does while a member is logged in, on every page: follows the others' beers live and brings
 * the member's own taps to the server. Mounted once, around the pages.
 */
export function useBeercounterLive(): void {
  const { group_name } = useGroup();
  const flash = useFlash();
  const memberId = useSession().user?.id;

  const onEvent = useEffectEvent((event: DataOf<typeof beercounterUpdated>) => {
    if (memberId === undefined) return;
    const before = tallyOf(memberId);
    const after = before && heard(before, event);
    if (after === null) return;
    if (after) setTally(memberId, after);
    reloadStats();
    if (event.userId === null || event.userName === null) return reloadCounters();
    if (event.userId === memberId) {
      // A beer that was tapped in another window: the event does not say how many of them are one's own.
      if (before && event.counterVal > shownOf(before).KSKCounterVal) reloadCounters();
      if (!flash || !isSaying(flash.text)) showFlash({ type: "success", text: "Prost!" });
      return;
    }
    const text = `Prost von ${event.userName}!`;
    showFlash({ type: "success", text, avatarId: event.avatarId, name: event.userName });
    void notify({ title: `${group_name} Beercounter`, body: text, tag: "beercounter" });
  });

  useEffect(() => {
    if (memberId === undefined) return;
    const close = taps.open(memberId);
    const sendWaiting = (): void => void taps.open(memberId);
    const stopFollowing = onReachChange((isReachable) => isReachable && sendWaiting());
    const leave = subscribe(beercounterUpdated, {
      onEvent,
      onSubscribed: (version) => {
        sendWaiting();
        if (version !== null && version === tallyOf(memberId)?.version) return;
        reloadCounters();
        reloadStats();
      },
    });
    return () => {
      leave();
      stopFollowing();
      close();
    };
  }, [memberId]);
}

const taps = createOutbox<Counters>({
  deliver: (key, signal) => call(drinkBeer, { headers: { "Idempotency-Key": key }, signal }),
  onDelivered({ memberId }, reply) {
    setTally(memberId, booked(tallyOf(memberId), reply));
    settle(memberId);
    reloadStats();
  },
  onRefused({ memberId }, reason) {
    changeTally(memberId, untapped);
    settle(memberId);
    showFlash({ type: "error", text: `Dein Bier wurde nicht gebucht. ${reason}` });
  },
  onStuck: () => showFlash({ type: "warning", text: "Kein Empfang: Dein Bier wartet und wird nachgetragen." }),
});

/** Once nothing of this member is out any more, the screen promises no more than the server said. */
function settle(memberId: number): void {
  const isOut = taps.parcels.get().some((tap) => tap.memberId === memberId && tap.state !== "refused");
  if (!isOut) changeTally(memberId, settled);
}

const restBetween = 500;
const reloadStats = collapsed(() => queryClient.invalidateQueries({ queryKey: statsKey }), restBetween);
const reloadCounters = collapsed(() => queryClient.invalidateQueries({ queryKey: countersKey }), restBetween);

/** Each member has an own entry, so that nobody ever sees the count of whoever used the browser before. */
function tallyKey(memberId: number): readonly unknown[] {
  return [...countersKey, memberId];
}

function tallyOf(memberId: number): Tally | undefined {
  return queryClient.getQueryData<Tally>(tallyKey(memberId));
}

function setTally(memberId: number, tally: Tally): void {
  queryClient.setQueryData<Tally>(tallyKey(memberId), kept(memberId, tally));
}

function changeTally(memberId: number, change: (tally: Tally) => Tally): void {
  const tally = tallyOf(memberId);
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
