import { useSyncExternalStore } from "react";
import * as z from "zod/mini";

import { presenceChannel, presentMember } from "#contract/event.ts";
import type { DataOf, Event, PresentMember } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group.ts";

import { openLine } from "./realtime-line.ts";
import type { Line, LineOptions } from "./realtime-line.ts";

export type Connection = "connecting" | "online" | "offline";

/** Somebody who has a page open. */
export interface Present extends PresentMember {
  readonly id: number;
}

export interface ConnectOptions extends Pick<LineOptions, "renewToken" | "onSignedOut" | "onRefused"> {
  /** `realtime` of GET /api/config. */
  readonly config: GroupConfig["realtime"];
}

export interface EventListener<E extends Event> {
  onEvent(data: DataOf<E>): void;
  /**
   * Called when nothing is missed from now on: after joining and after every reconnection. What happened before is not
   * told again, so fetch the state here, unless `version` is what you already have.
   */
  onSubscribed(version: number | null): void;
}

interface Listener {
  readonly channel: string;
  hear(event: string, data: unknown): void;
}

/** Shorter interruptions are not worth a word on the screen. */
const offlineAfter = 5_000;

const listeners = new Set<Listener>();
let line: Line | null = null;
let visit = 0;

/** Joins everything that was subscribed so far and stays connected. Call it after login; rejects if the code cannot be loaded. */
export async function connectRealtime({ config, ...callbacks }: ConnectOptions): Promise<void> {
  disconnectRealtime();
  const thisVisit = visit;
  onOnline(false);
  const opened = await openLine({ ...callbacks, address: config, onOnline, onMessage: tell });
  if (thisVisit !== visit) return opened.close();
  line = opened;
  for (const channel of new Set([...listeners].map((listener) => listener.channel))) line.join(channel);
}

/** Hangs up for good, e.g. at logout. Subscriptions stay and come back with the next connection. */
export function disconnectRealtime(): void {
  visit += 1;
  line?.close();
  line = null;
  clearTimeout(patience);
  setConnection("connecting");
}

/** Listens to one event of the contract; data that does not match it is dropped. Returns what ends the subscription. */
export function subscribe<E extends Event>(event: E, listener: EventListener<E>): () => void {
  return listen({
    channel: event.channel,
    hear: (name, data) => {
      if (name === "pusher:subscription_succeeded") listener.onSubscribed(versionIn(data));
      if (name !== event.name) return;
      const parsed = z.safeParse(event.data, data);
      if (parsed.success) listener.onEvent(parsed.data as DataOf<E>);
    },
  });
}

/** Tells who is here, now and after every change. Returns what ends the subscription. */
export function subscribePresence(onMembers: (members: readonly Present[]) => void): () => void {
  return listen({
    channel: presenceChannel,
    hear: (_, data) => {
      const members = data as { id: string; info: unknown }[];
      onMembers(
        members.flatMap(({ id, info }) => {
          const parsed = z.safeParse(presentMember, info);
          return parsed.success ? [{ id: Number(id), ...parsed.data }] : [];
        }),
      );
    },
  });
}

/** Whether events arrive: `offline` only when they did not for a while. */
export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, () => connection);
}

function listen(listener: Listener): () => void {
  listeners.add(listener);
  line?.join(listener.channel);
  return () => {
    if (!listeners.delete(listener)) return;
    // Not at once: at a logout the line is hung up in the same breath, and a goodbye would meet a socket that is closing.
    queueMicrotask(() => {
      const isNeeded = [...listeners].some(({ channel }) => channel === listener.channel);
      if (!isNeeded) line?.leave(listener.channel);
    });
  };
}

function tell(channel: string, event: string, data: unknown): void {
  for (const listener of [...listeners]) if (listener.channel === channel) listener.hear(event, data);
}

function versionIn(data: unknown): number | null {
  const version = typeof data === "object" && data !== null && "version" in data ? data.version : null;
  return typeof version === "number" ? version : null;
}

let connection: Connection = "connecting";
let patience: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function onOnline(isOnline: boolean): void {
  clearTimeout(patience);
  if (isOnline) return setConnection("online");
  if (connection === "online") setConnection("connecting");
  patience = setTimeout(() => setConnection("offline"), offlineAfter);
}

function setConnection(next: Connection): void {
  if (connection === next) return;
  connection = next;
  for (const watcher of watchers) watcher();
}
