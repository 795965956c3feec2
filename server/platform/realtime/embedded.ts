import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { presenceChannel } from "#contract/event.ts";

import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";

import { createAuthorization } from "./authorization.ts";
import { createBroadcasts } from "./broadcasts.ts";
import type { BusMessage } from "./bus.ts";
import type { Connection } from "./connection.ts";
import { createClientMessages, canJoin } from "./client-messages.ts";
import { createFanout } from "./fanout.ts";
import { createGateway } from "./gateway.ts";
import { createGrants, signInGrant } from "./grants.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createHub } from "./hub.ts";
import type { Hub } from "./hub.ts";
import { presenceData, signInData } from "./identity.ts";
import { defaultTimings } from "./options.ts";
import type { Access, RealtimeChannel, RealtimeOptions } from "./options.ts";
import { createPresence } from "./presence.ts";
import { closeCodes } from "./protocol.ts";
import { isChannelName, isSocketId, signChannel, signUser } from "./signatures.ts";

/** Whose access changed. */
export type AccessScope = { readonly userId: number } | { readonly sessionIds: readonly string[] };

/** Events to everybody who has a page open, embedded or through a hosted service. */
export interface Realtime {
  /** For the HTTP server's "upgrade" event. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Broadcasts after the commit, here and on the other instances; never fails and never waits. */
  publish(event: string, channel: string, data: object): void;
  /** Signs for this live socket on behalf of this session; used up by the next subscription. */
  authorizeChannel(
    request: { socketId: string; channel: string },
    access: Access,
  ): { auth: string; channel_data?: string } | "unknown-socket" | "forbidden";
  authenticateUser(socketId: string, access: Access): { auth: string; user_data: string } | "forbidden";
  /** Ends here what is no longer allowed before it resolves, and on the other instances soon after. Never rejects. */
  accessChanged(scope: AccessScope): Promise<void>;
  /** The session goes on under a new hash: its sockets stay. */
  sessionRotated(from: string, to: string): void;
  /** Refuses new sockets from now on; resolves when everything published so far was handed to the open ones. */
  drain(): Promise<void>;
  /** Drains, then closes every socket with 4100: the very last act. The bus stays open. */
  close(): Promise<void>;
}

export interface EmbeddedRealtime extends Realtime {
  /** How much is remembered; `held` counts sockets that are still opening or closing too. */
  sizes(): ReturnType<Hub["sizes"]> & { held: number };
  /** The sockets that are open here. */
  connections(): Iterable<Connection>;
}

