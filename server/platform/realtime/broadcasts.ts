import type { Fanout } from "./fanout.ts";
import type { RealtimeChannel, RealtimeOptions } from "./options.ts";
import { encodeFrame } from "./protocol.ts";

/** What goes out on a channel, and which state of it went out last. */
export interface Broadcasts {
  /** To everybody here who joined; a `version` that is not newer than the last one of the same event stays in. */
  deliver(event: string, channel: string, data: object): void;
  versionOf(channel: RealtimeChannel): Promise<number | undefined>;
  /** Reads the state of every channel and tells where it went on without us. */
  resync(): Promise<void>;
}

export function createBroadcasts(parts: {
  channels: readonly RealtimeChannel[];
  fanout: Fanout;
  log: RealtimeOptions["log"];
}): Broadcasts {
  const { channels, fanout, log } = parts;
  /** Versions at the start: what was then is no news. */
  const initial = new Map<string, number>();
  const newest = new Map<string, number>();
  const lastOfEvent = new Map<string, number>();
  const reads = new Map<string, Promise<number | undefined>>();

  for (const channel of channels) {
    void read(channel).then((version) => {
      if (version !== undefined) initial.set(channel.name, version);
    });
  }

  function read(channel: RealtimeChannel): Promise<number | undefined> {
    const running = reads.get(channel.name);
    if (running) return running;
    const started = readNow(channel).finally(() => reads.delete(channel.name));
    reads.set(channel.name, started);
    return started;
  }

  /** Undefined also when the database is down: whoever joins then reads the state instead. */
  async function readNow(channel: RealtimeChannel): Promise<number | undefined> {
    try {
      return await channel.version?.();
    } catch (error) {
      log.warn("channel-version-unknown", { channel: channel.name, error: String(error) });
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
    fanout.send({ channel, event, frame: encodeFrame(event, data, channel) });
  }

  async function resyncOne(channel: RealtimeChannel): Promise<void> {
    try {
      const missed = await channel.resync?.();
      if (!missed) return;
      const version = versionIn(missed.data);
      const last = lastOfEvent.get(`${channel.name} ${missed.event}`) ?? initial.get(channel.name);
      if (version === undefined || last === undefined || version > last)
        deliver(missed.event, channel.name, missed.data);
    } catch (error) {
      log.warn("resync-failed", { channel: channel.name, error: String(error) });
    }
  }

  return {
    deliver,
    versionOf: async (channel) => {
      const version = await read(channel);
      // An event that went out while we read was not for the one who is joining.
      return version === undefined ? undefined : Math.max(version, newest.get(channel.name) ?? version);
    },
    resync: async () => {
      await Promise.all(channels.map(resyncOne));
    },
  };
}

function versionIn(data: object): number | undefined {
  return "version" in data && typeof data.version === "number" ? data.version : undefined;
}
