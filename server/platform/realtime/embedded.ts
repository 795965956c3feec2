import { presenceChannel } from "#contract/event.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { createAuthorization } from "./authorization.ts";
import { createBroadcasts } from "./broadcasts.ts";
import type { AccessScope, BusMessage } from "./bus.ts";
import { indexChannels, signSignIn, signSubscription } from "./channels.ts";
import { createMessageHandler } from "./client-messages.ts";
import { type Connection, sendFrame } from "./connection.ts";
import { createGateway } from "./gateway.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createHub, type Hub } from "./hub.ts";
import { type Access, defaultTimings, type RealtimeOptions } from "./options.ts";
import { createPresence } from "./presence.ts";
import { encodeFrame } from "./protocol.ts";
import type { Realtime } from "./realtime.ts";
import { addSession, credentialsOfSession } from "./signatures.ts";

export interface EmbeddedRealtime extends Realtime {
  /** For tests. `connections` also counts sockets that are opening or closing. */
  sizes(): ReturnType<Hub["sizes"]> & { connections: number };
  connections(): Iterable<Connection>;
}

/** Implements the Pusher protocol in this process. */
export function createEmbeddedRealtime(options: RealtimeOptions): EmbeddedRealtime {
  const { bus, log } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const channels = indexChannels(options.channels);
  const hub = createHub((connection, channel) => {
    if (channel === presenceChannel) presence.removeConnection(connection);
  });
  const broadcasts = createBroadcasts({ channels: options.channels, send: sendToAll, log });
  const presence = createPresence({ bus, timings });
  const authorization = createAuthorization({ options, hub, presence, channels });
  const onMessage = createMessageHandler({ options, hub, presence, authorization, broadcasts, channels });
  const gateway = createGateway({ options, timings, hub, authorization, onMessage });
  const checkConnections = createHeartbeat(hub, timings);

  function sendToAll(event: string, channel: string, data: object): void {
    // Encoded once for all connections.
    const frame = Buffer.from(encodeFrame(event, data, channel));
    for (const connection of hub.inChannel(channel)) sendFrame(connection, frame);
  }

  function connectionsIn({ userId, sessionIds }: AccessScope): Iterable<Connection> {
    return sessionIds ? sessionIds.flatMap((id) => [...hub.ofSession(id)]) : hub.ofUser(userId);
  }

  function handleBusMessage(message: BusMessage, from: string): unknown {
    if (message.kind === "event") return broadcasts.deliver(message.event, message.channel, message.data);
    if (message.kind === "access") return authorization.recheck(connectionsIn(message));
    if (message.kind === "session-rotated") return hub.rotateSession(message.from, message.to);
    return presence.handleMessage(message, from);
  }

  /** Called when messages may have been missed. */
  function resync(): void {
    void authorization.recheckAll();
    void broadcasts.resync();
    presence.requestRosters();
  }

  /**
   * A socket of another instance may be anonymous, so its signature names the session. Throws 403 for a socket of
   * another session.
   */
  function finishSignature(signature: string, socketId: string, access: Access): string {
    const connection = hub.find(socketId);
    if (!connection) return addSession(signature, access.sessionId);
    if (!connection.access) bindBeforeNextMessage(connection, access.sessionId);
    else if (connection.access.sessionId !== access.sessionId) throw refuse("forbidden");
    return signature;
  }

  function bindBeforeNextMessage(connection: Connection, sessionId: string): void {
    connection.work = connection.work
      .then(async () => void (connection.access ?? (await authorization.bind(connection, sessionId))))
      .catch((error: unknown) => log.warn("socket-not-bound", { error: String(error) }));
  }

  bus.onMessage(handleBusMessage);
  bus.onGap(resync);
  presence.requestRosters();
  const onError = (error: unknown) => log.error("realtime-timer-failed", errorFields(error));
  const stops = [
    every(timings.beat, checkConnections, onError),
    every(timings.beat, authorization.retryFailed, onError),
    every(timings.sweepEvery, authorization.recheckAll, onError),
    every(timings.sweepEvery, () => broadcasts.resync(timings.messageWait), onError),
  ];
  if (bus.reachesOthers) stops.push(every(timings.rosterEvery, presence.announceRoster, onError));

  async function drain(): Promise<void> {
    gateway.refuseNewConnections();
    broadcasts.sendWaiting();
  }

  return {
    connections: hub.all,
    sizes: () => ({ ...hub.sizes(), connections: gateway.size() }),
    countSockets: () => hub.sizes().sockets,
    handleUpgrade: gateway.handleUpgrade,
    hasChannel: (name) => channels.has(name),
    publish: (tx, event, channel, data) => bus.send(tx, { kind: "event", event, channel, data }),
    authorizeChannel: (request, access) => {
      const credentials = credentialsOfSession(options, access.sessionId);
      const signature = signSubscription(credentials, channels, request, access);
      return { ...signature, auth: finishSignature(signature.auth, request.socketId, access) };
    },
    authenticateUser: (socketId, access) => {
      const signature = signSignIn(credentialsOfSession(options, access.sessionId), socketId, access);
      return { ...signature, auth: finishSignature(signature.auth, socketId, access) };
    },
    accessChanged: (tx, scope) => bus.send(tx, { kind: "access", ...scope }),
    sessionRotated: (tx, from, to) => bus.send(tx, { kind: "session-rotated", from, to }),
    drain,
    close: async (spread = 0) => {
      await drain();
      for (const stop of stops) stop();
      await gateway.closeAll(spread);
      await presence.close();
    },
  };
}
