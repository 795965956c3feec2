import type Pusher from "pusher-js";
import type { Channel, Options, PresenceChannel } from "pusher-js";

import { userChannelPrefix } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group.ts";

import { syncCsrfMeta } from "./csrf.ts";

type Address = GroupConfig["realtime"];
type Page = Pick<Location, "protocol" | "hostname" | "port" | "origin">;

/** Close codes after which asking again changes nothing: the session ended; too many tabs; anything wrong with the address. */
const sessionEnded = 4009;
const tooManySockets = 4004;

/** A healthy socket answers a ping long before this many milliseconds. */
const probeWithin = 4_000;

export interface RealtimeClientOptions {
  readonly address: Address;
  onConnectionChange(isOnline: boolean): void;
  /** `data` as the server sent it; `pusher:subscription_succeeded` after every (re)connection. */
  onMessage(channel: string, event: string, data: unknown): void;
  /** Fetches a fresh CSRF token into the page's meta tag. */
  renewToken(): Promise<unknown>;
  /** The session behind the socket ended. */
  onSessionEnded(): void;
  /** This channel is not open to the member, or not any longer. */
  onChannelRefused(channel: string): void;
  /** Milliseconds to wait before the nth attempt to reconnect. */
  readonly reconnectDelay?: (attempt: number) => number;
  readonly pingTimeout?: number;
}

/** The one realtime connection to the server. */
export interface RealtimeClient {
  /** `ownChannel` is the channel of this member alone. */
  subscribe(channel: string): void;
  unsubscribe(channel: string): void;
  disconnect(): void;
}

/** Connects and keeps the connection alive. pusher-js is loaded here, after a login, and used nowhere else. */
export async function connectRealtimeClient(options: RealtimeClientOptions): Promise<RealtimeClient> {
  const { default: Client } = await import("pusher-js");
  return createRealtimeClient(new Client(options.address.key, pusherOptions(options.address, location)), options);
}

/** 2, 4, 8 … 30 seconds, each spread by half, so that not everybody comes back in the same moment. */
export function reconnectDelay(attempt: number, random: number = Math.random()): number {
  return Math.min(30_000, 2_000 * 2 ** attempt) * (0.5 + random);
}

/** Null hosts mean the page's own. Nothing but sockets: pusher-js would else fall back to its vendor's servers. */
export function pusherOptions(address: Address, page: Page): Options {
  const isSecure = page.protocol === "https:";
  const ownPort = Number(page.port) || (isSecure ? 443 : 80);
  const auth = { transport: "ajax" as const, headersProvider: () => authHeaders() };
  return {
    cluster: address.cluster,
    wsHost: address.wsHost ?? page.hostname,
    wsPort: address.wsPort ?? (address.wsHost === null ? ownPort : 80),
    wssPort: address.wssPort ?? (address.wsHost === null ? ownPort : 443),
    forceTLS: address.wsHost === null ? isSecure : address.forceTLS,
    // "ws" speaks TLS where that is forced; "wss" beside it would knock at ports that speak none.
    enabledTransports: ["ws"],
    channelAuthorization: { ...auth, endpoint: `${page.origin}/broadcasting/auth` },
    userAuthentication: { ...auth, endpoint: `${page.origin}/broadcasting/user-auth` },
  };
}

let socketId = "";

function authHeaders(): Record<string, string> {
  // A page that was opened offline asks before any answer could have filled the tag.
  syncCsrfMeta();
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? "";
  return {
    "X-CSRF-TOKEN": token,
    "X-XSRF-TOKEN": token,
    "X-Socket-Id": socketId,
    "X-Requested-With": "XMLHttpRequest",
  };
}

