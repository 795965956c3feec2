import type { Clock } from "#server/platform/clock.ts";
import { minutes, seconds } from "#server/time.ts";
import type { RealtimeOptions } from "./options.ts";
import { signedQuery } from "./signatures.ts";

/**
 * Maximum number of queued calls to the hosted service. Beyond it the oldest are dropped, and pages
 * read the state when they reconnect.
 */
const maxWaiting = 1_000;
const attempts = 2;
/**
 * Delays before a failed request to end sockets is retried, in milliseconds. The delay doubles from
 * `first` up to `longest`.
 */
const endAgainAfter = { first: seconds(2), longest: minutes(1) };

export interface HostedServiceOptions extends Pick<RealtimeOptions, "key" | "secret" | "log"> {
  readonly appId: string;
  readonly clock: Clock;
  /** Origin of the service's HTTP API, e.g. `https://api-eu.pusher.com`. */
  readonly origin: string;
  readonly timeoutMs?: number;
  /** Milliseconds before the first retry of a request to end sockets. */
  readonly endAgainAfterMs?: number;
}

interface Call {
  readonly path: string;
  readonly body: string;
}

export type HostedService = ReturnType<typeof createHostedService>;

/**
 * Creates the client for the HTTP API of a hosted or self-hosted Pusher-compatible service. Calls never reject; failures are
 * logged.
 */
export function createHostedService(options: HostedServiceOptions) {
  const { log } = options;
  const waiting: Call[] = [];
  let sending: Promise<void> | null = null;
  /** Ids of the members whose sockets must be ended. */
  const toEnd = new Set<number>();
  let ending: Promise<void> | null = null;
  const firstPause = options.endAgainAfterMs ?? endAgainAfter.first;
  let pause = firstPause;
  let pauseTimer: NodeJS.Timeout | undefined;

  function createCall(path: string, body: object): Call {
    return { path: `/apps/${options.appId}${path}`, body: JSON.stringify(body) };
  }

  function publish(name: string, channel: string, data: object): void {
    if (waiting.length >= maxWaiting) waiting.shift();
    waiting.push(createCall("/events", { name, channel, data: JSON.stringify(data) }));
    sending ??= sendAll();
  }

  /** Sends one call at a time, so that events arrive in order. */
  async function sendAll(): Promise<void> {
    for (let call = waiting.shift(); call; call = waiting.shift()) await send(call);
    sending = null;
  }

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
      const isOver = await send(createCall(`/users/${userId}/terminate_connections`, {}));
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
   * Returns `true` if the service accepted or refused the call; `false` if a later retry may
   * succeed.
   */
  async function send({ path, body }: Call): Promise<boolean> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const failure = await post(path, body);
      if (!failure) return true;
      log.warn("realtime-service-failed", { path, attempt, reason: failure.reason });
      if (failure.isRefusal) return true;
    }
    return false;
  }

  /**
   * Posts one call to the service. Returns `null` if the service accepted the call, otherwise the
   * failure.
   */
  async function post(path: string, body: string): Promise<{ isRefusal: boolean; reason: string } | null> {
    const timestamp = Math.floor(options.clock.now() / 1000);
    const query = signedQuery(options, { method: "POST", path, body, seconds: timestamp });
    const url = `${options.origin}${path}?${query}`;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(options.timeoutMs ?? seconds(3)),
      });
      await response.body?.cancel();
      if (response.ok) return null;
      const { status } = response;
      const hint = status === 401 ? ": the key, the secret or this machine's clock is wrong" : "";
      return {
        isRefusal: status < 500 && status !== 429,
        reason: `REALTIME_URL: the service answers ${status}${hint}.`,
      };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return { isRefusal: false, reason: `REALTIME_URL: the service does not answer (${cause?.code ?? name}).` };
    }
  }

  return {
    publish,
    /** Ends all sockets on which the member signed in, as soon as the hosted service answers. */
    terminateConnections,
    /**
     * Resolves when all calls were sent, or the service did not answer. Sends waiting retries
     * immediately.
     */
    async whenSent(): Promise<void> {
      if (toEnd.size > 0) startEnding();
      await Promise.all([sending, ending]);
    },
  };
}
