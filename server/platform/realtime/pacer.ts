interface PacedEvent {
  readonly event: string;
  readonly channel: string;
  readonly data: object;
}

type Merge = (earlier: object, later: object) => object;

/**
 * Creates a sender that sends an event at once, and merges equal events that follow too early into
 * one. It is sent when `pause` milliseconds are over and the previous event has been written, so
 * that a slow machine sends fewer events instead of queueing them.
 */
export function createPacer(parts: {
  send: (event: string, channel: string, data: object) => void;
  flushed: () => Promise<void>;
}) {
  /** Events that were sent recently, with the data that waits; `null` if none does. */
  const recent = new Map<string, { paced: PacedEvent; waiting: object | null }>();

  function sendNow(key: string, { event, channel }: PacedEvent, data: object, pause: number): void {
    const paced = { event, channel, data };
    recent.set(key, { paced, waiting: null });
    parts.send(event, channel, data);
    setTimeout(() => void parts.flushed().then(() => sendNext(key, pause)), pause).unref();
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
    /** Sends the events of this channel, or of all channels, that wait. */
    sendWaiting(channel?: string): void {
      for (const last of recent.values()) {
        if (!last.waiting || (channel ?? last.paced.channel) !== last.paced.channel) continue;
        parts.send(last.paced.event, last.paced.channel, last.waiting);
        last.waiting = null;
      }
    },
  };
}
