interface PacedEvent {
  readonly event: string;
  readonly channel: string;
  readonly data: object;
}

type Merge = (earlier: object, later: object) => object;

/**
 * Sends an event at once. Further events of the same channel and name are merged until `pause` ms have passed and the
 * first event has been written.
 */
export function createPacer({
  send,
  flushed = () => Promise.resolve(),
}: {
  send: (event: string, channel: string, data: object) => void;
  flushed?: (() => Promise<void>) | undefined;
}) {
  /** By channel and name. `waiting`: data of the next event. */
  const recent = new Map<string, { paced: PacedEvent; waiting: object | null }>();

  function sendNow(key: string, { event, channel }: PacedEvent, data: object, pause: number): void {
    const paced = { event, channel, data };
    recent.set(key, { paced, waiting: null });
    send(event, channel, data);
    setTimeout(() => void flushed().then(() => sendNext(key, pause)), pause).unref();
  }

  function sendNext(key: string, pause: number): void {
    const last = recent.get(key);
    if (!last) return;
    if (last.waiting) sendNow(key, last.paced, last.waiting, pause);
    else recent.delete(key);
  }

  return {
    send(paced: PacedEvent, pause: number, merge: Merge): void {
      const key = `${paced.channel} ${paced.event}`;
      const last = recent.get(key);
      if (!last) sendNow(key, paced, paced.data, pause);
      else last.waiting = last.waiting ? merge(last.waiting, paced.data) : paced.data;
    },
    /** Without `channel`, those of all channels. */
    sendWaiting(channel?: string): void {
      for (const last of recent.values()) {
        if (!last.waiting || (channel ?? last.paced.channel) !== last.paced.channel) continue;
        send(last.paced.event, last.paced.channel, last.waiting);
        last.waiting = null;
      }
    },
  };
}
