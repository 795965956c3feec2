import type { WebSocket } from "ws";

import { userChannelPrefix } from "#contract/event.ts";
import type { Realtime } from "#server/platform/realtime/realtime.ts";
import { endWithTest } from "./cleanup.ts";

/** A message from the server, with its data parsed. */
export interface SocketMessage {
  readonly event: string;
  readonly channel?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the fields that their event has
  readonly data: any;
}

/** A socket that speaks the Pusher protocol. */
export interface SocketClient {
  readonly id: string;
  readonly socket: WebSocket;
  readonly messages: readonly SocketMessage[];
  /** Resolves to the WebSocket close code once the socket has closed. */
  readonly closed: Promise<number>;
  send(event: string, data: object): void;
  /** Resolves to the next message with this event name that no earlier call has returned. */
  next(event: string): Promise<SocketMessage>;
  /** Throws if no feature registers this channel, because waiting for its events would time out. */
  checkChannel(channel: string): void;
  /** Subscribes with a signature and resolves to the answer. */
  subscribe(channel: string, signature?: object): Promise<SocketMessage>;
  /** Sends a ping and resolves to all messages received until its answer. */
  flush(): Promise<readonly SocketMessage[]>;
}

/**
 * Resolves once the server has greeted this socket; rejects if the server refuses or closes it. The
 * socket is closed after the test.
 */
export async function createSocketClient(
  socket: WebSocket,
  realtime: Pick<Realtime, "hasChannel">,
): Promise<SocketClient> {
  endWithTest(async () => socket.terminate());
  const messages: SocketMessage[] = [];
  const unread: SocketMessage[] = [];
  const waiting: { event: string; resolve(message: SocketMessage): void }[] = [];
  socket.on("message", (raw: Buffer) => {
    const message = JSON.parse(raw.toString());
    if (typeof message.data === "string") message.data = JSON.parse(message.data);
    messages.push(message);
    const index = waiting.findIndex(({ event }) => event === message.event);
    if (index >= 0) waiting.splice(index, 1)[0]!.resolve(message);
    else unread.push(message);
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const failed = new Promise<never>((_, reject) => socket.on("error", reject));
  failed.catch(() => {});

  function next(event: string): Promise<SocketMessage> {
    const index = unread.findIndex((message) => message.event === event);
    if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0]!);
    return new Promise((resolve) => waiting.push({ event, resolve }));
  }

  function send(event: string, data: object): void {
    socket.send(JSON.stringify({ event, data }));
  }

  function checkChannel(channel: string): void {
    if (channel.startsWith(userChannelPrefix) || realtime.hasChannel(channel)) return;
    throw new Error(`No feature registers the channel "${channel}": add it to "channels" in its routes.ts.`);
  }

  const rejected = closed.then((code) => Promise.reject(new Error(`closed with ${code}`)));
  rejected.catch(() => {});
  const greeting = await Promise.race([next("pusher:connection_established"), failed, rejected]);
  return {
    id: greeting.data.socket_id,
    socket,
    messages,
    closed,
    send,
    next,
    checkChannel,
    async subscribe(channel, signature = {}) {
      checkChannel(channel);
      send("pusher:subscribe", { channel, ...signature });
      return next("pusher_internal:subscription_succeeded");
    },
    async flush() {
      send("pusher:ping", {});
      await next("pusher:pong");
      return messages;
    },
  };
}