function createRealtimeClient(pusher: Pusher, options: RealtimeClientOptions): RealtimeClient {
  const { connection } = pusher;
  const listening = new AbortController();
  /** Channels whose refusal was already answered with a fresh token on this connection. */
  const renewed = new Set<string>();
  const bound = new WeakSet<Channel>();
  let state: "open" | "waits-for-visible" | "closed" = "open";
  let attempts = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pingTimer: ReturnType<typeof setTimeout> | undefined;

  function reconnect(): void {
    clearTimeout(retryTimer);
    clearPing();
    pusher.disconnect();
    pusher.connect();
  }

  /** pusher-js would wait 15, 30, 60 seconds; while the page is visible that is too long. */
  function retryLater(): void {
    clearTimeout(retryTimer);
    if (state !== "open" || connection.state === "connected" || document.visibilityState !== "visible") return;
    retryTimer = setTimeout(
      () => {
        reconnect();
        retryLater();
      },
      (options.reconnectDelay ?? reconnectDelay)(attempts),
    );
    attempts += 1;
  }

  /** After a sleep the socket may be dead without an event: it must answer a ping, or is replaced. */
  function checkConnection(): void {
    if (state === "closed" || document.visibilityState !== "visible" || pingTimer !== undefined) return;
    state = "open";
    if (connection.state !== "connected") {
      attempts = 0;
      reconnect();
      return retryLater();
    }
    connection.bind("message", clearPing);
    pingTimer = setTimeout(reconnect, options.pingTimeout ?? probeWithin);
    pusher.send_event("pusher:ping", {});
  }

  function clearPing(): void {
    connection.unbind("message", clearPing);
    clearTimeout(pingTimer);
    pingTimer = undefined;
  }

  function close(): void {
    state = "closed";
    clearTimeout(retryTimer);
    clearPing();
    listening.abort();
    connection.unbind();
    pusher.disconnect();
  }

  function handleErrorCode(code: unknown): void {
    if (code === sessionEnded) {
      close();
      options.onConnectionChange(false);
      options.onSessionEnded();
    } else if (code === tooManySockets) state = "waits-for-visible";
  }

  /** A refusal may only mean that the CSRF token was renewed meanwhile, so it is retried once per connection. */
  async function handleSubscriptionError(name: string, status: unknown): Promise<void> {
    const isRetryable = [401, 403, 419].includes(Number(status)) && !renewed.has(name);
    renewed.add(name);
    if (isRetryable) await options.renewToken().catch(() => {});
    const channel = pusher.channel(name) as Channel | undefined;
    if (!channel || state === "closed") return;
    // Without this pusher-js takes the subscription for pending, or for active, until the next connection.
    channel.disconnect();
    if (isRetryable) pusher.subscribe(name);
    else if (status === 401) options.onSessionEnded();
    else options.onChannelRefused(name);
  }

  function handleMessage(name: string, event: string, data: unknown): void {
    if (event === "pusher:subscription_error")
      void handleSubscriptionError(name, (data as { status?: unknown }).status);
    else options.onMessage(name, event, name.startsWith("presence-") ? membersOf(pusher.channel(name)) : data);
  }

  /** The member's own channel needs a sign-in; after a stale token it is retried once. */
  async function retrySignIn(): Promise<void> {
    if (renewed.has(userChannelPrefix)) return;
    renewed.add(userChannelPrefix);
    await options.renewToken().catch(() => {});
    if (state === "closed") return;
    pusher.user.signin_requested = false;
    pusher.signin();
  }

  pusher.user.bind("pusher:signin_error", () => void retrySignIn());
  pusher.user.bind_global((event: string, data: unknown) => options.onMessage(userChannelPrefix, event, data));
  connection.bind("connected", () => {
    socketId = connection.socket_id;
    attempts = 0;
    clearTimeout(retryTimer);
    renewed.clear();
    // A hosted service can end the sockets of a member only when it knows whose they are.
    if (options.address.wsHost !== null) pusher.signin();
    options.onConnectionChange(true);
  });
  connection.bind("state_change", ({ previous }: { previous: string }) => {
    if (previous !== "connected") return;
    options.onConnectionChange(false);
    retryLater();
  });
  connection.bind("error", (error: { error?: { data?: { code?: unknown } } }) =>
    handleErrorCode(error.error?.data?.code),
  );
  const { signal } = listening;
  document.addEventListener("visibilitychange", checkConnection, { signal });
  window.addEventListener("online", checkConnection, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && checkConnection(), { signal });
  retryLater();

  return {
    subscribe: (name) => {
      if (name === userChannelPrefix) return pusher.signin();
      const channel = pusher.subscribe(name);
      if (bound.has(channel)) return;
      bound.add(channel);
      channel.bind_global((event: string, data: unknown) => handleMessage(name, event, data));
    },
    unsubscribe: (name) => pusher.unsubscribe(name),
    disconnect: close,
  };
}

function membersOf(channel: Channel): { id: string; info: unknown }[] {
  const members: { id: string; info: unknown }[] = [];
  (channel as PresenceChannel).members.each((member: { id: string; info: unknown }) => members.push(member));
  return members;
}
