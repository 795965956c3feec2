import type { Clock } from "#server/platform/clock.ts";
import { minutes, seconds } from "#server/time.ts";
import { signedQuery } from "./signatures.ts";

export interface HostedApiOptions {
  readonly key: string;
  readonly secret: string;
  readonly appId: string;
  readonly clock: Clock;
  /** E.g. `https://api-eu.pusher.com`. */
  readonly origin: string;
  readonly timeoutMs?: number;
}

export interface Failure {
  readonly reason: string;
  /** `null` if the service did not answer. */
  readonly status: number | null;
  /** Minimum ms before a retry. */
  readonly retryAfter: number;
}

/** For a throttled call, unless the service names another time. */
const throttledPause = { usual: seconds(1), longest: minutes(5) };

/** Signs its calls, which never reject. */
export function createHostedApi(options: HostedApiOptions) {
  /** `path` begins after the app's own path. */
  async function call(
    path: string,
    request: { readonly body: string } | { readonly parameters: string },
  ): Promise<{ text: string; failure: null } | { failure: Failure }> {
    const fullPath = `/apps/${options.appId}${path}`;
    const method = "body" in request ? "POST" : "GET";
    const now = Math.floor(options.clock.now() / 1000);
    const query = signedQuery(options, { method, path: fullPath, ...request, seconds: now });
    try {
      const response = await fetch(`${options.origin}${fullPath}?${query}`, {
        method,
        ...("body" in request && { headers: { "Content-Type": "application/json" }, body: request.body }),
        redirect: "manual",
        signal: AbortSignal.timeout(options.timeoutMs ?? seconds(3)),
      });
      const text = await response.text();
      return response.ok ? { text, failure: null } : { failure: explainStatus(response) };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      const reason = `REALTIME_URL: the service does not answer (${cause?.code ?? name}).`;
      return { failure: { reason, status: null, retryAfter: 0 } };
    }
  }

  return {
    /** `null` if the service accepted the call. */
    post: async (path: string, body: object) => (await call(path, { body: JSON.stringify(body) })).failure,
    get: async (path: string, parameters: string) => call(path, { parameters }),
  };
}

function explainStatus({ status, headers }: Response): Failure {
  const hint = status === 401 ? ": the key, the secret or this machine's clock is wrong" : "";
  return {
    reason: `REALTIME_URL: the service answers ${status}${hint}.`,
    status,
    retryAfter: status === 429 || status === 503 ? readRetryAfter(headers, status === 429) : 0,
  };
}

function readRetryAfter(headers: Headers, isThrottled: boolean): number {
  const named = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(named)) return Math.min(seconds(Math.max(0, named)), throttledPause.longest);
  return isThrottled ? throttledPause.usual : 0;
}
