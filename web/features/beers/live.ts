import type { QueryKey } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import * as z from "zod/mini";

import {
  beercounterUpdated,
  type CounterEvent,
  type ShownRanking,
  subscribedCounters,
  type SubscribedCounters,
  toTotals,
} from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { savePresence, toasted, toastMember } from "#contract/presence.ts";
import { call } from "#web/client/api.ts";
import { type PresenceList, subscribe, subscribePresence, whenVisible } from "#web/client/realtime.ts";
import { createStore } from "#web/client/store.ts";
import { useConnection } from "#web/data/connection.ts";
import { keepReply } from "#web/data/kept-reply.ts";
import { queryClient } from "#web/data/query-client.ts";
import { onReachabilityChange } from "#web/data/reachability.ts";
import { useAction } from "#web/forms/use-action.ts";
import { showMessage, useMessage } from "#web/page/messages.tsx";
import { notify } from "#web/page/notifications.ts";
import { useStore, addLogoutHook, replaceMember, useGroup, useMember } from "#web/page/session.ts";
import * as api from "./api.ts";
import { applyEvent, applyFetched, findOwnCount, isOutdated } from "./counter-rules.ts";
import { addToast, describeToasts, prostText, sayingTopic, type Toasts, toastTopic, updateRanking } from "./rules.ts";
import { activateOutbox, tapsLogoutHook } from "./taps.ts";

