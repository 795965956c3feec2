import { openPagesCounted, presenceChannel, presentCounted, userChannelPrefix } from "#contract/event.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { syncCsrfMeta } from "./csrf.ts";
import { reconnectDelay, reconnectSpread } from "./reconnect.ts";

type Address = GroupConfig["realtime"];
type Page = Pick<Location, "protocol" | "hostname" | "port">;

/** WebSocket close code after which reconnecting is useless, because the session has ended. */
const sessionEnded = 4009;
/**
 * WebSocket close code after which reconnecting is useless, because the member has too many open
 * tabs.
 */
const tooManySockets = 4004;

/** Code with which hosted services refuse a subscription to a full channel. */
const overCapacity = 4100;
/** Maximum number of members that a presence channel of a hosted service usually has. */
const presenceLimit = 100;

/** Milliseconds to wait for a pong when the page has become visible or the device online. */
const probeWithin = 3_000;
/** Milliseconds to wait for a pong at other times. */
const pongWithin = 30_000;
/** Milliseconds without a message before a ping is sent. */
const quietTime = 120_000;
/**
 * Milliseconds before a socket that does not open is closed. Also the timeout of requests for the
 * signatures with which the socket may subscribe to channels.
 */
const openWithin = 10_000;

export interface PusherOptions {
  readonly address: Address;
  onConnectionChange(isOnline: boolean): void;
  /**
   * Receives a message. On presence channels `data` are the `Present` members. Every subscribed
   * channel gets the event `pusher:subscription_succeeded` after every (re)connection.
   */
  onMessage(channel: string, event: string, data: unknown): void;
  /** Fetches a fresh CSRF token into the page's meta tag. */
  renewToken(): Promise<unknown>;
  /** Called when the server has closed the socket because the member's session has ended. */
  onSessionEnded(): void;
  /** Called when the server refuses a subscription, so the session or the member's permissions have changed. */
  onAccessChanged(): void;
  /** Returns the milliseconds before an attempt to reconnect; `attempt` is 0 for the first one. */
  readonly reconnectDelay?: (attempt: number) => number;
  readonly pingTimeout?: number;
}

/** The realtime connection of a page; each page has only one. */
export interface PusherConnection {
  /** Subscribes to a channel; `userChannelPrefix` stands for the member's own channel. */
  subscribe(channel: string): void;
  unsubscribe(channel: string): void;
  disconnect(): void;
}

/** The present members on a presence channel. */
export interface Present {
  readonly count: number;
  /** The members whose names the server has sent: all, or the first ones in the server's order. */
  readonly members: readonly { readonly id: string; readonly info: unknown }[];
  /**
   * Number of open pages, `null` if unknown. Present only if a hosted service may not list all
   * members, so that `count` may be too small.
   */
  readonly pages?: number | null;
}

/** A message of the server; `data` is usually JSON in a string. */
interface Frame {
  readonly event: string;
  readonly channel?: string;
  readonly data?: string | object;
}

/**
 * Data of `pusher:subscription_succeeded` on a presence channel: `ids` and `hash` have the ids and
 * data of all present members or of only some of them, `count` is the number of all.
 */
interface PresenceData {
  readonly ids: readonly string[];
  readonly hash: Readonly<Record<string, unknown>>;
  readonly count: number;
}

type SocketBody = Record<"socket_id", string> & Record<string, string>;

/**
 * The server's signature, with which this socket may subscribe to a channel or sign in; or the HTTP
 * status of a refusal, 0 if the server did not answer.
 */
type Signature = Readonly<Record<string, string>> | number;

/** Returns the address of the WebSocket; if `wsHost` is `null`, the host is that of the page. */
export function socketUrl({ key, wsHost, wsPort, wssPort, forceTLS }: Address, page: Page): string {
  const isSecure = page.protocol === "https:" || (wsHost !== null && forceTLS);
  const ownPort = wsHost === null ? page.port : "";
  const port = (isSecure ? wssPort : wsPort) ?? ownPort;
  const host = `${wsHost ?? page.hostname}${port === "" ? "" : `:${port}`}`;
  return `${isSecure ? "wss" : "ws"}://${host}/app/${key}?protocol=7&client=stammtisch`;
}

