import { presenceChannel } from "#contract/event.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { createAuthorization } from "./authorization.ts";
import { createBroadcasts } from "./broadcasts.ts";
import type { AccessScope, BusMessage } from "./bus.ts";
import { indexChannels, signSignIn, signSubscription } from "./channels.ts";
import { createMessageHandler } from "./client-messages.ts";
import type { Connection } from "./connection.ts";
import { createFanout } from "./fanout.ts";
import { createGateway } from "./gateway.ts";
import { createGrants, signInGrant } from "./grants.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createHub, type Hub } from "./hub.ts";
import { type Access, defaultTimings, type RealtimeOptions } from "./options.ts";
import { createPresence } from "./presence.ts";
import { encodeFrame } from "./protocol.ts";
import type { Realtime } from "./realtime.ts";

export interface EmbeddedRealtime extends Realtime {
  /**
   * Returns the numbers of open sockets, members, sessions and channels, for tests. `connections`
   * also counts sockets that are opening or closing.
   */
  sizes(): ReturnType<Hub["sizes"]> & { connections: number };
  connections(): Iterable<Connection>;
}

/** Creates a WebSocket server in this process that is compatible with the Pusher protocol. */
export function createEmbeddedRealtime(options: RealtimeOptions): EmbeddedRealtime {
  const { bus, log } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const channels = indexChannels(options.channels);
  const hub = createHub((connection, channel) => {
    if (channel === presenceChannel) presence.removeConnection(connection);
  });
  const fanout = createFanout(hub);
  const broadcasts = createBroadcasts({
    channels: options.channels,
    send: (event, channel, data) => {
      presence.handleEvent(data);
      fanout.send({ channel, event, frame: encodeFrame(event, data, channel) });
    },
    log,
  });
  const presence = createPresence({ fanout, bus, timings, readGroups: options.presenceGroups });
  const authorization = createAuthorization({ options, hub, presence, channels, timings });
  const grants = createGrants(bus.reachesOthers ? timings.grantWait : 0);
  const onMessage = createMessageHandler({ options, hub, presence, authorization, grants, broadcasts, channels });
  const gateway = createGateway({ options, timings, hub, authorization, onMessage });
  const checkConnections = createHeartbeat(hub, timings);

  function connectionsIn({ userId, sessionIds }: AccessScope): Iterable<Connection> {
    return sessionIds ? sessionIds.flatMap((id) => [...hub.ofSession(id)]) : hub.ofUser(userId);
  }

  function handleBusMessage(message: BusMessage, from: string): void {
    if (message.kind === "event") broadcasts.deliver(message.event, message.channel, message.data);
    else if (message.kind === "access") void authorization.recheck(connectionsIn(message));
    else if (message.kind === "session-rotated") hub.rotateSession(message.from, message.to);
    else if (message.kind === "grant") {
      const connection = hub.find(message.socketId);
      if (connection) grants.add(connection, message.channel, message.sessionId);
    } else presence.handleMessage(message, from);
  }

  /**
   * Reads the access of all connections and the state of all channels again, because messages may
   * have been missed.
   */
  function resync(): void {
    void authorization.recheckAll();
    void broadcasts.resync();
    presence.requestRosters();
  }

  /**
   * Saves the grant of this channel for this session, or sends it to the instance that has the
   * socket. Returns `false` if the socket belongs to another session. Saves nothing for a closed
   * socket, so that its signature is useless.
   */
  function grant(socketId: string, channel: string, access: Access): boolean {
    const connection = hub.find(socketId);
    if (connection?.access && connection.access.sessionId !== access.sessionId) return false;
    if (connection) grants.add(connection, channel, access.sessionId);
    else if (presence.isInstanceAlive(socketId.split(".", 1)[0] ?? ""))
      void bus.send({ kind: "grant", socketId, channel, sessionId: access.sessionId });
    return true;
  }

  bus.onMessage(handleBusMessage);
  bus.onGap(resync);
  presence.requestRosters();
  const onError = (error: unknown) => log.error("realtime-timer-failed", errorFields(error));
  const stops = [
    every(timings.beat, checkConnections, onError),
    every(timings.beat, authorization.retryFailed, onError),
    every(timings.presenceRearrange, presence.rearrange, onError),
    every(timings.sweepEvery, authorization.recheckAll, onError),
    every(timings.sweepEvery, () => broadcasts.resync(timings.messageWait), onError),
  ];
  if (bus.reachesOthers) stops.push(every(timings.rosterEvery, presence.announceRoster, onError));

  async function drain(): Promise<void> {
    gateway.refuseNewConnections();
    await fanout.flushed();
  }

  return {
    connections: hub.all,
    sizes: () => ({ ...hub.sizes(), connections: gateway.size() }),
    countSockets: () => hub.sizes().sockets,
    handleUpgrade: gateway.handleUpgrade,
    hasChannel: (name) => channels.has(name),
    publish: (event, channel, data) => {
      broadcasts.deliver(event, channel, data);
      void bus.send({ kind: "event", event, channel, data });
    },
    authorizeChannel: (request, access) => {
      const signature = signSubscription(options, channels, request, access);
      if (!grant(request.socketId, request.channel, access)) throw refuse("forbidden");
      return signature;
    },
    authenticateUser: (socketId, access) => {
      const signature = signSignIn(options, socketId, access);
      if (!grant(socketId, signInGrant, access)) throw refuse("forbidden");
      return signature;
    },
    accessChanged: async (scope) => {
      void bus.send({ kind: "access", ...scope });
      await authorization.recheck(connectionsIn(scope));
    },
    sessionRotated: (from, to) => {
      hub.rotateSession(from, to);
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
