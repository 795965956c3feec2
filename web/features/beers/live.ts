import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
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
import { toasted, toastMember } from "#contract/presence.ts";
import { isShownWith } from "#contract/visibility.ts";
import { call } from "#web/client/api.ts";
import type { Client } from "#web/client/client.ts";
import { type PresenceList, whenVisible } from "#web/client/realtime.ts";
import { getMessage, showMessage } from "#web/page/messages.tsx";
import { hearProst, notify } from "#web/page/notifications.ts";
import { useEvent } from "#web/page/queries.ts";
import { useClient, useMember, useStore } from "#web/page/session.ts";
import * as api from "./api.ts";
import { applyEvent, applyFetched, findOwnCount, isOutdated } from "./counter-rules.ts";
import { addToast, describeToasts, prostText, sayingTopic, type Toasts, toastTopic, updateRanking } from "./rules.ts";
import { followTaps, tapForTopic } from "./taps.ts";

export function useBeersLive(): void {
  const client = useClient();
  const member = useMember();
  const { mutate: toast } = useToastBack();
  const isShown = member !== null && isShownWith(member.visibility, "presence");

  useEffect(() => followTaps(client), [client]);

  useEvent(
    beercounterUpdated,
    (event) => {
      if (member === null || !showChange(client, event)) return;
      const { userId, userName, avatarId } = event;
      if (userId === null || userName === null) return;
      if (userId === member.id) {
        if (getMessage()?.topic !== sayingTopic) showMessage({ type: "success", text: "Prost!" });
        return;
      }
      // The member has just tapped for the drinker.
      if (getMessage()?.topic === tapForTopic(userId)) return;
      hearProst();
      const text = prostText(userName, event.others, member.id);
      const drinker = { userId, userName, avatarId };
      if (isShown) offerToast(client, drinker);
      showMessage({
        type: "success",
        text,
        topic: toastTopic(userId),
        member: { avatarId, name: userName },
        ...(isShown && { action: { label: "Prost zurück", run: () => toast(drinker) } }),
      });
      void notify({ title: `${client.group.get().group_name} Beercounter`, body: text, tag: "beercounter" });
    },
    (version, data) => {
      client.outbox.sendAll();
      if (version !== null) handledVersions.set(client, version);
      const state = api.getCounterState(client);
      if (state && state.group.version === version && !isOutdated(state)) return;
      if (!showSubscribed(client, data)) client.reloadSoon(api.countersKey);
      // Names may have changed, too.
      whenVisible(() => client.reloadSoon(...api.statsKeys, api.latestKey));
    },
  );

  useEffect(() => {
    if (!isShown) return;
    const { queries, realtime } = client;
    const leave = realtime.subscribePresence((present) => queries.setQueryData(presenceKey, present));
    return () => {
      leave();
      queries.setQueryData(presenceKey, noPresence);
      queries.setQueryData(toastKey, null);
    };
  }, [client, isShown]);

  useToasts();
}

/** Events may arrive twice or out of order. */
const handledVersions = new WeakMap<Client, number>();

/**
 * Returns `false` if the counters must be fetched: a hosted service sends none, and a lower version comes from a
 * backup.
 */
function showSubscribed(client: Client, data: unknown): boolean {
  const state = api.getCounterState(client);
  const sent = z.safeParse(subscribedCounters, data);
  if (!state || !sent.success || sent.data.version < state.group.version) return false;
  const reply = { ...toTotals(sent.data.counters), version: sent.data.version };
  api.updateCounterState(client, (known) => applyFetched(known, reply, known.group.version));
  updateCharts(client, sent.data);
  return true;
}

/** Refetches if the page has missed a change or more than beers changed. `false` for a known event. */
function showChange(client: Client, event: CounterEvent): boolean {
  const { reloadSoon } = client;
  const handled = handledVersions.get(client) ?? 0;
  const member = client.member.get();
  if (member === null || event.version <= handled) return false;
  const isComplete = event.since !== undefined && event.since <= handled;
  handledVersions.set(client, event.version);
  const own = findOwnCount(event, { id: member.id, isRanked: isShownWith(member.visibility, "ranking") }, isComplete);
  api.updateCounterState(client, (state) => applyEvent(state, event, own));
  // Merged beers may include an undo of the named one.
  if (event.others?.isMore) reloadSoon(api.latestKey);
  else api.updateLatestBeer(client, event.userId, event.userName);
  if (isComplete && own !== undefined) updateCharts(client, event);
  else whenVisible(() => reloadSoon(...api.statsKeys));
  if (own !== null) reloadSoon(api.ownBeersKey);
  const state = api.getCounterState(client);
  if (!state || isOutdated(state)) reloadSoon(api.countersKey);
  return true;
}

