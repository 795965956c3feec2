import { seconds } from "#server/time.ts";
import { versionIn } from "./broadcasts.ts";
import type { Failure } from "./hosted-api.ts";
import type { RealtimeOptions } from "./options.ts";

/** Limit of one call of a Pusher-compatible service. */
const maxBatch = 10;
/** Beyond this limit, the oldest events are dropped. */
const maxQueued = 1_000;
/** Pause before a failed call is retried; doubles from `first` up to `longest`. */
const retryPause = { first: seconds(0.5), longest: seconds(10) };

/** These refuse the content of a call: malformed and too large. After others, the same call can succeed later. */
const refusals = new Set<number | null>([400, 413]);

export interface QueuedEvent {
  readonly name: string;
  readonly channel: string;
  readonly data: object;
}

interface Waiting extends QueuedEvent {
  readonly version: number | undefined;
}

export interface EventQueueListener {
  /** Called when the service accepts events again after a failure. */
  onRecovered(): void;
  /** Called when the service refuses an event for its content. */
  onRefused(): void;
}

/**
 * Posts events in order, in batches, one call at a time. While a call is in flight or waits for a retry, a newer
 * version replaces a queued older one at its place.
 */
export function createEventQueue(parts: {
  /** The service accepts all events of a batch or none. Resolves to `null` if it did. */
  post: (batch: readonly QueuedEvent[]) => Promise<Failure | null>;
  log: RealtimeOptions["log"];
  firstPause?: number | undefined;
}) {
  const { post, log, firstPause = retryPause.first } = parts;
  const queue: Waiting[] = [];
  /** Number of events at the start of the queue whose call is in flight. */
  let inFlight = 0;
  let batchSize = maxBatch;
  let sending: Promise<void> | null = null;
  let pause = firstPause;
  /** Ends the pause before a retry. */
  let endPause: (() => void) | null = null;
  /** `null` if the service has accepted events since the last failure. */
  let lastReason: string | null = null;
  let listener: EventQueueListener = { onRecovered() {}, onRefused() {} };
  let isClosed = false;

  function add(event: QueuedEvent): void {
    const waiting = { ...event, version: versionIn(event.data) };
    const equal =
      waiting.version === undefined
        ? -1
        : queue.findIndex((other, index) => index >= inFlight && isEqual(other, waiting));
    if (equal >= 0) {
      if (queue[equal]!.version! < waiting.version!) queue[equal] = waiting;
      return;
    }
    if (queue.length >= maxQueued) dropOldest();
    queue.push(waiting);
    sending ??= sendAll().finally(() => (sending = null));
  }

  function dropOldest(): void {
    queue.splice(inFlight, 1);
    if (lastReason === null) noteFailure(`REALTIME_URL: the service is too slow for ${maxQueued} events.`);
  }

  function noteFailure(reason: string): void {
    if (reason !== lastReason) log.warn("realtime-service-failed", { reason });
    lastReason = reason;
  }

  function canSend(): boolean {
    return queue.length > 0 && !isClosed;
  }

  async function sendAll(): Promise<void> {
    while (canSend()) {
      const batch = queue.slice(0, batchSize);
      inFlight = batch.length;
      const failure = await post(batch.map(({ name, channel, data }) => ({ name, channel, data })));
      inFlight = 0;
      if (failure && !refusals.has(failure.status)) await pauseAfter(failure);
      else handleAnswer(batch, failure);
    }
  }

  function handleAnswer(batch: readonly Waiting[], refusal: Failure | null): void {
    pause = firstPause;
    if (!refusal) {
      queue.splice(0, batch.length);
      batchSize = Math.min(2 * batchSize, maxBatch);
    } else if (batch.length > 1) {
      // Splits the batch until the refused event is alone.
      batchSize = Math.ceil(batch.length / 2);
      return;
    } else {
      const [event] = queue.splice(0, 1);
      log.warn("realtime-event-refused", { event: event!.name, channel: event!.channel, reason: refusal.reason });
      listener.onRefused();
    }
    if (lastReason === null) return;
    lastReason = null;
    log.info("realtime-service-recovered");
    listener.onRecovered();
  }

  async function pauseAfter({ reason, retryAfter }: Failure): Promise<void> {
    noteFailure(reason);
    const wait = Math.max(pause, retryAfter);
    pause = Math.min(2 * pause, retryPause.longest);
    await new Promise<void>((resolve) => {
      endPause = resolve;
      setTimeout(resolve, wait).unref();
    });
    endPause = null;
  }

  return {
    /** Drops a version that is not newer than a queued one. */
    add,
    listen: (to: EventQueueListener): void => void (listener = to),
    whenEmpty: () => sending ?? Promise.resolve(),
    /** Retries a failed call at once. */
    hurry: (): void => endPause?.(),
    /** Queued events are lost. */
    close(): void {
      isClosed = true;
      endPause?.();
    },
  };
}

function isEqual(one: Waiting, other: Waiting): boolean {
  return one.name === other.name && one.channel === other.channel && one.version !== undefined;
}
