import { WebSocket } from "ws";

import type { TestApp } from "./test-app.ts";
import type { Client } from "./client.ts";

/** One message of the server, its data unpacked. */
interface SocketMessage {
  readonly event: string;
  readonly channel?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
  readonly data: any;
}

/** A socket as a browser's page opens it, spoken to by hand. */
export interface SocketClient {
  readonly id: string;
  readonly messages: readonly SocketMessage[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  send(event: string, data: object): void;
  /** The next message of this name that nobody waited for yet. */
  next(event: string): Promise<SocketMessage>;
  /** Everything that came until one more ping was answered. */
  flush(): Promise<readonly SocketMessage[]>;
  terminate(): void;
}

/** Opens a socket to the house; rejects with the status where the door refuses it. */
export async function connectSocket(
  app: TestApp,
  cookie: string,
  origin = app.config.appUrl.origin,
): Promise<SocketClient> {
  const socket = new WebSocket(`${app.url.replace("http", "ws")}/app/stammtisch?protocol=7&client=js&version=8`, {
    headers: { host: app.config.appUrl.host, origin, ...(cookie !== "" && { cookie }) },
  });
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

  const say = (event: string, data: object) => socket.send(JSON.stringify({ event, data }));
  const greeting = await Promise.race([next("pusher:connection_established"), failed]);
  return {
    id: greeting.data.socket_id,
    messages,
    closed,
    send: say,
    next,
    async flush() {
      say("pusher:ping", {});
      await next("pusher:pong");
      return messages;
    },
    terminate: () => socket.terminate(),
  };
}

/** A socket as a member's page has it: signed in, so that it hears what is meant for its member, and on the counter's channel. */
export async function connectPage(app: TestApp, client: Client): Promise<SocketClient> {
  const socket = await connectSocket(app, client.cookieHeader);
  const { json } = await client.post("/broadcasting/user-auth", { socket_id: socket.id });
  socket.send("pusher:signin", json);
  const { id } = JSON.parse((await socket.next("pusher:signin_success")).data.user_data);
  socket.send("pusher:subscribe", { channel: `#server-to-user-${id}` });
  await socket.next("pusher_internal:subscription_succeeded");
  await subscribe(client, socket, "private-beercounter");
  return socket;
}

/** Subscribes to a channel. Returns what there was to know at that moment, or the status of the refusal. */
export async function subscribe(client: Client, socket: SocketClient, channel: string) {
  const answer = await client.post("/broadcasting/auth", { socket_id: socket.id, channel_name: channel });
  if (answer.status !== 200) return answer.status;
  socket.send("pusher:subscribe", { channel, ...answer.json });
  return (await socket.next("pusher_internal:subscription_succeeded")).data;
}
