import { useEffect, useEffectEvent, useRef } from "react";

import { beercounterUpdated } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { applyEvent, isOutdated } from "#web/platform/beers/counter-rules.ts";
import {
  getCounterState,
  reloadCounters,
  reloadLatestBeer,
  reloadOwnBeers,
  reloadStats,
  updateCounterState,
} from "#web/platform/beers/queries.ts";
import { isSaying } from "#web/platform/beers/rules.ts";
import { activateOutbox, isAnswerExpected, tapsLogoutHook } from "#web/platform/beers/taps.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash, useFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { onReachabilityChange } from "#web/platform/reachability.ts";
import { subscribe, subscribePresence } from "#web/platform/realtime.ts";
import { addLogoutHook, useGroup, useSession } from "#web/platform/session.ts";
import { useAction } from "#web/platform/use-action.ts";
import { toastBack } from "./actions.ts";
import { missedToast, offerToast, presentMembers, updateLatestBeer } from "./queries.ts";
import { prostText, reloadDelay } from "./rules.ts";

/**
 * Everything the counter does while a member is logged in, on every page: follows the others' beers live and sends the
 * member's own taps. Mounted once, around the pages.
 */
export function useBeercounterLive(): void {
  const { group_name } = useGroup();
  const flash = useFlash();
  const { user } = useSession();
  const { run: toast } = useAction(toastBack);
  const memberId = user?.id;
  const isShown = user !== null && !user.is_hidden;

  /** The newest event so far; they may arrive twice or late. */
  const lastVersion = useRef(0);

  const onEvent = useEffectEvent((event: DataOf<typeof beercounterUpdated>) => {
    if (memberId === undefined || event.version <= lastVersion.current) return;
    lastVersion.current = event.version;
    showChange(event, memberId);
    if (event.userId === null || event.userName === null) return;
    if (event.userId === memberId) {
      if (!flash || !isSaying(flash.text)) showFlash({ type: "success", text: "Prost!" });
      return;
    }
    if (user?.is_paused) return;
    const { userId, userName, avatarId } = event;
    const text = prostText(userName);
    if (isShown) offerToast({ userId, userName, avatarId });
    const action = { label: "Prost zurück", run: () => void toast({ userId, userName, avatarId }) };
    showFlash({ type: "success", text, picture: flashPicture(avatarId, userName), ...(isShown && { action }) });
    void notify({ title: `${group_name} Beercounter`, body: text, tag: "beercounter" });
  });

  useEffect(() => {
    if (memberId === undefined) return;
    const close = activateOutbox(memberId);
    const sendWaiting = (): void => void activateOutbox(memberId);
    const stopFollowing = onReachabilityChange((isReachable) => isReachable && sendWaiting());
    const stopAsking = addLogoutHook(tapsLogoutHook);
    const leave = subscribe(beercounterUpdated, {
      onEvent,
      onSubscribed: (version) => {
        sendWaiting();
        if (version !== null) lastVersion.current = version;
        const state = getCounterState(memberId);
        if (state && state.group.version === version && !isOutdated(state)) return;
        reloadCounters();
        reloadStats();
        reloadLatestBeer();
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
      missedToast.set(null);
    };
  }, [memberId, isShown]);
}

let isReloadPlanned = false;

/** The reload to come shows further beers, too. */
function planReload(): void {
  if (isReloadPlanned) return;
  isReloadPlanned = true;
  setTimeout(() => {
    isReloadPlanned = false;
    reloadStats();
  }, reloadDelay(presentMembers.get().length));
}

/** Shows the new total and fetches what is not in the event, unless an answer has brought it or is about to. */
function showChange(event: DataOf<typeof beercounterUpdated>, memberId: number): void {
  const isKnown = event.version <= (getCounterState(memberId)?.group.version ?? 0);
  updateCounterState(memberId, (state) => applyEvent(state, event, memberId));
  updateLatestBeer(event.userId, event.userName);
  const mayBeOwn = event.userId === null || event.userId === memberId;
  if (mayBeOwn && isAnswerExpected()) return;
  if (!isKnown) planReload();
  const state = getCounterState(memberId);
  if (!mayBeOwn || (state && !isOutdated(state))) return;
  reloadCounters();
  reloadOwnBeers();
}
