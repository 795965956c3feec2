import { setTimeout as sleep } from "node:timers/promises";

import type { RealtimeChannel, RealtimeOptions, VersionedState } from "./options.ts";
import { createPacer } from "./pacer.ts";

/** Minimum milliseconds between two events of the same name whose data can be merged. */
const totalsPause = 100;
/** Minimum milliseconds between two events of the same name without data, which make pages refetch. */
const refetchPause = 1000;

export interface Broadcasts {
  /** Skips an event whose `version` is not newer than that of the last event with the same name and channel. */
  deliver(event: string, channel: string, data: object): void;
  /**
   * For a new subscriber. Only the version if a newer event was sent during the read; nothing if the channel has no
   * state, or the database is down.
   */
  stateFor(channel: RealtimeChannel, userId: number): Promise<Partial<VersionedState>>;
  /**
   * Sends the state of every channel whose subscribers may have missed it. Waits `waitMs` after the read, because a
   * more detailed event about the same change may be in flight.
   */
  resync(waitMs?: number): Promise<void>;
  /** The sent versions may not have arrived: the next `resync` sends the state of every channel. */
  forget(): void;
  /** Events are held back if they follow the previous one too soon. */
  sendWaiting(): void;
}

export function createBroadcasts(parts: {
  channels: readonly RealtimeChannel[];
  send: (event: string, channel: string, data: object) => void;
  /** Resolves when a hosted service has accepted the sent events. */
  flushed?: () => Promise<void>;
  log: RealtimeOptions["log"];
}): Broadcasts {
  const { channels, log } = parts;
  const pacer = createPacer(parts);
  const newest = new Map<string, number>();
  const lastOfEvent = new Map<string, number>();

  async function stateFor(channel: RealtimeChannel, userId: number): Promise<Partial<VersionedState>> {
    try {
      const state = await channel.state?.(userId);
      if (!state) return {};
      // The client that is subscribing did not get the events that were sent during the read.
      const version = Math.max(state.version, newest.get(channel.name) ?? 0);
      return version === state.version ? state : { version };
    } catch (error) {
      log.warn("channel-state-failed", { channel: channel.name, error: String(error) });
      return {};
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
    // Without data, an event only makes pages refetch, so several of the same name are merged.
    if (Object.keys(data).length === 0) pacer.send({ event, channel, data }, refetchPause, (_, later) => later);
    else if (merge && version !== undefined)
      pacer.send({ event, channel, data }, totalsPause, (earlier, later) => merge(event, earlier, later));
    else {
      // Keeps the order: a milestone must arrive after the total of the beer that reached it.
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

  // Subscribers of a hosted service may have missed changes when the previous server process crashed.
  void resync();

  return {
    deliver,
    stateFor,
    resync,
    forget: () => lastOfEvent.clear(),
    sendWaiting: () => pacer.sendWaiting(),
  };
}

export function versionIn(data: object): number | undefined {
  return "version" in data && typeof data.version === "number" ? data.version : undefined;
}
