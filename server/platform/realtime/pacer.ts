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
    sendWaiting(): void {
      for (const { paced, waiting } of recent.values()) if (waiting) parts.send(paced.event, paced.channel, waiting);
      recent.clear();
    },
  };
}
