import { useEffect, useEffectEvent } from "react";

import { beercounterUpdated } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { showFlash, useFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { onReachChange } from "#web/platform/reach.ts";
import { subscribe, subscribePresence } from "#web/platform/realtime.ts";
import { beforeLogout, useGroup, useSession } from "#web/platform/session.ts";

import { tapsFarewell, sendTaps, toastBack } from "./actions.ts";
import { present, reloadCounters, reloadOwnBeers, reloadStats, setTally, tallyOf } from "./queries.ts";
import { heard, isSaying, shownOf } from "./rules.ts";

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
    const before = tallyOf(memberId);
    const after = before && heard(before, event);
    if (after === null) return;
    if (after) setTally(memberId, after);
    reloadStats();
    if (event.userId === null || event.userName === null) {
      reloadOwnBeers();
      return reloadCounters();
    }
    if (event.userId === memberId) {
      reloadOwnBeers();
      // A beer that was tapped in another window: the event does not say how many of them are one's own.
      if (before && event.counterVal > shownOf(before).KSKCounterVal) reloadCounters();
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
    const close = sendTaps(memberId);
    const sendWaiting = (): void => void sendTaps(memberId);
    const stopFollowing = onReachChange((isReachable) => isReachable && sendWaiting());
    const stopAsking = beforeLogout(tapsFarewell);
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
      stopAsking();
      stopFollowing();
      close();
    };
  }, [memberId]);

  useEffect(() => {
    if (memberId === undefined || !isShown) return;
    const leave = subscribePresence((members) => present.set(members));
    return () => {
      leave();
      present.set([]);
    };
  }, [memberId, isShown]);
}
