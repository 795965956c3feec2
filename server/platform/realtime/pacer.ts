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

  function sendNow(key: string, { event, channel }: PacedEvent, data: object, pause: number, dueAt: number): void {
    const paced = { event, channel, data };
    recent.set(key, { paced, waiting: null });
    send(event, channel, data);
    const now = performance.now();
    // A late timer must not delay all later events as well: at ten beers a second, they would wait ever longer.
    const nextAt = Math.max(dueAt + pause, now + pause / 2);
    setTimeout(() => void flushed().then(() => sendNext(key, pause, nextAt)), nextAt - now).unref();
  }

  function sendNext(key: string, pause: number, dueAt: number): void {
    const last = recent.get(key);
    if (!last) return;
    if (last.waiting) sendNow(key, last.paced, last.waiting, pause, dueAt);
    else recent.delete(key);
  }

  return {
    send(paced: PacedEvent, pause: number, merge: Merge): void {
      const key = `${paced.channel} ${paced.event}`;
      const last = recent.get(key);
      if (!last) sendNow(key, paced, paced.data, pause, performance.now());
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
