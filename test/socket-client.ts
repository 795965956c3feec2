import { WebSocket } from "ws";

import { userChannelPrefix } from "#contract/event.ts";
import type { Client } from "./client.ts";
import { createSocketClient, type SocketClient } from "./socket.ts";
import type { TestApp } from "./test-app.ts";

/**
 * Opens a socket as a page in a browser does. Rejects with an error if the server refuses the
 * WebSocket upgrade.
 */
export function connectSocket(app: TestApp, cookie: string, origin = app.config.appUrl.origin): Promise<SocketClient> {
  const socket = new WebSocket(`${app.url.replace("http", "ws")}/app/stammtisch?protocol=7&client=js&version=8`, {
    headers: { host: app.config.appUrl.host, origin, ...(cookie !== "" && { cookie }) },
  });
  return createSocketClient(socket, app.context.realtime);
}

/**
 * Opens a socket as a member's page does: signed in and subscribed to the member's and the
 * counter's channels.
 */
export async function connectPage(app: TestApp, client: Client): Promise<SocketClient> {
  const socket = await connectSocket(app, client.cookieHeader);
  const { json } = await client.post("/broadcasting/user-auth", { socket_id: socket.id });
  socket.send("pusher:signin", json);
  const { id } = JSON.parse((await socket.next("pusher:signin_success")).data.user_data);
  await socket.subscribe(`${userChannelPrefix}${id}`);
  await subscribe(client, socket, "private-beercounter");
  return socket;
}

/** Subscribes a member's page to a channel. Resolves to the data of the answer, or to the status of a refusal. */
export async function subscribe(client: Client, socket: SocketClient, channel: string) {
  socket.checkChannel(channel);
  const { status, json } = await client.post("/broadcasting/auth", { socket_id: socket.id, channel_name: channel });
  return status === 200 ? (await socket.subscribe(channel, json)).data : status;
}
