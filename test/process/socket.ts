import { WebSocket } from "ws";

import type { Visitor } from "#test/visitor.ts";
import type { Server } from "./server.ts";

/** Somebody's open page, as far as it listens. */
export interface OpenSocket {
  readonly id: string;
  /** Events of the channel in the order they came, with the time (performance.now()). */
  readonly events: { readonly event: string; readonly data: Record<string, unknown>; readonly at: number }[];
  /** The close code once it is closed. */
  readonly closed: Promise<{ readonly code: number; readonly at: number }>;
  readonly webSocket: WebSocket;
  close(): void;
}

/** Opens a socket with the visitor's session and joins a channel the way a page does. */
export async function openSocket(
  { port }: Server,
  visitor: Visitor,
  channel = "private-beercounter",
): Promise<OpenSocket> {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/app/stammtisch?protocol=7`, {
    headers: { host: visitor.host, origin: `http://${visitor.host}`, cookie: visitor.cookieHeader },
    perMessageDeflate: false,
  });
  const events: OpenSocket["events"] = [];
  const closed = new Promise<{ code: number; at: number }>((resolve) => {
    webSocket.on("close", (code) => resolve({ code, at: performance.now() }));
  });
  const joined = new Promise<string>((resolve, reject) => {
    let id = "";
    webSocket.on("error", reject);
    webSocket.on("close", (code) => reject(new Error(`closed with ${code} before it joined`)));
    webSocket.on("message", (message: Buffer) => {
      const { event, data: told } = JSON.parse(message.toString()) as { event: string; data?: string | object };
      // Errors alone carry theirs unpacked.
      const data = (typeof told === "string" ? JSON.parse(told) : (told ?? {})) as Record<string, unknown>;
      if (event === "pusher:connection_established") {
        id = String(data["socket_id"]);
        void join(id).catch(reject);
      } else if (event === "pusher_internal:subscription_succeeded") resolve(id);
      else if (event === "pusher:subscription_error") reject(new Error(JSON.stringify(told)));
      else events.push({ event, data, at: performance.now() });
    });
  });
  async function join(socket_id: string): Promise<void> {
    const answer = await visitor.post("/broadcasting/auth", { socket_id, channel_name: channel });
    if (answer.status !== 200) throw new Error(`may not join: ${answer.status} ${answer.text}`);
    webSocket.send(JSON.stringify({ event: "pusher:subscribe", data: { ...answer.json, channel } }));
  }
  return { id: await joined, events, closed, webSocket, close: () => webSocket.terminate() };
}
