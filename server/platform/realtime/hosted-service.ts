import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import type { RealtimeOptions } from "./options.ts";
import { signedQuery } from "./signatures.ts";

/** Calls that wait for a slow service; beyond it the oldest are dropped, and pages read the state when they reconnect. */
const maxWaiting = 1_000;
const attempts = 2;

export interface HostedServiceOptions extends Pick<RealtimeOptions, "key" | "secret" | "log"> {
  readonly appId: string;
  readonly clock: Clock;
  /** Origin of the service's HTTP API, e.g. `https://api-eu.pusher.com`. */
  readonly origin: string;
  readonly timeoutMs?: number;
}

export type HostedService = ReturnType<typeof createHostedService>;

/** The HTTP API of a hosted or self-hosted Pusher-compatible service. Calls never fail; they are logged where they do. */
export function createHostedService(options: HostedServiceOptions) {
  const { log } = options;
  const waiting: { path: string; body: string }[] = [];
  let sending: Promise<void> | null = null;

  function enqueue(path: string, body: object): void {
    if (waiting.length >= maxWaiting) waiting.shift();
    waiting.push({ path: `/apps/${options.appId}${path}`, body: JSON.stringify(body) });
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  }

  /** One call after the other, so that events arrive in order. */
  async function sendAll(): Promise<void> {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const failure = await post(call.path, call.body);
        if (!failure) break;
        log.warn("realtime-service-failed", { path: call.path, attempt, reason: failure.reason });
        if (failure.isRefusal) break;
      }
    }
  }

  /** Null: it was accepted. */
  async function post(path: string, body: string): Promise<{ isRefusal: boolean; reason: string } | null> {
    const timestamp = Math.floor(options.clock.now() / 1000);
    const query = signedQuery(options, { method: "POST", path, body, seconds: timestamp });
    const url = `${options.origin}${path}?${query}`;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(options.timeoutMs ?? seconds(3)),
      });
      await response.body?.cancel();
      if (response.ok) return null;
      const { status } = response;
      const hint = status === 401 ? ": the key, the secret or this machine's clock is wrong" : "";
      return { isRefusal: status < 500, reason: `REALTIME_URL: the service answers ${status}${hint}.` };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return { isRefusal: false, reason: `REALTIME_URL: the service does not answer (${cause?.code ?? name}).` };
    }
  }

  return {
    publish: (name: string, channel: string, data: object) =>
      enqueue("/events", { name, channel, data: JSON.stringify(data) }),
    /** Ends all sockets of the member that signed in. */
    terminateConnections: (userId: number) => enqueue(`/users/${userId}/terminate_connections`, {}),
    /** Resolves when everything was sent or given up. */
    whenSent: () => sending ?? Promise.resolve(),
  };
}
