import * as z from "zod/mini";

import { presenceChannel, presentMember } from "#contract/event.ts";
import type { DataOf, Event, PresentMember } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { connectPusher, type Present, type PusherConnection, type PusherOptions } from "./pusher.ts";
import { createStore, type Store } from "./store.ts";

/** A member who has a page open. */
export interface PresenceEntry extends PresentMember {
  readonly id: number;
}

/** Number of members who have a page open, and at most 100 of them. */
export interface PresenceList extends Pick<Present, "count" | "pages"> {
  readonly members: readonly PresenceEntry[];
}

export interface EventListener<E extends Event> {
  onEvent(data: DataOf<E>): void;
  /**
   * Called after every connection. Events missed while disconnected are not repeated, so the listener must refetch its
   * data, unless the data already has this version (`null` if the server sends no version) or `data` contains it.
   */
  onSubscribed(version: number | null, data: unknown): void;
}

/** A missing connection is `connecting` at first, and `offline` after `offlineDelays`. */
export type Connection = "connecting" | "online" | "offline";

/** Milliseconds; the first connection may take longer on a slow network. */
const offlineDelays = { interrupted: 5_000, first: 10_000 };

/**
 * Milliseconds before reconnecting if the server closes the socket of a member who is still logged in. Hosted Pusher
 * services do this when one of the member's sessions ends, or when the name, picture or permissions change. The delay
 * doubles, up to `longest`, if the socket is closed again within `repeatedWithin`.
 */
const reopenDelay = { first: 1_000, longest: 30_000, repeatedWithin: 60_000 };

export interface Realtime {
  readonly connection: Pick<Store<Connection>, "get" | "subscribe">;
  connect(address: GroupConfig["realtime"], options: Pick<PusherOptions, "renewToken" | "onAccessChanged">): void;
  /**
   * Calls the listener for an event of the contract; ignores data that does not match its schema. Returns a function
   * that ends the subscription.
   */
  subscribe<E extends Event>(event: E, listener: EventListener<E>): () => void;
  /** Calls `onChange` with the present members after every connection and every change. */
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
  let offlineDelay = offlineDelays.first;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  function reportConnection(isOnline: boolean): void {
    clearTimeout(offlineTimer);
    if (isOnline) {
      offlineDelay = offlineDelays.interrupted;
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
      // Deferred, because a logout disconnects in the same tick, and unsubscribing would write to a closing socket.
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
            repeats = performance.now() - openedAt < reopenDelay.repeatedWithin ? repeats + 1 : 0;
            reopenTimer = setTimeout(open, Math.min(reopenDelay.longest, reopenDelay.first * 2 ** repeats));
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

/** Calls `refetch` now, or as soon as a hidden page becomes visible. */
export function whenVisible(refetch: () => void): void {
  if (document.visibilityState === "visible") refetch();
  else document.addEventListener("visibilitychange", refetch, { once: true });
}

function versionIn(data: unknown): number | null {
  const version = typeof data === "object" && data !== null && "version" in data ? data.version : null;
  return typeof version === "number" ? version : null;
}
