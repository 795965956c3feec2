import { WebSocket } from "ws";

import type { Client } from "#test/client.ts";
import type { ServerProcess } from "./server-process.ts";

/** The realtime connection of an open page. */
export interface ChannelSocket {
  readonly id: string;
  /** Events of the channel in order of arrival; `at` is the time of performance.now(). */
  readonly events: { readonly event: string; readonly data: Record<string, unknown>; readonly at: number }[];
  /** Resolves to the WebSocket close code and the time of the closing. */
  readonly closed: Promise<{ readonly code: number; readonly at: number }>;
  readonly webSocket: WebSocket;
  close(): void;
}

/** Opens `count` realtime connections, fifty at a time, and assigns them to the members in turn. */
export async function openPages(
  server: ServerProcess,
  members: readonly Client[],
  count: number,
): Promise<ChannelSocket[]> {
  const pages: ChannelSocket[] = [];
  while (pages.length < count) {
    const some = Array.from({ length: Math.min(50, count - pages.length) }, async (_, index) =>
      subscribeToChannel(server, members[index % members.length]!),
    );
    pages.push(...(await Promise.all(some)));
  }
  return pages;
}

/** Opens a socket with the client's session and subscribes to a channel as a page does. */
export async function subscribeToChannel(
  { port }: ServerProcess,
  client: Client,
  channel = "private-beercounter",
): Promise<ChannelSocket> {
  async function join(socket_id: string): Promise<void> {
    const answer = await client.post("/broadcasting/auth", { socket_id, channel_name: channel });
    if (answer.status !== 200) throw new Error(`may not join: ${answer.status} ${answer.text}`);
    webSocket.send(JSON.stringify({ event: "pusher:subscribe", data: { ...answer.json, channel } }));
  }
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/app/stammtisch?protocol=7`, {
    headers: { host: client.host, origin: `http://${client.host}`, cookie: client.cookieHeader },
    perMessageDeflate: false,
  });
  const events: ChannelSocket["events"] = [];
  const closed = new Promise<{ code: number; at: number }>((resolve) => {
    webSocket.on("close", (code) => resolve({ code, at: performance.now() }));
  });
  const joined = new Promise<string>((resolve, reject) => {
    let id = "";
    webSocket.on("error", reject);
    webSocket.on("close", (code) => reject(new Error(`closed with ${code} before it joined`)));
    webSocket.on("message", (message: Buffer) => {
      const { event, data: told } = JSON.parse(message.toString()) as { event: string; data?: string | object };
      // Errors carry their data as an object; all other events carry it as JSON text.
      const data = (typeof told === "string" ? JSON.parse(told) : (told ?? {})) as Record<string, unknown>;
      if (event === "pusher:connection_established") {
        id = String(data["socket_id"]);
        void join(id).catch(reject);
      } else if (event === "pusher_internal:subscription_succeeded") resolve(id);
      else if (event === "pusher:subscription_error") reject(new Error(JSON.stringify(told)));
      else events.push({ event, data, at: performance.now() });
    });
  });
  return { id: await joined, events, closed, webSocket, close: () => webSocket.terminate() };
}
