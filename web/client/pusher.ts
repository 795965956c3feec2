import { openPagesCounted, presenceChannel, presentCounted, userChannelPrefix } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { syncCsrfMeta } from "./csrf.ts";
import { reconnectDelay, reconnectSpread } from "./reconnect.ts";

type Address = GroupConfig["realtime"];
type Page = Pick<Location, "protocol" | "hostname" | "port">;

/** Close code: the session has ended. */
const sessionEnded = 4009;
/** Close code: the member has too many open tabs. */
const tooManySockets = 4004;

/** Refusal of a hosted service: the channel is full. */
const overCapacity = 4100;
/** Number of members that a presence channel of a hosted service usually allows. */
const presenceLimit = 100;

/** Timeout of a ping when the page becomes visible or the device online. */
const probeWithinMs = 3_000;
const pongWithinMs = 30_000;
/** Time without a message before a ping. */
const quietMs = 120_000;
/** Also the timeout of requests for signatures. */
const openWithinMs = 10_000;

export interface PusherOptions {
  readonly address: Address;
  onConnectionChange(isOnline: boolean): void;
  /**
   * Gets the `Present` members as `data` on presence channels, and `pusher:subscription_succeeded` after every
   * (re)connection.
   */
  onMessage(channel: string, event: string, data: unknown): void;
  /** Fetches a fresh CSRF token into the meta tag. */
  renewToken(): Promise<unknown>;
  /** Called after the server has closed the socket because the session has ended. */
  onSessionEnded(): void;
  /** Called after a refused subscription: the session or the permissions have changed. */
  onAccessChanged(): void;
  /** `attempt` is 0 for the first one. */
  readonly reconnectDelay?: (attempt: number) => number;
  readonly pingTimeout?: number;
}

export interface PusherConnection {
  /** Replaces `userChannelPrefix` by the member's own channel. */
  subscribe(channel: string): void;
  unsubscribe(channel: string): void;
  disconnect(): void;
}

export interface Present {
  readonly count: number;
  /** All, or the first ones in the server's order. */
  readonly members: readonly { readonly id: string; readonly info: unknown }[];
  /** `null` if unknown. Present only if a hosted service may not list all members, so that `count` may be too small. */
  readonly pages?: number | null;
}

/** `data` is usually JSON in a string. */
interface Frame {
  readonly event: string;
  readonly channel?: string;
  readonly data?: string | object;
}

/** `ids` and `hash` may have only some of the members; `count` is the number of all. */
interface PresenceData {
  readonly ids: readonly string[];
  readonly hash: Readonly<Record<string, unknown>>;
  readonly count: number;
}

type SocketBody = Record<"socket_id", string> & Record<string, string>;

/** Lets this socket subscribe or sign in; or the HTTP status of a refusal, 0 without an answer. */
type Signature = Readonly<Record<string, string>> | number;

/** Uses the host of the page for a `wsHost` of `null`. */
export function socketUrl({ key, wsHost, wsPort, wssPort, forceTLS }: Address, page: Page): string {
  const isSecure = page.protocol === "https:" || (wsHost !== null && forceTLS);
  const ownPort = wsHost === null ? page.port : "";
  const port = (isSecure ? wssPort : wsPort) ?? ownPort;
  const host = `${wsHost ?? page.hostname}${port === "" ? "" : `:${port}`}`;
  return `${isSecure ? "wss" : "ws"}://${host}/app/${key}?protocol=7&client=stammtisch`;
}

