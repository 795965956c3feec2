import { setTimeout } from "node:timers/promises";

import { seconds } from "#server/time.ts";
import { createBroadcasts } from "./broadcasts.ts";
import { indexChannels, signSignIn, signSubscription } from "./channels.ts";
import type { HostedService } from "./hosted-service.ts";
import type { RealtimeOptions } from "./options.ts";
import type { Realtime } from "./realtime.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

const drainWithin = seconds(2);

export interface HostedOptions extends Pick<
  RealtimeOptions,
  "key" | "secret" | "headers" | "log" | "bus" | "channels"
> {
  readonly service: HostedService;
}

/**
 * Creates the realtime connection through a hosted service, to which all sockets are connected.
 * This server cannot tell which socket belongs to which session. When a session ends, it therefore
 * closes all sockets of the member; pages of the member's other sessions reconnect.
 */
export function createHostedRealtime(options: HostedOptions): Realtime {
  const { service, bus, log } = options;
  const channels = indexChannels(options.channels);
  const broadcasts = createBroadcasts({
    channels: options.channels,
    send: service.publish,
    flushed: service.whenSent,
    log,
  });

  // Publishes the current state after a gap: the command line wrote to the database, or messages of
  // other instances were missed.
  bus.onGap(() => void broadcasts.resync());

  // Only the instance of the change tells the service.
  bus.onMessage((message, from) => {
    if (from !== bus.instance) return;
    if (message.kind === "event") broadcasts.deliver(message.event, message.channel, message.data);
    if (message.kind === "access") service.terminateConnections(message.userId);
  });

  async function drain(): Promise<void> {
    broadcasts.sendWaiting();
    await Promise.race([service.whenSent(), setTimeout(drainWithin, undefined, { ref: false })]);
  }

  return {
    countSockets: () => null,
    handleUpgrade: (_request, socket) => refuseUpgrade(socket, "notFound", options.headers),
    publish: (tx, event, channel, data) => bus.send(tx, { kind: "event", event, channel, data }),
    hasChannel: (name) => channels.has(name),
    authorizeChannel: (request, access) => signSubscription(options, channels, request, access),
    authenticateUser: (socketId, access) => signSignIn(options, socketId, access),
    accessChanged: (tx, scope) => bus.send(tx, { kind: "access", ...scope }),
    sessionRotated: () => Promise.resolve(),
    drain,
    close: drain,
  };
}
