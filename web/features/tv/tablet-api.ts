import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { tapHeaders } from "#contract/beercounter.ts";
import { drinkAtTablet, getTablet, tabletScreen, type Face, type TabletScreen } from "#contract/tablet.ts";
import { tvTokenHeader } from "#contract/tv.ts";
import { call, reachable } from "#web/client/api.ts";
import { isUndo, tabletOwner, undoOf, type NewEntry } from "#web/client/outbox-rules.ts";
import { createOutboxStorage } from "#web/client/outbox-storage.ts";
import { createOutbox, sendEntry, type Outbox } from "#web/client/outbox.ts";
import { keyOf } from "#web/client/queries.ts";
import { readDeviceJson, writeDeviceItem } from "#web/client/storage.ts";
import { createStore } from "#web/client/store.ts";
import { useStore } from "#web/page/session.ts";
import { hasStatus, isFailing, pollUntil, requestTimeoutMs, useNewerVersion } from "./api.ts";

const screenKey = "stammtisch.tablet.screen";

export function forgetTabletScreen(): void {
  writeDeviceItem(screenKey, null);
}

interface Shown {
  readonly version: string;
  readonly screen: TabletScreen;
}

const queryKeyOf = (token: string) => [...keyOf(getTablet), token];

/** Starts with the screen of the last visit, and polls until the tablet is ended. */
export function useTabletScreen(token: string) {
  const query = useQuery({
    ...pollUntil(401),
    queryKey: queryKeyOf(token),
    queryFn: async ({ client, queryKey, signal }): Promise<Shown> => {
      const shown = client.getQueryData<Shown>(queryKey);
      const reply = await call(getTablet, {
        headers: { [tvTokenHeader]: token },
        ...(shown && { query: { version: shown.version } }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      return { version: reply.version, screen: reply.screen ?? shown!.screen };
    },
    initialData: () => {
      const screen = readDeviceJson(screenKey, tabletScreen);
      return screen ? { version: "", screen } : undefined;
    },
    initialDataUpdatedAt: 0,
  });
  useNewerVersion(query);
  const screen = query.data?.screen;
  useEffect(() => {
    if (screen) writeDeviceItem(screenKey, JSON.stringify(screen));
  }, [screen]);
  return { screen, isCutOff: isFailing(query), isEnded: hasStatus(query.error, 401) };
}

/** Also sends what an earlier connection of this tablet left behind. `null` during the first render. */
export function useTabletOutbox(token: string, onRefused: (text: string) => void): Outbox | null {
  const queries = useQueryClient();
  const [current] = useState(() => createStore<Outbox | null>(null));
  useEffect(() => {
    const queryKey = queryKeyOf(token);
    const opened = createOutbox({
      memberId: tabletOwner,
      storage: createOutboxStorage(),
      send: (entry) => sendEntry(entry, { [tvTokenHeader]: token }),
    });
    const stopListening = opened.listen((event) => {
      const { entry, type } = event;
      const who = entry.drinker ?? "Jemand";
      if (type === "notSaved") onRefused(`${who}: Der Strich ließ sich hier nicht speichern. Tipp bitte nochmal.`);
      if (type === "refused") {
        if (!isUndo(entry)) void opened.discard(entry.id);
        onRefused(`${who}: ${isUndo(entry) ? "Der Strich zählt weiter" : "Nicht gebucht"}. ${event.reason ?? ""}`);
      }
      if (type === "delivered" && !isUndo(entry)) queries.setQueryData<Shown>(queryKey, addBeer);
      if (type !== "added") void queries.invalidateQueries({ queryKey });
    });
    const stopWatching = reachable.subscribe(() => reachable.get() && opened.sendAll());
    opened.start();
    current.set(opened);
    return () => {
      stopListening();
      stopWatching();
      opened.dispose();
      current.set(null);
    };
  }, [token, queries, current, onRefused]);
  return useStore(current);
}

/** Bridges the time until the next poll, which then fetches the whole screen. */
function addBeer(shown: Shown | undefined): Shown | undefined {
  return shown && { version: "", screen: { ...shown.screen, total: shown.screen.total + 1 } };
}

export function tapOf(face: Face): NewEntry {
  return { endpoint: "drinkAtTablet", params: { face: face.id }, drinker: face.name };
}

export function undoTapOf(face: Face, beer: string): NewEntry {
  return undoOf(tapOf(face), beer);
}

/** Not by the outbox, which must not store the PIN. */
export async function drinkWithPin(
  token: string,
  face: Face,
  { key, kind, pin }: { readonly key: string; readonly kind: "0,0" | null; readonly pin: string },
): Promise<void> {
  await call(drinkAtTablet, {
    params: { face: face.id },
    body: { kind, pin },
    headers: { [tvTokenHeader]: token, [tapHeaders.key]: key },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
}
