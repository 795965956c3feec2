import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { WebSocket } from "ws";

import { systemClock } from "#server/platform/clock.ts";
import type { Access, RealtimeOptions } from "#server/platform/realtime/options.ts";
import { createEmbeddedRealtime, type EmbeddedRealtime } from "#server/platform/realtime/embedded.ts";

import { createConnectedBuses } from "./connected-buses.ts";

export const anna: Access = {
  sessionId: "anna-phone",
  userId: 1,
  name: "Anna",
  avatarId: "a1",
  permissions: ["see-game-servers"],
  isShown: true,
};
export const annasLaptop: Access = { ...anna, sessionId: "anna-laptop" };
export const ben: Access = {
  sessionId: "ben-phone",
  userId: 2,
  name: "Ben",
  avatarId: null,
  permissions: [],
  isShown: true,
};
export const clara: Access = {
  sessionId: "clara-phone",
  userId: 3,
  name: "Clara",
  avatarId: null,
  permissions: ["see-game-servers"],
  isShown: true,
};

/** What a client read, with the doubly encoded data unpacked. */
export interface SocketMessage {
  readonly event: string;
  readonly channel?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the fields that their event has
  readonly data: any;
}

/** A plain socket that speaks the protocol by hand. */
export interface SocketClient {
  readonly socket: WebSocket;
  readonly socketId: string;
  readonly messages: SocketMessage[];
  /** Waits for the next frame of this name that was not waited for yet. */
  next(event: string): Promise<SocketMessage>;
  send(event: string, data: object): void;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Joins with a signature the house gives to this member. */
  subscribe(channel: string, access: Access): Promise<SocketMessage>;
  /** Every frame the server sent until it answered one more ping. */
  flush(): Promise<SocketMessage[]>;
}

