import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { drinkAsGuest, getGuestScreen, guestTokenHeader, type GuestScreen } from "#contract/guest-device.ts";
import { ApiError, call } from "#web/client/api.ts";
import { isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import { keyOf } from "#web/client/queries.ts";
import { useClient, useStore } from "#web/page/session.ts";
import { useCounterOf, type GuestCounter } from "./guest-counter.ts";
import { applyOwnTotal } from "./guest-rules.ts";

const pollMs = 10_000;
/** After the party, only an answer to the guest's request may come. */
const pollAfterMs = 60_000;

export function callAsGuest(token: string) {
  return { headers: { [guestTokenHeader]: token } };
}

const screenKey = (token: string) => [...keyOf(getGuestScreen), token];

/** `isGone` if the guest was removed, or the token has ended. */
export function useGuestScreen(token: string, kept: GuestScreen | null) {
  const client = useClient();
  const query = useQuery({
    queryKey: screenKey(token),
    queryFn: ({ signal }) => call(getGuestScreen, { ...callAsGuest(token), signal }),
    ...(kept && { initialData: kept, initialDataUpdatedAt: 0 }),
    refetchInterval: ({ state }) => (state.data?.party.is_running === false ? pollAfterMs : pollMs),
  });
  useEffect(() => {
    const stop = client.outbox.listen((event) => {
      const { entry, type } = event;
      if (entry.token !== token || type === "added") return;
      client.reloadSoon(screenKey(token));
      if (type !== "delivered" || !event.answer) return;
      const { total } = drinkAsGuest.reply.parse(event.answer.reply);
      client.queries.setQueryData<GuestScreen>(
        screenKey(token),
        (screen) => screen && applyOwnTotal(screen, entry, total),
      );
    });
    client.outbox.start();
    return stop;
  }, [client, token]);
  const { error } = query;
  return { query, isGone: error instanceof ApiError && error.status === 422 };
}

export interface OwnCounter extends GuestCounter {
  /** The party's beers, including pending ones of this device. */
  readonly partyTotal: number;
  readonly guestTotal: number;
  /** Beers that the server refused. */
  readonly refused: readonly OutboxEntry[];
  /** Why, if this page has sent one of them. */
  readonly reason: string | null;
  readonly discard: () => void;
}

export function useOwnCounter(screen: GuestScreen, token: string): OwnCounter {
  const { outbox } = useClient();
  const isOwn = (entry: OutboxEntry): boolean => entry.token === token;
  const counter = useCounterOf(screen, isOwn, { endpoint: "drinkAsGuest", token });
  const refused = useStore(outbox.entries).filter((entry) => isOwn(entry) && entry.isRefused);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(
    () =>
      outbox.listen((event) => {
        if (event.entry.token !== token) return;
        if (event.type === "refused" && !isUndo(event.entry)) setReason(event.reason);
        if (event.type === "notSaved") setReason("Es ließ sich hier nicht speichern.");
      }),
    [outbox, token],
  );
  const ahead = counter.total - screen.total;
  return {
    ...counter,
    partyTotal: screen.party.total + ahead,
    guestTotal: screen.party.guest_total + ahead,
    refused,
    reason,
    discard() {
      setReason(null);
      for (const { id } of refused) void outbox.discard(id);
    },
  };
}
