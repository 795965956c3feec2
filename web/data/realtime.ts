import * as z from "zod/mini";

import { presenceChannel, presentMember } from "#contract/event.ts";
import type { DataOf, Event, PresentMember } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { reportConnection, resetConnection } from "./connection.ts";
import {
  createRealtimeClient,
  type Present,
  type RealtimeClient,
  type RealtimeClientOptions,
} from "./realtime-client.ts";

/** A member who has a page open. */
export interface PresenceEntry extends PresentMember {
  readonly id: number;
}

/**
 * Number of members who have a page open, and at most 100 of them.
 */
export interface PresenceList extends Pick<Present, "count" | "pages"> {
  readonly members: readonly PresenceEntry[];
}

export interface ConnectOptions extends Pick<
  RealtimeClientOptions,
  "renewToken" | "onSessionEnded" | "onChannelRefused"
> {
  /** The `realtime` field of GET /api/config. */
  readonly config: GroupConfig["realtime"];
}

export interface EventListener<E extends Event> {
  onEvent(data: DataOf<E>): void;
  /**
   * Called after every connection and reconnection. Events missed while disconnected are not
   * repeated, so the listener must refetch its data, unless the data already has this version
   * (`null` if the server sends no version) or `data` contains it.
   */
  onSubscribed(version: number | null, data: unknown): void;
}

interface Listener {
  readonly channel: string;
  onMessage(event: string, data: unknown): void;
}

const listeners = new Set<Listener>();
let client: RealtimeClient | null = null;

/** Connects and subscribes all listeners to their channels. Call it after the login. */
export function connectRealtime({ config, ...callbacks }: ConnectOptions): void {
  disconnectRealtime();
  reportConnection(false);
  client = createRealtimeClient({
    ...callbacks,
    address: config,
    onConnectionChange: reportConnection,
    onMessage: dispatch,
  });
  for (const channel of new Set([...listeners].map((listener) => listener.channel))) client.subscribe(channel);
}

/**
 * Disconnects without reconnecting, e.g. at logout. Listeners are kept and subscribed again by the
 * next connection.
 */
export function disconnectRealtime(): void {
  client?.disconnect();
  client = null;
  resetConnection();
}

/**
 * Calls the listener for an event of the contract; ignores data that does not match its schema.
 * Returns a function that ends the subscription.
 */
export function subscribe<E extends Event>(event: E, listener: EventListener<E>): () => void {
  return listen({
    channel: event.channel,
    onMessage: (name, data) => {
      if (name === "pusher:subscription_succeeded") listener.onSubscribed(versionIn(data), data);
      if (name !== event.name) return;
      const parsed = z.safeParse(event.data, data);
      if (parsed.success) listener.onEvent(parsed.data as DataOf<E>);
    },
  });
}

/**
 * Calls `onChange` with the members who have a page open, after every connection and every change.
 * Returns a function that ends the subscription.
 */
export function subscribePresence(onChange: (present: PresenceList) => void): () => void {
  return listen({
    channel: presenceChannel,
    onMessage: (_, data) => {
      const { members, ...numbers } = data as Present;
      onChange({
        ...numbers,
        members: members.flatMap(({ id, info }) => {
          const parsed = z.safeParse(presentMember, info);
          return parsed.success ? [{ id: Number(id), ...parsed.data }] : [];
        }),
      });
    },
  });
}

function listen(listener: Listener): () => void {
  listeners.add(listener);
  client?.subscribe(listener.channel);
  return () => {
    if (!listeners.delete(listener)) return;
    // Deferred, because a logout disconnects in the same tick, and unsubscribing would write to a
    // closing socket.
    queueMicrotask(() => {
      const isNeeded = [...listeners].some(({ channel }) => channel === listener.channel);
      if (!isNeeded) client?.unsubscribe(listener.channel);
    });
  };
}

/** Calls `refetch` now, or as soon as a hidden page becomes visible. */
export function whenVisible(refetch: () => void): void {
  if (document.visibilityState === "visible") refetch();
  else document.addEventListener("visibilitychange", refetch, { once: true });
}

function dispatch(channel: string, event: string, data: unknown): void {
  for (const listener of [...listeners]) if (listener.channel === channel) listener.onMessage(event, data);
}

function versionIn(data: unknown): number | null {
  const version = typeof data === "object" && data !== null && "version" in data ? data.version : null;
  return typeof version === "number" ? version : null;
}