/** Opens the embedded Pusher-compatible server. */
export function createEmbeddedRealtime(options: RealtimeOptions): EmbeddedRealtime {
  const { bus, log } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const hub = createHub();
  const fanout = createFanout(hub);
  const broadcasts = createBroadcasts({ channels: options.channels, fanout, log });
  const presence = createPresence({ fanout, bus, timings });
  const grants = createGrants(bus.reachesOthers ? timings.grantWait : 0);
  const channels = new Map<string, RealtimeChannel>(
    [...options.channels, { name: presenceChannel }].map((channel) => [channel.name, channel]),
  );
  const heartbeat = createHeartbeat(hub.all, timings);

  const admission = createAuthorization({
    hub,
    options,
    eject: (connection) => eject(connection, closeCodes.unauthorized, "Session ended"),
    enforce: (connection, access) => conversation.endForbiddenSubscriptions(connection, access),
  });
  const conversation = createClientMessages({
    options,
    hub,
    presence,
    grants,
    channels,
    bind: admission.bind,
    versionOf: broadcasts.versionOf,
    eject,
  });
  const gateway = createGateway({ options, timings, hub, admission, receive: conversation.handle, forget });

  function forget(connection: Connection): void {
    presence.removeConnection(connection);
    hub.remove(connection);
  }

  function eject(connection: Connection, code: number, reason: string): void {
    forget(connection);
    connection.webSocket.close(code, reason);
  }

  let isRecheckDue = false;
  let isRecheckFailed = false;
  let isRechecking = false;

  /** A failed attempt is repeated at the next beat. */
  async function recheck(connections: Iterable<Connection>): Promise<void> {
    try {
      await admission.recheck(connections);
    } catch (error) {
      isRecheckFailed = true;
      log.warn("access-unknown", { error: String(error) });
    }
  }

  /** Asked for again while it runs, it runs once more. */
  async function recheckAll(): Promise<void> {
    isRecheckDue = true;
    if (isRechecking) return;
    isRechecking = true;
    while (isRecheckDue) {
      isRecheckDue = false;
      isRecheckFailed = false;
      await recheck(hub.all());
    }
    isRechecking = false;
  }

  function affected(scope: { userId?: number; sessionIds?: readonly string[] }): Iterable<Connection> {
    if (scope.userId !== undefined) return hub.ofUser(scope.userId);
    return scope.sessionIds ? scope.sessionIds.flatMap((id) => [...hub.ofSession(id)]) : hub.all();
  }

  function receive(message: BusMessage, from: string): void {
    if (message.kind === "event") broadcasts.deliver(message.event, message.channel, message.data);
    else if (message.kind === "access") void recheck(affected(message));
    else if (message.kind === "session-rotated") hub.rotate(message.from, message.to);
    else if (message.kind === "resync") catchUp();
    else if (message.kind === "grant") {
      const connection = hub.find(message.socketId);
      if (connection) grants.put(connection, message.channel, message.sessionId);
    } else presence.handleMessage(message, from);
  }

  function catchUp(): void {
    void recheckAll();
    void broadcasts.resync();
    presence.requestRosters();
  }

  /** Remembers, here or where the socket lives, that this session asked. */
  function grant(socketId: string, channel: string, access: Access): "granted" | "unknown-socket" | "forbidden" {
    const connection = hub.find(socketId);
    if (!connection) {
      if (!presence.isInstanceAlive(socketId.split(".", 1)[0] ?? "")) return "unknown-socket";
      void bus.send({ kind: "grant", socketId, channel, sessionId: access.sessionId });
      return "granted";
    }
    if (connection.access && connection.access.sessionId !== access.sessionId) return "forbidden";
    grants.put(connection, channel, access.sessionId);
    return "granted";
  }

  bus.onMessage(receive);
  bus.onGap(catchUp);
  presence.requestRosters();
  function beat(): void {
    heartbeat();
    if (isRecheckFailed) void recheckAll();
  }

  const onError = (error: unknown) => log.error("realtime-timer-failed", errorFields(error));
  const stops = [every(timings.beat, beat, onError), every(timings.accessSweepEvery, recheckAll, onError)];
  if (bus.reachesOthers) stops.push(every(timings.rosterEvery, presence.announceRoster, onError));

  async function drain(): Promise<void> {
    gateway.refuseNewConnections();
    await fanout.flushed();
  }

  return {
    connections: hub.all,
    sizes: () => ({ ...hub.sizes(), held: gateway.size() }),
    handleUpgrade: gateway.handleUpgrade,
    publish: (event, channel, data) => {
      broadcasts.deliver(event, channel, data);
      void bus.send({ kind: "event", event, channel, data });
    },
    authorizeChannel: ({ socketId, channel }, access) => {
      const found = channels.get(channel);
      if (!isSocketId(socketId) || !isChannelName(channel) || !found || !canJoin(found, access)) return "forbidden";
      const granted = grant(socketId, channel, access);
      if (granted !== "granted") return granted;
      if (channel !== presenceChannel) return { auth: signChannel(options, socketId, channel) };
      const channelData = presenceData(access);
      return { auth: signChannel(options, socketId, channel, channelData), channel_data: channelData };
    },
    authenticateUser: (socketId, access) => {
      if (!isSocketId(socketId) || grant(socketId, signInGrant, access) !== "granted") return "forbidden";
      const userData = signInData(access);
      return { auth: signUser(options, socketId, userData), user_data: userData };
    },
    accessChanged: async (scope) => {
      void bus.send({ kind: "access", ...scope });
      await recheck(affected(scope));
    },
    sessionRotated: (from, to) => {
      hub.rotate(from, to);
      void bus.send({ kind: "session-rotated", from, to });
    },
    drain,
    close: async () => {
      await drain();
      for (const stop of stops) stop();
      await gateway.closeAll();
      await presence.close();
    },
  };
}
