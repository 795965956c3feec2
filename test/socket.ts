import { WebSocket } from "ws";

import type { House } from "./open-house.ts";
import type { Visitor } from "./visitor.ts";

/** One message of the server, its data unpacked. */
interface Heard {
  readonly event: string;
  readonly channel?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
  readonly data: any;
}

/** A socket as a browser's page opens it, spoken to by hand. */
export interface Socket {
  readonly id: string;
  readonly heard: readonly Heard[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  say(event: string, data: object): void;
  /** The next message of this name that nobody waited for yet. */
  next(event: string): Promise<Heard>;
  /** Everything that came until one more ping was answered. */
  settle(): Promise<readonly Heard[]>;
  hangUp(): void;
}

/** Opens a socket to the house; rejects with the status where the door refuses it. */
export async function openSocket(house: House, cookie: string, origin = house.config.appUrl.origin): Promise<Socket> {
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/app/stammtisch?protocol=7&client=js&version=8`, {
    headers: { host: house.config.appUrl.host, origin, ...(cookie !== "" && { cookie }) },
  });
  const heard: Heard[] = [];
  const unread: Heard[] = [];
  const waiting: { event: string; resolve(message: Heard): void }[] = [];
  socket.on("message", (raw: Buffer) => {
    const message = JSON.parse(raw.toString());
    if (typeof message.data === "string") message.data = JSON.parse(message.data);
    heard.push(message);
    const index = waiting.findIndex(({ event }) => event === message.event);
    if (index >= 0) waiting.splice(index, 1)[0]!.resolve(message);
    else unread.push(message);
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const failed = new Promise<never>((_, reject) => socket.on("error", reject));
  failed.catch(() => {});

  function next(event: string): Promise<Heard> {
    const index = unread.findIndex((message) => message.event === event);
    if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0]!);
    return new Promise((resolve) => waiting.push({ event, resolve }));
  }

  const say = (event: string, data: object) => socket.send(JSON.stringify({ event, data }));
  const greeting = await Promise.race([next("pusher:connection_established"), failed]);
  return {
    id: greeting.data.socket_id,
    heard,
    closed,
    say,
    next,
    async settle() {
      say("pusher:ping", {});
      await next("pusher:pong");
      return heard;
    },
    hangUp: () => socket.terminate(),
  };
}

/** A socket as a member's page has it: signed in, so that it hears what is meant for its member, and on the counter's channel. */
export async function openPage(house: House, visitor: Visitor): Promise<Socket> {
  const socket = await openSocket(house, visitor.cookieHeader);
  const { json } = await visitor.post("/broadcasting/user-auth", { socket_id: socket.id });
  socket.say("pusher:signin", json);
  const { id } = JSON.parse((await socket.next("pusher:signin_success")).data.user_data);
  socket.say("pusher:subscribe", { channel: `#server-to-user-${id}` });
  await socket.next("pusher_internal:subscription_succeeded");
  await join(visitor, socket, "private-beercounter");
  return socket;
}

/** Subscribes to a channel. Returns what there was to know at that moment, or the status of the refusal. */
export async function join(visitor: Visitor, socket: Socket, channel: string) {
  const answer = await visitor.post("/broadcasting/auth", { socket_id: socket.id, channel_name: channel });
  if (answer.status !== 200) return answer.status;
  socket.say("pusher:subscribe", { channel, ...answer.json });
  return (await socket.next("pusher_internal:subscription_succeeded")).data;
}
