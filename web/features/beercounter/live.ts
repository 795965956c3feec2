import { useEffect, useEffectEvent, useRef } from "react";
import * as z from "zod/mini";

import { beercounterUpdated, type CounterEvent, subscribedCounters, toTotals } from "#contract/beercounter.ts";
import { onReachabilityChange } from "#web/data/reachability.ts";
import { subscribe, subscribePresence, whenVisible } from "#web/data/realtime.ts";
import { useAction } from "#web/forms/use-action.ts";
import { notify } from "#web/pwa/notifications.ts";
import { addLogoutHook, useGroup, useSession } from "#web/session/session.ts";
import { applyEvent, applyFetched, findOwnCount, isOutdated } from "#web/shared/beers/counter-rules.ts";
import {
  getCounterState,
  reloadCounters,
  reloadLatestBeer,
  reloadOwnBeers,
  reloadStats,
  updateCounterState,
} from "#web/shared/beers/queries.ts";
import { sayingTopic } from "#web/shared/beers/rules.ts";
import { activateOutbox, tapsLogoutHook } from "#web/shared/beers/taps.ts";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash, useFlash } from "#web/shell/flash.tsx";
import { toastBack } from "./actions.ts";
import { noPresence, pendingToast, offerToast, presentMembers, updateCharts, updateLatestBeer } from "./queries.ts";
import { prostText, toastTopic } from "./rules.ts";

/**
 * Shows live updates of beers, and sends the member's taps. Runs on every page while a member is
 * logged in.
 */
export function useBeercounterLive(): void {
  const { group_name } = useGroup();
  const flash = useFlash();
  const { user } = useSession();
  const { run: toast } = useAction(toastBack);
  const memberId = user?.id;
  const isShown = user !== null && !user.is_hidden && !user.is_paused;

  /**
   * Newest version of the counts that this page has handled. Events with the same or a lower
   * version are ignored, because events may arrive twice or out of order.
   */
  const lastVersion = useRef(0);

  const onEvent = useEffectEvent((event: CounterEvent) => {
    if (memberId === undefined || event.version <= lastVersion.current) return;
    const isComplete = event.since !== undefined && event.since <= lastVersion.current;
    lastVersion.current = event.version;
    showChange(event, { id: memberId, is_paused: user?.is_paused === true }, isComplete);
    if (event.userId === null || event.userName === null) return;
    if (event.userId === memberId) {
      if (flash?.topic !== sayingTopic) showFlash({ type: "success", text: "Prost!" });
      return;
    }
    if (user?.is_paused) return;
    const { userId, userName, avatarId } = event;
    const text = prostText(userName, event.others, memberId);
    if (isShown) offerToast({ userId, userName, avatarId });
    const action = { label: "Prost zurück", run: () => void toast({ userId, userName, avatarId }) };
    const picture = flashPicture(avatarId, userName);
    showFlash({ type: "success", text, topic: toastTopic(userId), picture, ...(isShown && { action }) });
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
      onSubscribed: (version, data) => {
        sendWaiting();
        if (version !== null) lastVersion.current = version;
        const state = getCounterState(memberId);
        if (state && state.group.version === version && !isOutdated(state)) return;
        if (!showSubscribed(memberId, data)) reloadCounters();
        // Names may have changed, too.
        whenVisible(reloadAll);
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
    const leave = subscribePresence(presentMembers.set);
    return () => {
      leave();
      presentMembers.set(noPresence);
      pendingToast.set(null);
    };
  }, [memberId, isShown]);
}

function reloadAll(): void {
  reloadStats();
  reloadLatestBeer();
}

/**
 * Shows the counters and charts that came with the subscription. Returns `false` if they must be fetched: a
 * hosted service sends none, and a lower version means that the server was restored from a backup.
 */
function showSubscribed(memberId: number, data: unknown): boolean {
  const state = getCounterState(memberId);
  const sent = z.safeParse(subscribedCounters, data);
  if (!state || !sent.success || sent.data.version < state.group.version) return false;
  const reply = { ...toTotals(sent.data.counters), version: sent.data.version };
  updateCounterState(memberId, (known) => applyFetched(known, reply, known.group.version));
  updateCharts(sent.data, memberId);
  return true;
}

/**
 * Shows the counts and charts of an event. Refetches them if the page has missed a change (`isComplete` is `false`), or
 * something else than beers has changed.
 */
function showChange(
  event: CounterEvent,
  member: { readonly id: number; readonly is_paused: boolean },
  isComplete: boolean,
): void {
  const own = findOwnCount(event, member, isComplete);
  updateCounterState(member.id, (state) => applyEvent(state, event, own));
  // An event that merges several beers may also include an undo of the beer that it names, so the
  // newest beer is fetched.
  if (event.others?.isMore) reloadLatestBeer();
  else updateLatestBeer(event.userId, event.userName);
  if (isComplete && own !== undefined) updateCharts(event, member.id);
  else whenVisible(reloadStats);
  if (own !== null) reloadOwnBeers();
  const state = getCounterState(member.id);
  if (!state || isOutdated(state)) reloadCounters();
}
