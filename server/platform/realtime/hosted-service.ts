import type { Db } from "#server/db/connect.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import { errorFields } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import { createEventQueue } from "./event-queue.ts";
import { createHostedApi, type HostedApiOptions } from "./hosted-api.ts";
import type { RealtimeOptions } from "./options.ts";
import { isRecord, parseJson } from "./protocol.ts";
import * as store from "./store.ts";

/** Malformed and unknown: the same request to end sockets cannot succeed. */
const refusals = new Set<number | null>([400, 404]);

/** Attempts to end a member's sockets before the pause. */
const attempts = 2;
/** Pause before a failed request to end sockets is retried; doubles from `first` up to `longest`. */
const endAgainAfter = { first: seconds(2), longest: minutes(1) };

export interface HostedServiceOptions extends HostedApiOptions, Pick<RealtimeOptions, "log"> {
  readonly db: Db;
  /** Pause before the first retry of a call with events. */
  readonly retryAfterMs?: number;
  /** Pause before the first retry of a request to end sockets. */
  readonly endAgainAfterMs?: number;
}

export type HostedService = ReturnType<typeof createHostedService>;

/** Calls never reject; failures are logged. */
export function createHostedService(options: HostedServiceOptions) {
  const { db, log } = options;
  const api = createHostedApi(options);
  const events = createEventQueue({
    post: async (batch) =>
      api.post("/batch_events", { batch: batch.map((event) => ({ ...event, data: JSON.stringify(event.data) })) }),
    log,
    firstPause: options.retryAfterMs,
  });
  /** Ids of the stored requests to end sockets, by member. */
  const toEnd = new Map<number, Set<number>>();
  let ending: Promise<void> | null = null;
  const firstPause = options.endAgainAfterMs ?? endAgainAfter.first;
  let pause = firstPause;
  let pauseTimer: NodeJS.Timeout | undefined;

  /**
   * Bypasses the queue of events and retries until the service answers, because a member without access must not
   * receive events. The request is stored in `tx`, so that it is not lost if the server stops before the answer.
   */
  async function terminateConnections(tx: Db, userId: number): Promise<void> {
    const request = await store.createSocketEnd(tx, userId);
    await afterCommit(tx, () => end(userId, request));
  }

  /** An instance may have been killed before it finished a request. */
  async function terminatePending(): Promise<void> {
    for (const { id, user_id } of await store.listSocketEnds(db)) end(user_id, id);
  }

  function end(userId: number, request: number): void {
    toEnd.set(userId, new Set([...(toEnd.get(userId) ?? []), request]));
    startEnding();
  }

  function startEnding(): void {
    ending ??= endAll();
  }

  async function endAll(): Promise<void> {
    clearTimeout(pauseTimer);
    for (const [userId, requests] of toEnd) {
      // Removed before the call, because an access change during the call needs another call.
      toEnd.delete(userId);
      const isOver = await endSockets(userId);
      if (isOver) await forget([...requests]);
      else {
        toEnd.set(userId, new Set([...requests, ...(toEnd.get(userId) ?? [])]));
        pauseTimer = setTimeout(startEnding, pause).unref();
        pause = Math.min(2 * pause, endAgainAfter.longest);
        break;
      }
      pause = firstPause;
    }
    ending = null;
  }

  /** If the database is down, the requests remain and are sent again, which does no harm. */
  async function forget(requests: readonly number[]): Promise<void> {
    await store
      .deleteSocketEnds(db, requests)
      .catch((error: unknown) => log.warn("socket-ends-not-deleted", errorFields(error)));
  }

  /** `false` if a later retry may succeed. */
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

  /** `null` if the service does not tell it. Pusher does only if the app's option for it is switched on. */
  async function countSubscriptions(channel: string): Promise<number | null> {
    const answer = await api.get(`/channels/${channel}`, "info=subscription_count");
    if (answer.failure) return null;
    const info = parseJson(answer.text);
    const count = isRecord(info) ? info["subscription_count"] : null;
    return typeof count === "number" ? count : null;
  }

  return {
    publish: (name: string, channel: string, data: object): void => events.add({ name, channel, data }),
    terminateConnections,
    terminatePending,
    countSubscriptions,
    listen: events.listen,
    whenPublished: events.whenEmpty,
    /** Sends waiting retries at once. Resolves when all calls were sent, or a request to end sockets got no answer. */
    async whenSent(): Promise<void> {
      if (toEnd.size > 0) startEnding();
      events.hurry();
      await Promise.all([events.whenEmpty(), ending]);
    },
    close(): void {
      events.close();
      clearTimeout(pauseTimer);
    },
  };
}
