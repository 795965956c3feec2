import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

import { type WebSocket, WebSocketServer } from "ws";

import { refusals } from "#contract/errors.ts";
import { divideByInstances, networkOfKeys } from "#server/platform/limits/limits.ts";
import { seconds } from "#server/time.ts";
import type { Authorization } from "./authorization.ts";
import { type Connection, createConnection, sendFrame } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Access, RealtimeOptions, Timings } from "./options.ts";
import { type CloseCode, closeCodes, encodeGreeting, maxMessageBytes, versionProblem } from "./protocol.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { createSocketLimits, type Place } from "./socket-limits.ts";

/** Compression would take 15 times the memory per socket. `closeTimeout` is for clients that do not confirm a close. */
const serverOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxMessageBytes,
  closeTimeout: seconds(5),
};

/** Above this number, a shutdown closes sockets in groups, spread over time. */
const manySockets = 100;
/** Milliseconds between two groups. */
const closeStep = 50;
const tokenBytes = 24;

/** Decides which WebSocket requests become open sockets. */
export function createGateway(parts: {
  options: RealtimeOptions;
  timings: Timings;
  hub: Hub;
  authorization: Authorization;
  onMessage(connection: Connection, message: Buffer, isBinary: boolean): void;
}) {
  const { options, hub } = parts;
  const server = new WebSocketServer(serverOptions);
  const webSockets = new Set<WebSocket>();
  const limits = createSocketLimits(options);
  let isRefusing = false;

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const address = options.addressKeys(request);
    const refuse = (code: "forbidden" | "notFound" | "misdirectedRequest" | "unavailable"): void => {
      options.log.info("upgrade-refused", { status: refusals[code].status, network: networkOfKeys(address) });
      refuseUpgrade(socket, code, options.headers);
    };
    const { host, origin } = request.headers;
    if (!options.isAllowedHost(host)) return refuse("misdirectedRequest");
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const key = /^\/app\/([^/]+)$/.exec(path)?.[1];
    if (key === undefined) return refuse("notFound");
    if (origin !== undefined && !options.origins.includes(origin)) return refuse("forbidden");
    if (!options.upgradeLimit.admits(address) || isRefusing) return refuse("unavailable");

    const version = new URLSearchParams(query).get("protocol");
    const problem = key === options.key ? versionProblem(version) : closeCodes.unknownKey;
    const sessionId = problem === null ? options.readSession(request) : null;
    const kind = sessionId === null ? "anonymous" : "unchecked";
    if (limits.isFull(kind, address)) return refuse("unavailable");
    const place = limits.reserve(socket, address, kind);
    const access = sessionId === null ? undefined : await checkSession(sessionId, address);
    if (socket.destroyed) return;
    // The -1 excludes this socket, which has already been counted.
    const isAllowed = access
      ? options.upgradeLimit.admits([`member ${access.userId}`]) && !mustUseOtherInstance(access)
      : kind === "anonymous" || !limits.isFull("anonymous", address, -1);
    if (isRefusing || !isAllowed) return refuse("unavailable");
    server.handleUpgrade(request, socket, head, (webSocket) =>
      problem === null ? open(webSocket, place, access) : reject(webSocket, place, problem),
    );
  }

  /**
   * The member has all sockets that this instance may serve, and others may be left on other instances. The page
   * retries with backoff, until it reaches another instance or this one is alone.
   */
  function mustUseOtherInstance({ userId }: Access): boolean {
    const { size } = hub.ofUser(userId);
    return size < options.maxPerUser && size >= divideByInstances(options.maxPerUser, options.countInstances());
  }

  /** Counts only unknown sessions for the rate limit of their address, which all members in a hall may share. */
  async function checkSession(sessionId: string, address: readonly string[]): Promise<Access | undefined> {
    let isUnknown = false;
    try {
      const access = await parts.authorization.loadAccess(sessionId);
      isUnknown = access === undefined;
      return access;
    } finally {
      if (!isUnknown) options.upgradeLimit.uncount(address);
    }
  }

  function open(webSocket: WebSocket, place: Place, access: Access | undefined): void {
    if (access && hub.ofUser(access.userId).size >= options.maxPerUser) {
      return reject(webSocket, place, closeCodes.tooManySockets);
    }
    if (!access) place.become("anonymous");
    // Has only digits and one dot, and cannot be guessed.
    const socketId = `${options.bus.instance}.${randomBytes(8).readBigUInt64BE()}`;
    const connection = createConnection(socketId, webSocket, place, performance.now());
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
    if (access) {
      hub.bind(connection, access);
      connection.token = randomBytes(tokenBytes).toString("base64url");
    }
    sendFrame(connection, encodeGreeting(connection));
  }

  function reject(webSocket: WebSocket, place: Place, code: CloseCode): void {
    place.become("anonymous");
    track(webSocket);
    webSocket.close(code);
  }

  function track(webSocket: WebSocket): void {
    webSockets.add(webSocket);
    webSocket.on("close", () => webSockets.delete(webSocket));
    // After an error, ws closes the socket with the matching code, e.g. 1009 for a message that is too big.
    webSocket.on("error", (error) => options.log.debug("socket-error", { error: error.message }));
  }

  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      accept(request, socket, head).catch((error: unknown) => {
        options.log.warn("upgrade-failed", { error: String(error) });
        refuseUpgrade(socket, "unavailable", options.headers);
      });
    },
    /** Answers further WebSocket requests with 503. */
    refuseNewConnections(): void {
      isRefusing = true;
    },
    /**
     * Uses code 4100, so that clients reconnect after one second. Spreads the closing of many sockets over `spread` ms,
     * so that the other instances are not flooded. Then waits up to `closeWait`.
     */
    async closeAll(spread: number): Promise<void> {
      const all = [...webSockets];
      const gone = all.map((webSocket) => new Promise<void>((resolve) => webSocket.once("close", () => resolve())));
      const steps = all.length > manySockets ? Math.floor(spread / closeStep) : 0;
      const perStep = Math.ceil(all.length / Math.max(1, steps));
      for (let closed = 0; closed < all.length; closed += perStep) {
        for (const webSocket of all.slice(closed, closed + perStep)) webSocket.close(closeCodes.restarting);
        if (steps > 0) await sleep(closeStep);
      }
      const timeout = setTimeout(() => {
        for (const webSocket of webSockets) webSocket.terminate();
      }, parts.timings.closeWait);
      await Promise.all(gone);
      clearTimeout(timeout);
    },
    /** Includes sockets that are opening, closing or being rejected. */
    size: limits.size,
  };
}