/** Connects with version 7 of the Pusher protocol and keeps the connection alive until `disconnect`. */
export function connectPusher(options: PusherOptions): PusherConnection {
  const channels = new Map<string, "joining" | "joined" | "refused">();
  /** Present members whose names the server has sent, in the reverse of the server's order. */
  const members = new Map<string, unknown>();
  /** Number of all present members if the server has not sent all names; otherwise `null`. */
  let countedMembers: number | null = null;
  const isHosted = options.address.wsHost !== null;
  /** Number of open pages that the server has announced on this connection, otherwise `null`. */
  let openPages: number | null = null;
  /** Channels whose refusal has already been retried with a fresh CSRF token on this connection. */
  const renewed = new Set<string>();
  const listening = new AbortController();
  let socket: WebSocket | null = null;
  /** Id of the socket; empty until the server has sent it. */
  let socketId = "";
  /**
   * The token with which this socket may subscribe and sign in without requesting signatures;
   * `null` if the server has sent none, e.g. a hosted Pusher service.
   */
  let token: string | null = null;
  let wantsSignIn = isHosted;
  let attempts = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Timer that closes the socket unless a message arrives first. */
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const pauseBefore = options.reconnectDelay ?? reconnectDelay;

  function open(): void {
    clearTimeout(retryTimer);
    const opened = new WebSocket(socketUrl(options.address, location));
    socket = opened;
    deadline = setTimeout(retryLater, openWithin);
    opened.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (opened === socket) handleFrame(JSON.parse(data) as Frame);
    });
    opened.addEventListener("close", ({ code }) => {
      if (opened === socket) handleClose(code);
    });
  }

  /** Closes the current socket, if any, and ignores its remaining events. */
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

  /**
   * Checks the connection of a visible page. After a sleep the socket may be dead without a close
   * event; a socket that does not answer a ping is replaced.
   */
  function checkConnection(): void {
    if (document.visibilityState !== "visible") return;
    if (socketId !== "") return ping(options.pingTimeout ?? probeWithin);
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
    silence = setTimeout(() => ping(pongWithin), quietTime);
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
      // The connection counts as online only after a channel is subscribed, because all events
      // arrive through channels.
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

  /** Joins the presence channel again once it cannot be full any more. */
  function setOpenPages(count: number): void {
    openPages = count;
    const state = channels.get(presenceChannel);
    if (state === undefined) return;
    reportPresent(openPagesCounted.name);
    if (state === "refused" && count < presenceLimit) void join(presenceChannel);
  }

  /** Forgets the present members while the presence channel is full. */
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

  /**
   * Returns the socket's token, or requests the server's signature for this socket; retries as long
   * as the server does not answer or is overloaded.
   */
  async function sign(path: string, body: SocketBody): Promise<Signature> {
    if (token !== null) return { auth: token };
    for (let attempt = 0; body.socket_id === socketId; attempt++) {
      const signature = await postToServer(path, body);
      if (typeof signature !== "number" || (signature > 0 && signature < 500 && signature !== 429)) return signature;
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(attempt)));
    }
    return 0;
  }

  /**
   * Retries a refused subscription once per connection with a fresh CSRF token, because the page's
   * token may be outdated. If the retry is refused, too, reports the refusal.
   */
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

  /**
   * Signs the socket in to receive the member's own channel; retries once with a fresh CSRF token.
   */
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
  // The meta tag is still empty on a page that was opened offline.
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
      signal: AbortSignal.timeout(openWithin),
    });
    return response.ok ? ((await response.json()) as Signature) : response.status;
  } catch {
    return 0;
  }
}
