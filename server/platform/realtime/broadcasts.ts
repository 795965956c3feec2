import { setTimeout as sleep } from "node:timers/promises";

import type { RealtimeChannel, RealtimeOptions } from "./options.ts";

/** Delivery of events, and the newest version of each channel. */
export interface Broadcasts {
  /** Sends an event to all subscribers of the channel; skips it if its `version` is not newer than the last one of this event. */
  deliver(event: string, channel: string, data: object): void;
  /** Returns the newest version read or sent; `undefined` if the channel has none, or the database is down. */
  versionOf(channel: RealtimeChannel): Promise<number | undefined>;
  /**
   * Reads the state of every channel and sends it where events were missed. Waits `waitMs` between reading and sending,
   * because an event with more details may be in flight.
   */
  resync(waitMs?: number): Promise<void>;
}

export function createBroadcasts(parts: {
  channels: readonly RealtimeChannel[];
  send: (event: string, channel: string, data: object) => void;
  log: RealtimeOptions["log"];
}): Broadcasts {
  const { channels, send, log } = parts;
  const newest = new Map<string, number>();
  const lastOfEvent = new Map<string, number>();
  const reads = new Map<string, Promise<number | undefined>>();

  function read(channel: RealtimeChannel): Promise<number | undefined> {
    const running = reads.get(channel.name);
    if (running) return running;
    const started = readNow(channel).finally(() => reads.delete(channel.name));
    reads.set(channel.name, started);
    return started;
  }

  async function readNow(channel: RealtimeChannel): Promise<number | undefined> {
    try {
      return await channel.version?.();
    } catch (error) {
      log.warn("channel-version-failed", { channel: channel.name, error: String(error) });
      return undefined;
    }
  }

  function deliver(event: string, channel: string, data: object): void {
    const version = versionIn(data);
    const key = `${channel} ${event}`;
    if (version !== undefined) {
      if (version <= (lastOfEvent.get(key) ?? -Infinity)) return;
      lastOfEvent.set(key, version);
      newest.set(channel, Math.max(version, newest.get(channel) ?? version));
    }
    send(event, channel, data);
  }

  async function resyncOne(channel: RealtimeChannel, waitMs: number): Promise<void> {
    try {
      const missed = await channel.resync?.();
      if (!missed) return;
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
      deliver(missed.event, channel.name, missed.data);
    } catch (error) {
      log.warn("resync-failed", { channel: channel.name, error: String(error) });
    }
  }

  async function resync(waitMs = 0): Promise<void> {
    await Promise.all(channels.map((channel) => resyncOne(channel, waitMs)));
  }

  // Subscribers of a hosted service may have missed changes if the previous server process crashed. Embedded sockets start with
  // the server, so none are subscribed yet.
  void resync();

  return {
    deliver,
    versionOf: async (channel) => {
      const version = await read(channel);
      // An event that was sent while the version was read did not reach the joining client.
      return version === undefined ? undefined : Math.max(version, newest.get(channel.name) ?? version);
    },
    resync,
  };
}

function versionIn(data: object): number | undefined {
  return "version" in data && typeof data.version === "number" ? data.version : undefined;
}
