import { setTimeout } from "node:timers/promises";

import { openPagesCounted } from "#contract/event.ts";
import type { Leases } from "#server/platform/leases/leases.ts";
import { errorFields } from "#server/platform/log.ts";
import { every, seconds } from "#server/time.ts";
import { createBroadcasts } from "./broadcasts.ts";
import { indexChannels, signSignIn, signSubscription } from "./channels.ts";
import type { HostedService } from "./hosted-service.ts";
import { defaultTimings, type RealtimeOptions } from "./options.ts";
import type { Realtime } from "./realtime.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

const drainWithin = seconds(2);

/** From this number on, pages are told how many are open. */
const manyPages = 100;

export interface HostedOptions extends Pick<
  RealtimeOptions,
  "key" | "secret" | "headers" | "log" | "bus" | "channels" | "timings"
> {
  readonly service: HostedService;
  readonly leases: Pick<Leases, "acquire">;
}

/**
 * This server cannot tell which of the service's sockets belongs to which session. When a session ends, it therefore
 * closes all sockets of the member; pages of the other sessions reconnect.
 */
export function createHostedRealtime(options: HostedOptions): Realtime {
  const { service, bus, log } = options;
  const { sweepEvery, messageWait } = { ...defaultTimings, ...options.timings };
  const channels = indexChannels(options.channels);
  const broadcasts = createBroadcasts({
    channels: options.channels,
    send: service.publish,
    flushed: service.whenPublished,
    log,
  });
  let isPageCountKnown = true;

  // The command line wrote to the database, or messages of other instances were missed.
  bus.onGap(() => void broadcasts.resync());

  service.listen({
    onRecovered() {
      broadcasts.forget();
      void broadcasts.resync(messageWait);
    },
    // The next sweep publishes the state again; at once, it could be refused again without an end.
    onRefused: broadcasts.forget,
  });

  // Only the instance of the event tells the service.
  bus.onMessage((message, from) => {
    if (from !== bus.instance) return;
    if (message.kind === "event") broadcasts.deliver(message.event, message.channel, message.data);
  });

  // One instance publishes each state that is newer than its own last event, also if another instance was killed before
  // it told the service.
  const lease = options.leases.acquire("realtime-sweep", (signal) => {
    const onError = (error: unknown) => log.error("realtime-timer-failed", errorFields(error));
    service.terminatePending().catch(onError);
    const stop = every(sweepEvery, sweep, onError);
    signal.addEventListener("abort", stop);
  });

  async function sweep(): Promise<void> {
    await Promise.all([broadcasts.resync(messageWait), announceOpenPages(), service.terminatePending()]);
  }

  /** Presence channels list at most 100 members. */
  async function announceOpenPages(): Promise<void> {
    const { name, channel } = openPagesCounted;
    const count = await service.countSubscriptions(channel);
    if (count === null) return;
    if (count >= manyPages || isPageCountKnown) service.publish(name, channel, { count });
    isPageCountKnown = count >= manyPages;
  }

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
    accessChanged: (tx, { userId }) => service.terminateConnections(tx, userId),
    sessionRotated: () => Promise.resolve(),
    drain,
    async close() {
      await Promise.all([lease.release(), drain()]);
      service.close();
    },
  };
}