/**
 * Refetches what the event lacks: statistics of a period or member, and a ranking or party that a missing member may
 * have entered.
 */
function updateCharts(client: Client, event: SubscribedCounters | CounterEvent): void {
  const { queries, reloadSoon } = client;
  const charts = [api.rankingKey, api.weekdaysKey, ...api.partyKeys];
  // A reply in flight may be older than the event.
  const isFetching = charts.some((queryKey) => queries.isFetching({ queryKey }) > 0);
  if (isFetching) return whenVisible(() => reloadSoon(...api.statsKeys));
  if (event.weekdays && queries.getQueryData(api.weekdaysKey)) queries.setQueryData(api.weekdaysKey, event.weekdays);
  const rankings = queries.getQueriesData<ShownRanking>({ queryKey: api.rankingKey });
  const isUpdated = rankings.map(([queryKey, ranking]) => {
    const next = ranking && updateRanking(ranking, event.totals ?? []);
    if (next) queries.setQueryData(queryKey, next);
    return next !== null;
  });
  const memberId = client.member.get()?.id ?? 0;
  const isAllUpdated = isUpdated.every(Boolean) && api.updateRunningParties(client, event, memberId);
  const outdated = isAllUpdated
    ? [...api.detailKeys, ...api.updateShownParties(client, event, memberId)]
    : api.statsKeys;
  whenVisible(() => reloadSoon(...outdated));
}

const noPresence: PresenceList = { count: 0, members: [] };

/** Key of the present members, without those who hide their presence. */
const presenceKey = ["present-members"];

/**
 * Sorts by name if all are listed, otherwise keeps those of most interest first. Empty while disconnected; incomplete
 * with `pages`.
 */
export function useOtherPresentMembers(): PresenceList {
  const memberId = useMember()?.id;
  const { data: here = noPresence } = useQuery<PresenceList>({ queryKey: presenceKey, queryFn: skipToken });
  const isOffline = useStore(useClient().realtime.connection) === "offline";
  if (isOffline) return noPresence;
  const others = here.members.filter(({ id }) => id !== memberId);
  if (here.pages !== undefined) return { ...here, count: others.length, members: others };
  if (here.count > here.members.length) return { count: here.count - 1, members: others };
  return { count: others.length, members: others.toSorted((one, other) => one.name.localeCompare(other.name, "de")) };
}

export type ToastTarget = DataOf<typeof toasted>;

/** Longer than the message is shown. */
const offerMs = 60_000;

const toastKey = ["pending-toast"];

interface PendingToast extends ToastTarget {
  readonly offeredAt: number;
}

/** Returns the member whose beer was announced last. */
export function usePendingToast(): ToastTarget | null {
  return useQuery<PendingToast | null>({ queryKey: toastKey, queryFn: skipToken }).data ?? null;
}

function offerToast({ queries }: Client, member: ToastTarget): void {
  const offeredAt = performance.now();
  queries.setQueryData<PendingToast>(toastKey, { ...member, offeredAt });
  setTimeout(() => {
    queries.setQueryData<PendingToast | null>(toastKey, (toast) => (toast?.offeredAt === offeredAt ? null : toast));
  }, offerMs);
}

export function useToastBack() {
  const { queries } = useClient();
  return useMutation({
    mutationFn: ({ userId }: ToastTarget) => call(toastMember, { params: { id: userId } }),
    onMutate({ userName: name, avatarId }) {
      queries.setQueryData(toastKey, null);
      showMessage({ type: "success", text: `Prost, ${name}!`, member: { avatarId, name } });
    },
  });
}

/** Shows who toasts the logged-in member. */
function useToasts(): void {
  const client = useClient();
  useEvent(toasted, ({ userName: name, avatarId }) => {
    const toasts = addToast(lastToasts.get(client) ?? null, performance.now());
    lastToasts.set(client, toasts);
    const text = describeToasts(toasts, name);
    hearProst();
    showMessage({ type: "info", text, ...(toasts.count === 1 && { member: { avatarId, name } }) });
  });
}

const lastToasts = new WeakMap<Client, Toasts>();