/** Speaks version 7 of the Pusher protocol and keeps the connection alive until `disconnect`. */
export function connectPusher(options: PusherOptions): PusherConnection {
  const channels = new Map<string, "joining" | "joined" | "refused">();
  /** Members in the reverse of the server's order. */
  const members = new Map<string, unknown>();
  /** `null` if the server has sent all names. */
  let countedMembers: number | null = null;
  const isHosted = options.address.wsHost !== null;
  /** `null` until announced on this connection. */
  let openPages: number | null = null;
  /** Refused channels that were retried with a fresh CSRF token on this connection. */
  const renewed = new Set<string>();
  const listening = new AbortController();
  let socket: WebSocket | null = null;
  /** Empty until the server has sent it. */
  let socketId = "";
  /** Token that replaces signatures; `null` from a hosted Pusher service. */
  let token: string | null = null;
  let wantsSignIn = isHosted;
  let attempts = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Closes the socket unless a message arrives first. */
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const pauseBefore = options.reconnectDelay ?? reconnectDelay;

  function open(): void {
    clearTimeout(retryTimer);
    const opened = new WebSocket(socketUrl(options.address, location));
    socket = opened;
    deadline = setTimeout(retryLater, openWithinMs);
    opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (opened === socket) handleFrame(JSON.parse(data) as Frame);
    });
    opened.addEventListener("close", ({ code }) => {
      if (opened === socket) handleClose(code);
    });
  }

  /** Ignores the remaining events of the socket. */
  function drop(): void {
    const left = socket;
    const wasOnline = socketId !== "";
    socket = null;
    socketId = "";
    for (const timer of [retryTimer, deadline, silence]) clearTimeout(timer);
    left?.close();
    if (wasOnline) options.onConnectionChange(false);
  }

  function reconnect(): void {
    drop();
    open();
  }

  function retryLater(): void {
    drop();
    const spread = attempts === 0 ? reconnectSpread(openPages ?? countedMembers ?? members.size) : 0;
    retryTimer = setTimeout(open, pauseBefore(attempts) + spread);
    attempts += 1;
  }

  function close(): void {
    listening.abort();
    drop();
  }

  function handleClose(code: number): void {
    if (code === sessionEnded) {
      close();
      options.onSessionEnded();
    } else if (code === tooManySockets) drop();
    else retryLater();
  }

  /** Replaces the socket if a ping gets no answer: after a sleep it may be dead without a close event. */
  function checkConnection(): void {
    if (document.visibilityState !== "visible") return;
    if (socketId !== "") return ping(options.pingTimeout ?? probeWithinMs);
    attempts = 0;
    reconnect();
  }

  function ping(within: number): void {
    clearTimeout(deadline);
    clearTimeout(silence);
    send("pusher:ping", {});
    deadline = setTimeout(reconnect, within);
  }

  function send(event: string, data: object): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ event, data }));
  }

  function handleFrame({ event: sent, channel, data: text = "{}" }: Frame): void {
    clearTimeout(deadline);
    clearTimeout(silence);
    silence = setTimeout(() => ping(pongWithinMs), quietMs);
    const data = (typeof text === "string" ? JSON.parse(text) : text) as Readonly<Record<string, unknown>>;
    const event = sent.replace("pusher_internal:", "pusher:");
    if (event === "pusher:connection_established") greet(data);
    else if (event === "pusher:ping") send("pusher:pong", {});
    else if (event === "pusher:signin_success") joinUserChannel(data);
    else if (event === "pusher:error" && data["code"] === overCapacity) leaveFullChannel();
    else if (channel?.startsWith(userChannelPrefix)) options.onMessage(userChannelPrefix, event, data);
    else if (channel !== undefined && channels.has(channel)) handleMessage(channel, event, data);
  }

  function greet({ socket_id: id, auth }: Readonly<Record<string, unknown>>): void {
    socketId = String(id);
    token = typeof auth === "string" ? auth : null;
    attempts = 0;
    openPages = null;
    renewed.clear();
    if (wantsSignIn) void signIn();
    for (const name of channels.keys()) void join(name);
  }

  function handleMessage(channel: string, event: string, data: Readonly<Record<string, unknown>>): void {
    if (event === "pusher:subscription_error") return void handleRefusal(channel, Number(data["status"]));
    if (event === "pusher:subscription_succeeded") {
      channels.set(channel, "joined");
      // All events arrive through channels, so the connection counts as online only after a subscription.
      options.onConnectionChange(true);
    }
    if (channel === openPagesCounted.channel && event === openPagesCounted.name) setOpenPages(Number(data["count"]));
    if (!channel.startsWith("presence-")) return options.onMessage(channel, event, data);
    updateMembers(event, data);
    reportPresent(event);
  }

  function reportPresent(event: string): void {
    const listed = [...members].map(([id, info]) => ({ id, info })).reverse();
    const isPartial = isHosted && (members.size === 0 || members.size === presenceLimit);
    options.onMessage(presenceChannel, event, {
      count: countedMembers ?? members.size,
      members: listed,
      ...(isPartial && { pages: openPages }),
    } satisfies Present);
  }

  /** Rejoins a presence channel that may have room again. */
  function setOpenPages(count: number): void {
    openPages = count;
    const state = channels.get(presenceChannel);
    if (state === undefined) return;
    reportPresent(openPagesCounted.name);
    if (state === "refused" && count < presenceLimit) void join(presenceChannel);
  }

  function leaveFullChannel(): void {
    if (channels.get(presenceChannel) !== "joining") return;
    channels.set(presenceChannel, "refused");
    members.clear();
    reportPresent("pusher:subscription_error");
  }

  function updateMembers(event: string, data: Readonly<Record<string, unknown>>): void {
    if (event === "pusher:subscription_succeeded") {
      const { ids, hash, count } = data["presence"] as PresenceData;
      members.clear();
      for (const id of ids.toReversed()) members.set(id, hash[id]);
      setCount(count);
    } else if (event === presentCounted.name) setCount(Number(data["count"]));
    else if (event === "pusher:member_added") members.set(String(data["user_id"]), data["user_info"]);
    else if (event === "pusher:member_removed") members.delete(String(data["user_id"]));
  }

  function setCount(count: number): void {
    countedMembers = count > members.size ? count : null;
  }

  async function join(name: string): Promise<void> {
    const id = socketId;
    channels.set(name, "joining");
    const signature = await sign("/broadcasting/auth", { socket_id: id, channel_name: name });
    if (id !== socketId || !channels.has(name)) return;
    if (typeof signature === "number") await handleRefusal(name, signature);
    else send("pusher:subscribe", { channel: name, ...signature });
  }

  /** Retries while the server does not answer or is overloaded. */
  async function sign(path: string, body: SocketBody): Promise<Signature> {
    if (token !== null) return { auth: token };
    for (let attempt = 0; body.socket_id === socketId; attempt++) {
      const signature = await postToServer(path, body);
      if (typeof signature !== "number" || (signature > 0 && signature < 500 && signature !== 429)) return signature;
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(attempt)));
    }
    return 0;
  }

  /** Retries once per connection with a fresh CSRF token, because the page's may be outdated. */
  async function handleRefusal(name: string, status: number): Promise<void> {
    const id = socketId;
    if ([401, 403, 419].includes(status) && !renewed.has(name)) {
      renewed.add(name);
      await options.renewToken().catch(() => {});
      if (id === socketId && channels.has(name)) await join(name);
      return;
    }
    if (status === overCapacity) return leaveFullChannel();
    channels.set(name, "refused");
    if (status === 401) options.onSessionEnded();
    else options.onAccessChanged();
  }

  /** Signs in to receive the member's own channel; retries once with a fresh CSRF token. */
  async function signIn(): Promise<void> {
    const id = socketId;
    const signature = await sign("/broadcasting/user-auth", { socket_id: id });
    if (id !== socketId) return;
    if (typeof signature !== "number") return send("pusher:signin", signature);
    if (renewed.has(userChannelPrefix)) return;
    renewed.add(userChannelPrefix);
    await options.renewToken().catch(() => {});
    if (id === socketId) await signIn();
  }

  function joinUserChannel({ user_data: userData }: Readonly<Record<string, unknown>>): void {
    const { id } = JSON.parse(String(userData)) as { readonly id: string };
    send("pusher:subscribe", { channel: userChannelPrefix + id });
  }

  const { signal } = listening;
  document.addEventListener("visibilitychange", checkConnection, { signal });
  window.addEventListener("online", checkConnection, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && checkConnection(), { signal });
  open();

  return {
    subscribe(name) {
      if (name === userChannelPrefix) {
        if (!wantsSignIn && socketId !== "") void signIn();
        wantsSignIn = true;
      } else if (!channels.has(name) || channels.get(name) === "refused") {
        channels.set(name, "joining");
        if (socketId !== "") void join(name);
      }
    },
    unsubscribe(name) {
      if (channels.delete(name) && socketId !== "") send("pusher:unsubscribe", { channel: name });
    },
    disconnect: close,
  };
}

async function postToServer(path: string, body: SocketBody): Promise<Signature> {
  const token = syncCsrfMeta();
  const headers = {
    "X-CSRF-TOKEN": token,
    "X-XSRF-TOKEN": token,
    "X-Socket-Id": body.socket_id,
    "X-Requested-With": "XMLHttpRequest",
  };
  try {
    const response = await fetch(location.origin + path, {
      method: "POST",
      headers,
      body: new URLSearchParams(body),
      signal: AbortSignal.timeout(openWithinMs),
    });
    return response.ok ? ((await response.json()) as Signature) : response.status;
  } catch {
    return 0;
  }
}