export interface RealtimeTestServer {
  readonly realtime: EmbeddedRealtime;
  /** Sessions that live; take one out and it ended. */
  readonly sessions: Map<string, Access>;
  readonly origin: string;
  readonly port: number;
  readonly logEvents: string[];
  /** The X-CSRF-TOKEN of every call to the auth endpoints. */
  readonly csrfTokens: string[];
  /** Makes findAccess fail like a database that is down. */
  isDatabaseDown: boolean;
  /** Answers every upgrade with 503, like a server that is restarting. */
  isUnavailable: boolean;
  connect(options?: ConnectOptions): Promise<SocketClient>;
  /** The HTTP status or close code a refused socket gets. */
  connectRefused(options?: ConnectOptions): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ConnectOptions {
  readonly as?: Access | string;
  readonly origin?: string;
  readonly path?: string;
  readonly address?: string;
}

const key = "stammtisch";

/** A real server on a free port with nothing behind it but a list of sessions. */
export async function createRealtimeTestServer(overrides: Partial<RealtimeOptions> = {}): Promise<RealtimeTestServer> {
  const sessions = new Map([anna, annasLaptop, ben, clara].map((access) => [access.sessionId, access]));
  const logged: string[] = [];
  const asked: string[] = [];
  const note = (event: string): void => void logged.push(event);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  const realtime = createEmbeddedRealtime({
    key,
    secret: "a secret of the house",
    appId: "1",
    origins: [origin, "https://extra.example"],
    maxSockets: 50,
    maxPerUser: 20,
    maxPerIp: 40,
    headers: {},
    clock: systemClock,
    log: { debug: note, info: note, warn: note, error: note },
    bus: createConnectedBuses(1)[0]!,
    findAccess: async (ids) => {
      if (testServer.isDatabaseDown) throw new Error("database is down");
      return new Map(ids.flatMap((id) => (sessions.has(id) ? [[id, sessions.get(id)!] as const] : [])));
    },
    readSession,
    clientAddress: (request) => String(request.headers["x-test-address"] ?? request.socket.remoteAddress),
    channels: [
      { name: "private-beercounter", version: async () => 7 },
      { name: "private-game-servers", permission: "see-game-servers" },
    ],
    ...overrides,
  });
  server.on("upgrade", (request, socket, head) => {
    if (testServer.isUnavailable) socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
    else realtime.handleUpgrade(request, socket, head);
  });

  /** The two auth endpoints, as far as clients can tell. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    // Clients that cannot send cookies say in the token's place which session is theirs.
    const access = sessions.get(readSession(request) ?? String(request.headers["x-csrf-token"] ?? ""));
    asked.push(String(request.headers["x-csrf-token"] ?? ""));
    const socketId = form.get("socket_id") ?? "";
    const result = !access
      ? "guest"
      : request.url === "/broadcasting/user-auth"
        ? realtime.authenticateUser(socketId, access)
        : realtime.authorizeChannel({ socketId, channel: form.get("channel_name") ?? "" }, access);
    const status = result === "guest" ? 401 : typeof result === "string" ? 403 : 200;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(result));
  }

  const testServer: RealtimeTestServer = {
    realtime,
    sessions,
    origin,
    port,
    logEvents: logged,
    csrfTokens: asked,
    isDatabaseDown: false,
    isUnavailable: false,
    connect: (options = {}) => createSocketClient(openWebSocket(port, options), realtime),
    connectRefused: (options = {}) =>
      new Promise((resolve) => {
        const socket = openWebSocket(port, options);
        socket.on("error", () => {});
        socket.on("unexpected-response", (_request, response) => {
          resolve(response.statusCode ?? 0);
          socket.terminate();
        });
        socket.on("close", (code) => resolve(code));
      }),
    [Symbol.asyncDispose]: async () => {
      await realtime.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return testServer;
}

function readSession(request: IncomingMessage): string | null {
  return /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? null;
}

function openWebSocket(
  port: number,
  { as, origin, path = `/app/${key}?protocol=7&client=js`, address }: ConnectOptions,
): WebSocket {
  const sessionId = typeof as === "object" ? as.sessionId : as;
  return new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    ...(origin !== undefined && { origin }),
    headers: {
      ...(sessionId !== undefined && { cookie: `session=${sessionId}` }),
      ...(address !== undefined && { "x-test-address": address }),
    },
  });
}

async function createSocketClient(socket: WebSocket, realtime: EmbeddedRealtime): Promise<SocketClient> {
  const heard: SocketMessage[] = [];
  const waiting: { event: string; resolve(frame: SocketMessage): void }[] = [];
  const unread: SocketMessage[] = [];
  socket.on("message", (message) => {
    const raw = JSON.parse((message as Buffer).toString());
    const frame = { ...raw, data: typeof raw.data === "string" ? JSON.parse(raw.data) : raw.data };
    heard.push(frame);
    const index = waiting.findIndex(({ event }) => event === frame.event);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(frame);
    else unread.push(frame);
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const failed = new Promise<never>((_, reject) => socket.on("error", reject));
  failed.catch(() => {});

  function next(event: string): Promise<SocketMessage> {
    const index = unread.findIndex((frame) => frame.event === event);
    if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0]!);
    return new Promise((resolve) => waiting.push({ event, resolve }));
  }

  const say = (event: string, data: object): void => socket.send(JSON.stringify({ event, data }));
  const greeting = await Promise.race([
    next("pusher:connection_established"),
    failed,
    closed.then((code) => throwClosed(code)),
  ]);
  const socketId: string = greeting.data.socket_id;
  return {
    socket,
    socketId,
    messages: heard,
    next,
    send: say,
    closed,
    subscribe: async (channel, access) => {
      const answer = realtime.authorizeChannel({ socketId, channel }, access);
      if (typeof answer === "string") throw new Error(`${channel}: ${answer}`);
      say("pusher:subscribe", { channel, ...answer });
      return next("pusher_internal:subscription_succeeded");
    },
    flush: async () => {
      say("pusher:ping", {});
      await next("pusher:pong");
      return heard;
    },
  };
}

function throwClosed(code: number): never {
  throw new Error(`closed with ${code}`);
}