/** Shows live updates of beers, and sends the member's taps. */
export function useBeercounterLive(): void {
  const { group_name } = useGroup();
  const flash = useMessage();
  const user = useMember();
  const { run: toast } = useAction(toastBack);
  const memberId = user?.id;
  const isShown = user !== null && !user.is_hidden && !user.is_paused;

  /** Newest version that this page has handled. Events may arrive twice or out of order. */
  const lastVersion = useRef(0);

  const onEvent = useEffectEvent((event: CounterEvent) => {
    if (memberId === undefined || event.version <= lastVersion.current) return;
    const isComplete = event.since !== undefined && event.since <= lastVersion.current;
    lastVersion.current = event.version;
    showChange(event, { id: memberId, is_paused: user?.is_paused === true }, isComplete);
    if (event.userId === null || event.userName === null) return;
    if (event.userId === memberId) {
      if (flash?.topic !== sayingTopic) showMessage({ type: "success", text: "Prost!" });
      return;
    }
    if (user?.is_paused) return;
    const { userId, userName, avatarId } = event;
    const text = prostText(userName, event.others, memberId);
    if (isShown) offerToast({ userId, userName, avatarId });
    const action = { label: "Prost zurück", run: () => void toast({ userId, userName, avatarId }) };
    const picture = flashPicture(avatarId, userName);
    showMessage({ type: "success", text, topic: toastTopic(userId), picture, ...(isShown && { action }) });
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
        const state = api.getCounterState(memberId);
        if (state && state.group.version === version && !isOutdated(state)) return;
        if (!showSubscribed(memberId, data)) api.reloadCounters();
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
  api.reloadStats();
  api.reloadLatestBeer();
}

/**
 * Shows the counters and charts that came with the subscription. Returns `false` if they must be fetched: a
 * hosted service sends none, and a lower version means that the server was restored from a backup.
 */
function showSubscribed(memberId: number, data: unknown): boolean {
  const state = api.getCounterState(memberId);
  const sent = z.safeParse(subscribedCounters, data);
  if (!state || !sent.success || sent.data.version < state.group.version) return false;
  const reply = { ...toTotals(sent.data.counters), version: sent.data.version };
  api.updateCounterState(memberId, (known) => applyFetched(known, reply, known.group.version));
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
  api.updateCounterState(member.id, (state) => applyEvent(state, event, own));
  // An event that merges several beers may also include an undo of the beer that it names, so the
  // newest beer is fetched.
  if (event.others?.isMore) api.reloadLatestBeer();
  else api.updateLatestBeer(event.userId, event.userName);
  if (isComplete && own !== undefined) updateCharts(event, member.id);
  else whenVisible(api.reloadStats);
  if (own !== null) api.reloadOwnBeers();
  const state = api.getCounterState(member.id);
  if (!state || isOutdated(state)) api.reloadCounters();
}

/**
 * Updates the cached charts and running parties from an event. Refetches what the event does not contain: shown
 * parties, statistics of a period or member, and a ranking into which a missing member may have moved.
 */
function updateCharts(event: SubscribedCounters | CounterEvent, memberId: number): void {
  // A reply in flight may be older than the event.
  if (queryClient.isFetching({ queryKey: api.statsKey }) > 0) return whenVisible(api.reloadStats);
  if (event.weekdays) updateKept(api.weekdaysKey, api.keptWeekdays, event.weekdays);
  const rankings = queryClient.getQueriesData<ShownRanking>({ queryKey: api.rankingKey });
  const isUpdated = rankings.map(([queryKey, ranking]) => {
    const next = ranking && updateRanking(ranking, event.totals ?? []);
    if (next) updateKept(queryKey, queryKey.at(-1) === true ? null : api.keptRanking, next);
    return next !== null;
  });
  const isAllUpdated = isUpdated.every(Boolean) && api.updateRunningParties(event, memberId);
  whenVisible(isAllUpdated ? api.reloadDetails : api.reloadStats);
}

function updateKept(queryKey: QueryKey, name: string | null, data: object): void {
  if (queryClient.getQueryData(queryKey) === undefined) return;
  queryClient.setQueryData(queryKey, data);
  if (name !== null) keepReply(name, data);
}

const noPresence: PresenceList = { count: 0, members: [] };

/** Those who have the app open and have not hidden their presence. */
const presentMembers = createStore(noPresence);

/**
 * Returns the present members except the logged-in one, by name if all are listed, otherwise those of most interest
 * first. Empty while disconnected. With `pages`, members may be missing.
 */
export function useOtherPresentMembers(): PresenceList {
  const memberId = useMember()?.id;
  const here = useStore(presentMembers);
  const isOffline = useConnection() === "offline";
  if (isOffline) return noPresence;
  const others = here.members.filter(({ id }) => id !== memberId);
  if (here.pages !== undefined) return { ...here, count: others.length, members: others };
  if (here.count > here.members.length) return { count: here.count - 1, members: others };
  return { count: others.length, members: others.toSorted((one, other) => one.name.localeCompare(other.name, "de")) };
}

export type ToastTarget = DataOf<typeof toasted>;

/** Longer than the flash message is shown. */
const offerMs = 60_000;

/** The member whose beer was announced last, as long as the app offers to toast back. */
export const pendingToast = createStore<ToastTarget | null>(null);

function offerToast(member: ToastTarget): void {
  pendingToast.set(member);
  setTimeout(() => pendingToast.get() === member && pendingToast.set(null), offerMs);
}

export async function toastBack({ userId, userName: name, avatarId }: ToastTarget): Promise<void> {
  pendingToast.set(null);
  showMessage({ type: "success", text: `Prost, ${name}!`, member: { avatarId, name } });
  await call(toastMember, { params: { id: userId } });
}

/** Shows a flash message when another member toasts the logged-in member. */
export function useToasts(): void {
  useEffect(() => {
    let before: Toasts | null = null;
    return subscribe(toasted, {
      onEvent({ userName: name, avatarId }) {
        before = addToast(before, performance.now());
        const text = describeToasts(before, name);
        showMessage({ type: "info", text, ...(before.count === 1 && { member: { avatarId, name } }) });
      },
      onSubscribed() {},
    });
  }, []);
}

/** Ends the member's pause. `isShown` is the member's unchanged setting to appear among the present members. */
export async function endPause(isShown: boolean): Promise<string> {
  const { data } = await call(savePresence, { body: { is_shown: isShown, is_paused: false } });
  replaceMember(data);
  return "Schön, dass du wieder dabei bist!";
}
