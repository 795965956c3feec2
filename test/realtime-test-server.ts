import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { WebSocket } from "ws";

import type { Db } from "#server/db/connect.ts";
import { Refusal } from "#server/platform/http/refusal.ts";
import { addressKeys } from "#server/platform/limits/limits.ts";
import { createEmbeddedRealtime, type EmbeddedRealtime } from "#server/platform/realtime/embedded.ts";
import type { Access, RealtimeOptions } from "#server/platform/realtime/options.ts";
import { endWithTest } from "./cleanup.ts";
import { createConnectedBuses } from "./connected-buses.ts";
import { createSocketClient, type SocketClient, type SocketMessage } from "./socket.ts";

/**
 * A placeholder for the database argument of functions under test, which run without a database
 * here.
 */
export const noDatabase = {} as Db;

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

/** A socket that subscribes with a signature issued by the server for the given session. */
export interface RealtimeClient extends Omit<SocketClient, "subscribe"> {
  subscribe(channel: string, access: Access): Promise<SocketMessage>;
}

export interface RealtimeTestServer {
  readonly realtime: EmbeddedRealtime;
  /** Valid sessions by id; a test ends a session by deleting its entry. */
  readonly sessions: Map<string, Access>;
  readonly origin: string;
  readonly port: number;
  readonly logEvents: string[];
  /** The X-CSRF-TOKEN header of every call to the auth endpoints. */
  readonly csrfTokens: string[];
  /** A text that stands for the group settings; a test changes it to simulate changed settings. */
  settingsVersion: string;
  /** `true` if findAccess fails, as if the database were down. */
  isDatabaseDown: boolean;
  /** `true` if every WebSocket upgrade is answered with 503, as by a server that is restarting. */
  isUnavailable: boolean;
  connect(options?: ConnectOptions): Promise<RealtimeClient>;
  /** Opens a socket for each of these sessions. */
  connectAs<Everybody extends Access[]>(...everybody: Everybody): Promise<SocketsOf<Everybody>>;
  /** Opens a socket for each of these sessions and subscribes it to the channel. */
  join<Everybody extends Access[]>(channel: string, ...everybody: Everybody): Promise<SocketsOf<Everybody>>;
  /** Returns the HTTP status or close code that a refused socket receives. */
  connectRefused(options?: ConnectOptions): Promise<number>;
}

type SocketsOf<Everybody extends Access[]> = { [Index in keyof Everybody]: RealtimeClient };

export interface ConnectOptions {
  readonly as?: Access | string;
  readonly origin?: string;
  readonly host?: string;
  readonly path?: string;
  readonly address?: string;
}

const key = "stammtisch";

/**
 * Starts the app's realtime server on a free port, with a list of sessions instead of the database.
 * The server is closed after the test.
 */
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
    secret: "a test secret",
    acceptsSecret: async (matches) => matches("a test secret"),
    origins: [origin, "https://extra.example"],
    isAllowedHost: (host) => host === new URL(origin).host,
    maxSockets: 50,
    maxPerUser: 20,
    maxPerIp: 40,
    headers: {},
    log: { debug: note, info: note, warn: note, error: note },
    bus: createConnectedBuses(1)[0]!,
    findAccess: async (ids) => {
      if (testServer.isDatabaseDown) throw new Error("database is down");
      return new Map(ids.flatMap((id) => (sessions.has(id) ? [[id, sessions.get(id)!] as const] : [])));
    },
    countInstances: () => 1,
    settingsVersion: () => testServer.settingsVersion,
    readSession,
    addressKeys: (request) => addressKeys(String(request.headers["x-test-address"] ?? request.socket.remoteAddress)),
    upgradeLimit: { admits: () => true, uncount: () => {} },
    channels: [
      { name: "private-beercounter", state: async () => ({ version: 7 }) },
      { name: "private-game-servers", permission: "see-game-servers" },
    ],
    ...overrides,
    timings: { presenceEvery: 10, ...overrides.timings },
  });
  server.on("upgrade", (request, socket, head) => {
    if (testServer.isUnavailable) socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
    else realtime.handleUpgrade(request, socket, head);
  });

  /** Answers the two endpoints with which realtime clients authenticate. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    // Clients that cannot send cookies send their session id in place of the CSRF token.
    const access = sessions.get(readSession(request) ?? String(request.headers["x-csrf-token"] ?? ""));
    asked.push(String(request.headers["x-csrf-token"] ?? ""));
    const socketId = form.get("socket_id") ?? "";
    const reply = (status: number, body: object): void =>
      void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (!access) return reply(401, {});
    try {
      const isSignIn = request.url === "/broadcasting/user-auth";
      const channel = form.get("channel_name") ?? "";
      reply(
        200,
        isSignIn
          ? realtime.authenticateUser(socketId, access)
          : realtime.authorizeChannel({ socketId, channel }, access),
      );
    } catch (error) {
      reply(statusOf(error), {});
    }
  }

  const testServer: RealtimeTestServer = {
    realtime,
    sessions,
    origin,
    port,
    logEvents: logged,
    csrfTokens: asked,
    settingsVersion: "1",
    isDatabaseDown: false,
    isUnavailable: false,
    connect: (options = {}) => connectClient(openWebSocket(port, options), realtime),
    async connectAs(...everybody) {
      const clients: RealtimeClient[] = [];
      for (const as of everybody) clients.push(await testServer.connect({ as }));
      return clients as SocketsOf<typeof everybody>;
    },
    async join(channel, ...everybody) {
      const clients = await testServer.connectAs(...everybody);
      for (const [index, client] of clients.entries()) await client.subscribe(channel, everybody[index]!);
      return clients;
    },
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
  };
  endWithTest(async () => {
    await realtime.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return testServer;
}

function readSession(request: IncomingMessage): string | null {
  return /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? null;
}

function openWebSocket(
  port: number,
  { as, origin, host, path = `/app/${key}?protocol=7&client=js`, address }: ConnectOptions,
): WebSocket {
  const sessionId = typeof as === "object" ? as.sessionId : as;
  return new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    ...(origin !== undefined && { origin }),
    headers: {
      ...(sessionId !== undefined && { cookie: `session=${sessionId}` }),
      ...(host !== undefined && { host }),
      ...(address !== undefined && { "x-test-address": address }),
    },
  });
}

/** Returns the status of a refusal; rethrows any other error. */
function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  throw error;
}

/** Returns the HTTP status of the refusal that `call` throws, or 200 if it throws none. */
export function refusedWith(call: () => unknown): number {
  try {
    call();
    return 200;
  } catch (error) {
    return statusOf(error);
  }
}

async function connectClient(socket: WebSocket, realtime: EmbeddedRealtime): Promise<RealtimeClient> {
  const client = await createSocketClient(socket, realtime);
  return {
    ...client,
    subscribe: async (channel, access) => {
      client.checkChannel(channel);
      return client.subscribe(channel, realtime.authorizeChannel({ socketId: client.id, channel }, access));
    },
  };
}
