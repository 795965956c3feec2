import * as z from "zod/mini";

import { presenceChannel, presentMember } from "#contract/event.ts";
import type { DataOf, Event, PresentMember } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { connectPusher, type Present, type PusherConnection, type PusherOptions } from "./pusher.ts";
import { createStore, type Store } from "./store.ts";

export interface PresenceEntry extends PresentMember {
  readonly id: number;
}

/** `members` are at most 100 of the `count` members who have a page open. */
export interface PresenceList extends Pick<Present, "count" | "pages"> {
  readonly members: readonly PresenceEntry[];
}

export interface EventListener<E extends Event> {
  onEvent(data: DataOf<E>): void;
  /**
   * Called after every connection. Missed events are not repeated: the listener must refetch, unless its data already
   * has this version (`null` if unknown) or `data` contains it.
   */
  onSubscribed(version: number | null, data: unknown): void;
}

/** `offline` after `offlineDelaysMs`. */
export type Connection = "connecting" | "online" | "offline";

/** The first connection may take longer on a slow network. */
const offlineDelaysMs = { interrupted: 5_000, first: 10_000 };

/**
 * Hosted Pusher services close the socket when another session of the member ends, or the name, picture or permissions
 * change. The delay doubles, up to `longest`, after closes within `repeatedWithin`.
 */
const reopenDelayMs = { first: 1_000, longest: 30_000, repeatedWithin: 60_000 };

export interface Realtime {
  readonly connection: Pick<Store<Connection>, "get" | "subscribe">;
  connect(address: GroupConfig["realtime"], options: Pick<PusherOptions, "renewToken" | "onAccessChanged">): void;
  /** Ignores data that does not match the schema. The returned function ends the subscription. */
  subscribe<E extends Event>(event: E, listener: EventListener<E>): () => void;
  /** Calls `onChange` after every connection and change. */
  subscribePresence(onChange: (present: PresenceList) => void): () => void;
  disconnect(): void;
}

interface Listener {
  readonly channel: string;
  onMessage(event: string, data: unknown): void;
}

export function createRealtime(): Realtime {
  const listeners = new Set<Listener>();
  const connection = createStore<Connection>("connecting");
  let pusher: PusherConnection | undefined;
  let offlineDelay = offlineDelaysMs.first;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  function reportConnection(isOnline: boolean): void {
    clearTimeout(offlineTimer);
    if (isOnline) {
      offlineDelay = offlineDelaysMs.interrupted;
      return connection.set("online");
    }
    if (connection.get() === "online") connection.set("connecting");
    offlineTimer = setTimeout(() => connection.set("offline"), offlineDelay);
  }

  function listen(listener: Listener): () => void {
    listeners.add(listener);
    pusher?.subscribe(listener.channel);
    return () => {
      if (!listeners.delete(listener)) return;
      // A logout disconnects in the same tick, and unsubscribing would write to a closing socket.
      queueMicrotask(() => {
        const isNeeded = [...listeners].some(({ channel }) => channel === listener.channel);
        if (!isNeeded) pusher?.unsubscribe(listener.channel);
      });
    };
  }

  const realtime: Realtime = {
    connection,
    connect(address, options) {
      let repeats = 0;
      const open = (): void => {
        const openedAt = performance.now();
        reportConnection(false);
        pusher = connectPusher({
          ...options,
          address,
          onConnectionChange: reportConnection,
          onMessage(channel, event, data) {
            for (const listener of [...listeners]) if (listener.channel === channel) listener.onMessage(event, data);
          },
          onSessionEnded() {
            options.onAccessChanged();
            repeats = performance.now() - openedAt < reopenDelayMs.repeatedWithin ? repeats + 1 : 0;
            reopenTimer = setTimeout(open, Math.min(reopenDelayMs.longest, reopenDelayMs.first * 2 ** repeats));
          },
        });
        for (const channel of new Set([...listeners].map((listener) => listener.channel))) pusher.subscribe(channel);
      };
      open();
    },
    subscribe: (event, listener) =>
      listen({
        channel: event.channel,
        onMessage: (name, data) => {
          if (name === "pusher:subscription_succeeded") listener.onSubscribed(versionIn(data), data);
          if (name !== event.name) return;
          const parsed = z.safeParse(event.data, data);
          if (parsed.success) listener.onEvent(parsed.data as never);
        },
      }),
    subscribePresence: (onChange) =>
      listen({
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
      }),
    disconnect() {
      clearTimeout(offlineTimer);
      clearTimeout(reopenTimer);
      pusher?.disconnect();
      pusher = undefined;
    },
  };
  return realtime;
}

/** Waits while the page is hidden; a function that already waits then runs once. */
export function whenVisible(refetch: () => unknown): void {
  if (document.visibilityState === "visible") refetch();
  else document.addEventListener("visibilitychange", refetch, { once: true });
}

function versionIn(data: unknown): number | null {
  const version = typeof data === "object" && data !== null && "version" in data ? data.version : null;
  return typeof version === "number" ? version : null;
}
