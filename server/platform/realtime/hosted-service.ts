import { minutes, seconds } from "#server/time.ts";
import { createEventQueue } from "./event-queue.ts";
import { createHostedApi, type HostedApiOptions } from "./hosted-api.ts";
import type { RealtimeOptions } from "./options.ts";
import { isRecord, parseJson } from "./protocol.ts";

/** Statuses after which the same request to end sockets cannot succeed: malformed and unknown. */
const refusals = new Set<number | null>([400, 404]);

/** Attempts to end a member's sockets before the pause. */
const attempts = 2;
/**
 * Delays before a failed request to end sockets is retried, in milliseconds. The delay doubles from
 * `first` up to `longest`.
 */
const endAgainAfter = { first: seconds(2), longest: minutes(1) };

export interface HostedServiceOptions extends HostedApiOptions, Pick<RealtimeOptions, "log"> {
  /** Milliseconds before the first retry of a failed call with events. */
  readonly retryAfterMs?: number;
  /** Milliseconds before the first retry of a request to end sockets. */
  readonly endAgainAfterMs?: number;
}

export type HostedService = ReturnType<typeof createHostedService>;

/**
 * Creates the client for the HTTP API of a hosted or self-hosted Pusher-compatible service. Calls
 * never reject; failures are logged.
 */
export function createHostedService(options: HostedServiceOptions) {
  const { log } = options;
  const api = createHostedApi(options);
  const events = createEventQueue({
    post: async (batch) =>
      api.post("/batch_events", { batch: batch.map((event) => ({ ...event, data: JSON.stringify(event.data) })) }),
    log,
    firstPause: options.retryAfterMs,
  });
  /** Ids of the members whose sockets must be ended. */
  const toEnd = new Set<number>();
  let ending: Promise<void> | null = null;
  const firstPause = options.endAgainAfterMs ?? endAgainAfter.first;
  let pause = firstPause;
  let pauseTimer: NodeJS.Timeout | undefined;

  /**
   * Asks the service to end the member's sockets. Bypasses the queue of events and retries until
   * the service answers, because a member without access must not receive events.
   */
  function terminateConnections(userId: number): void {
    toEnd.add(userId);
    startEnding();
  }

  function startEnding(): void {
    ending ??= endAll();
  }

  async function endAll(): Promise<void> {
    clearTimeout(pauseTimer);
    for (const userId of toEnd) {
      // Removes the id before the call, because an access change during the call needs another
      // call.
      toEnd.delete(userId);
      const isOver = await endSockets(userId);
      if (!isOver) {
        toEnd.add(userId);
        pauseTimer = setTimeout(startEnding, pause).unref();
        pause = Math.min(2 * pause, endAgainAfter.longest);
        break;
      }
      pause = firstPause;
    }
    ending = null;
  }

  /**
   * Returns `true` if the service accepted or refused to end the member's sockets; `false` if a
   * later retry may succeed.
   */
  async function endSockets(userId: number): Promise<boolean> {
    const path = `/users/${userId}/terminate_connections`;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const failure = await api.post(path, {});
      if (!failure) return true;
      log.warn("sockets-not-ended", { userId, attempt, reason: failure.reason });
      if (refusals.has(failure.status)) return true;
    }
    return false;
  }

  /**
   * Returns the number of subscriptions of a channel; `null` if the service does not tell it.
   * Pusher tells it only if the app's option for it is switched on.
   */
  async function countSubscriptions(channel: string): Promise<number | null> {
    const answer = await api.get(`/channels/${channel}`, "info=subscription_count");
    if (answer.failure) return null;
    const info = parseJson(answer.text);
    const count = isRecord(info) ? info["subscription_count"] : null;
    return typeof count === "number" ? count : null;
  }

  return {
    publish: (name: string, channel: string, data: object): void => events.add({ name, channel, data }),
    /** Ends all sockets on which the member signed in, as soon as the hosted service answers. */
    terminateConnections,
    countSubscriptions,
    listen: events.listen,
    /** Resolves when no event is waiting any more. */
    whenPublished: events.whenEmpty,
    /**
     * Resolves when all calls were sent, or the service did not answer a request to end sockets.
     * Sends waiting retries immediately.
     */
    async whenSent(): Promise<void> {
      if (toEnd.size > 0) startEnding();
      events.hurry();
      await Promise.all([events.whenEmpty(), ending]);
    },
    /** Ends all retries. */
    close(): void {
      events.close();
      clearTimeout(pauseTimer);
    },
  };
}
