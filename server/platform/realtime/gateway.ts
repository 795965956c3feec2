import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import { seconds } from "#server/time.ts";

import type { Authorization } from "./authorization.ts";
import { createConnection, sendFrame } from "./connection.ts";
import type { Connection } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Access, RealtimeOptions, Timings } from "./options.ts";
import { activityTimeout, closeCodes, encodeFrame, maxMessageBytes, versionProblem } from "./protocol.ts";
import type { CloseCode } from "./protocol.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

/** Compression would cost 15 times the memory per socket. A client that does not confirm a close is cut after `closeTimeout`. */
const serverOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxMessageBytes,
  closeTimeout: seconds(5),
};

/** Decides which upgrade requests become sockets. */
export interface Gateway {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** From now on every upgrade request is answered with 503. */
  refuseNewConnections(): void;
  /** Closes all sockets with 4100, so that clients reconnect after a second, and waits a moment for them to close. */
  closeAll(): Promise<void>;
  /** Number of sockets, those that are opening, closing or rejected included. */
  size(): number;
}

export function createGateway(parts: {
  options: RealtimeOptions;
  timings: Timings;
  hub: Hub;
  authorization: Authorization;
  onMessage(connection: Connection, message: Buffer, isBinary: boolean): void;
}): Gateway {
  const { options, hub } = parts;
  const server = new WebSocketServer(serverOptions);
  const webSockets = new Set<WebSocket>();
  const perAddress = new Map<string, number>();
  let openCount = 0;
  let isRefusing = false;

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const key = /^\/app\/([^/]+)$/.exec(path)?.[1];
    if (key === undefined) return refuseUpgrade(socket, 404, options.headers);
    const { origin } = request.headers;
    if (origin !== undefined && !options.origins.includes(origin)) return refuseUpgrade(socket, 403, options.headers);
    if (!reserve(socket, options.clientAddress(request))) return refuseUpgrade(socket, 503, options.headers);

    const version = new URLSearchParams(query).get("protocol");
    const problem = key === options.key ? versionProblem(version) : closeCodes.unknownKey;
    if (problem !== null) {
      return server.handleUpgrade(request, socket, head, (webSocket) => reject(webSocket, problem));
    }

    const sessionId = options.readSession(request);
    const access = sessionId === null ? undefined : await parts.authorization.loadAccess(sessionId);
    if (socket.destroyed) return;
    if (isRefusing) return refuseUpgrade(socket, 503, options.headers);
    server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, access));
  }

  /** Counts this socket until it is closed; false if there are too many. */
  function reserve(socket: Duplex, address: string): boolean {
    const used = perAddress.get(address) ?? 0;
    if (isRefusing || openCount >= options.maxSockets || used >= options.maxPerIp) return false;
    openCount += 1;
    perAddress.set(address, used + 1);
    socket.once("close", () => {
      openCount -= 1;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    return true;
  }

  function open(webSocket: WebSocket, access: Access | undefined): void {
    if (access && hub.ofUser(access.userId).size >= options.maxPerUser) {
      return reject(webSocket, closeCodes.tooManySockets);
    }
    const connection = createConnection(createSocketId(options.bus.instance), webSocket, performance.now());
    const markAlive = (): void => {
      connection.health.lastSeen = performance.now();
    };
    track(webSocket);
    webSocket.on("pong", markAlive);
    webSocket.on("message", (message: Buffer, isBinary: boolean) => {
      markAlive();
      if (hub.has(connection)) parts.onMessage(connection, message, isBinary);
    });
    webSocket.on("close", () => hub.remove(connection));
    hub.add(connection);
    if (access) hub.bind(connection, access);
    const greeting = { socket_id: connection.socketId, activity_timeout: activityTimeout };
    sendFrame(connection, encodeFrame("pusher:connection_established", greeting));
  }

  function reject(webSocket: WebSocket, code: CloseCode): void {
    track(webSocket);
    webSocket.close(code);
  }

  function track(webSocket: WebSocket): void {
    webSockets.add(webSocket);
    webSocket.on("close", () => webSockets.delete(webSocket));
    // ws closes by itself after an error, with the code that belongs to it (1009 for a message that is too big).
    webSocket.on("error", (error) => options.log.debug("socket-error", { error: error.message }));
  }

  return {
    handleUpgrade: (request, socket, head) => {
      accept(request, socket, head).catch((error: unknown) => {
        options.log.warn("upgrade-failed", { error: String(error) });
        refuseUpgrade(socket, 503, options.headers);
      });
    },
    refuseNewConnections: () => {
      isRefusing = true;
    },
    closeAll: async () => {
      const gone = [...webSockets].map(
        (webSocket) => new Promise<void>((resolve) => webSocket.once("close", () => resolve())),
      );
      for (const webSocket of webSockets) webSocket.close(closeCodes.restarting);
      const timeout = setTimeout(() => {
        for (const webSocket of webSockets) webSocket.terminate();
      }, parts.timings.closeWait);
      await Promise.all(gone);
      clearTimeout(timeout);
    },
    size: () => openCount,
  };
}

/** `instance.random`, in digits, unguessable. */
function createSocketId(instance: string): string {
  return `${instance}.${randomBytes(8).readBigUInt64BE()}`;
}
