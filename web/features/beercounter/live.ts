import { useEffect, useEffectEvent } from "react";

import { beercounterUpdated } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { showFlash, useFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { onConnectivityChange } from "#web/platform/connectivity.ts";
import { subscribe, subscribePresence } from "#web/platform/realtime.ts";
import { addLogoutHook, useGroup, useSession } from "#web/platform/session.ts";

import { tapsLogoutHook, activateOutbox, toastBack } from "./actions.ts";
import {
  presentMembers,
  reloadCounters,
  reloadOwnBeers,
  reloadStats,
  setCounterState,
  getCounterState,
} from "./queries.ts";
import { applyEvent, isSaying, displayedCounters } from "./rules.ts";

/**
 * Everything the counter does while a member is logged in, on every page: follows the others' beers live and brings
 * the member's own taps to the server. Mounted once, around the pages.
 */
export function useBeercounterLive(): void {
  const { group_name } = useGroup();
  const flash = useFlash();
  const { user } = useSession();
  const memberId = user?.id;
  const isShown = user !== null && !user.is_hidden;

  const onEvent = useEffectEvent((event: DataOf<typeof beercounterUpdated>) => {
    if (memberId === undefined) return;
    const before = getCounterState(memberId);
    const after = before && applyEvent(before, event);
    if (after === null) return;
    if (after) setCounterState(memberId, after);
    reloadStats();
    if (event.userId === null || event.userName === null) {
      reloadOwnBeers();
      return reloadCounters();
    }
    if (event.userId === memberId) {
      reloadOwnBeers();
      // A beer that was tapped in another window: the event does not say how many of them are one's own.
      if (before && event.counterVal > displayedCounters(before).KSKCounterVal) reloadCounters();
      if (!flash || !isSaying(flash.text)) showFlash({ type: "success", text: "Prost!" });
      return;
    }
    if (user?.is_paused) return;
    const { userId, userName, avatarId } = event;
    const text = `Prost von ${userName}!`;
    const action = { label: "Prost zurück", run: () => void toastBack({ userId, userName, avatarId }) };
    const mayToast = event.mayToast && isShown;
    showFlash({ type: "success", text, avatarId, name: userName, ...(mayToast && { action }) });
    void notify({ title: `${group_name} Beercounter`, body: text, tag: "beercounter" });
  });

  useEffect(() => {
    if (memberId === undefined) return;
    const close = activateOutbox(memberId);
    const sendWaiting = (): void => void activateOutbox(memberId);
    const stopFollowing = onConnectivityChange((isReachable) => isReachable && sendWaiting());
    const stopAsking = addLogoutHook(tapsLogoutHook);
    const leave = subscribe(beercounterUpdated, {
      onEvent,
      onSubscribed: (version) => {
        sendWaiting();
        if (version !== null && version === getCounterState(memberId)?.version) return;
        reloadCounters();
        reloadStats();
      },
    });
    return () => {
      leave();
      stopAsking();
      stopFollowing();
      close();
    };
  }, [memberId]);

  useEffect(() => {
    if (memberId === undefined || !isShown) return;
    const leave = subscribePresence((members) => presentMembers.set(members));
    return () => {
      leave();
      presentMembers.set([]);
    };
  }, [memberId, isShown]);
}
