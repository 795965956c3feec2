import { setTimeout as sleep } from "node:timers/promises";

import type { RealtimeChannel, RealtimeOptions } from "./options.ts";
import { createPacer } from "./pacer.ts";

/** Minimum milliseconds between two events of the same name whose data can be merged. */
const totalsPause = 100;
/** Minimum milliseconds between two events of the same name without data, which make pages refetch. */
const refetchPause = 1000;

/**
 * Functions that deliver events to subscribers and know the newest version of each channel: a
 * number that rises with every change of the channel's data.
 */
export interface Broadcasts {
  /**
   * Sends an event to all subscribers of the channel. Skips an event whose `version` is not newer
   * than that of the last event with the same name and channel.
   */
  deliver(event: string, channel: string, data: object): void;
  /**
   * Returns the newest version of a channel, which was read from the database or sent in an event;
   * `undefined` if the channel has no versions, or the database is down.
   */
  versionOf(channel: RealtimeChannel): Promise<number | undefined>;
  /**
   * Reads the state of every channel, and sends it as an event if subscribers may have missed it.
   * Waits `waitMs` between reading and sending, because a more detailed event about the same change
   * may be in flight.
   */
  resync(waitMs?: number): Promise<void>;
  /** Sends the events that were held back because they followed the previous event too soon. */
  sendWaiting(): void;
}

export function createBroadcasts(parts: {
  channels: readonly RealtimeChannel[];
  send: (event: string, channel: string, data: object) => void;
  /** Resolves when the sent events have been written. */
  flushed: () => Promise<void>;
  log: RealtimeOptions["log"];
}): Broadcasts {
  const { channels, log } = parts;
  const pacer = createPacer(parts);
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
    const merge = channels.find(({ name }) => name === channel)?.merge;
    // An event without data only makes pages refetch, so several events of the same name are merged
    // into one.
    if (Object.keys(data).length === 0) pacer.send({ event, channel, data }, refetchPause, (_, later) => later);
    else if (merge && version !== undefined)
      pacer.send({ event, channel, data }, totalsPause, (earlier, later) => merge(event, earlier, later));
    else {
      // First sends the events of this channel that are held back, to keep the order: a milestone
      // must arrive after the total of the beer that reached it.
      pacer.sendWaiting(channel);
      parts.send(event, channel, data);
    }
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

  // Sends the state at the start, because subscribers of a hosted service may have missed changes
  // when the previous server process crashed. The embedded server has no subscribers yet.
  void resync();

  return {
    deliver,
    versionOf: async (channel) => {
      const version = await read(channel);
      // Includes the versions of events that were sent during the read, because the client that is
      // subscribing did not get these events.
      return version === undefined ? undefined : Math.max(version, newest.get(channel.name) ?? version);
    },
    resync,
    sendWaiting: () => pacer.sendWaiting(),
  };
}

function versionIn(data: object): number | undefined {
  return "version" in data && typeof data.version === "number" ? data.version : undefined;
}
