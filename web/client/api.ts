import { getCsrfCookie } from "#contract/auth.ts";
import type { Endpoint, InputOf, ParamsOf, ReplyOf } from "#contract/endpoint.ts";
import { unavailableText, type ErrorBody, type FieldErrors } from "#contract/errors.ts";
import { readCsrfToken, syncCsrfMeta } from "./csrf.ts";
import { createStore } from "./store.ts";

const noConnection = "Keine Verbindung zum Server. Bitte versuche es gleich nochmal.";
export const somethingFailed = "Es ist ein Fehler aufgetreten.";

/** `status` is 0 if no answer of the server arrived; `message` is a German sentence for the screen. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: FieldErrors;

  constructor(status: number, message: string, errors: FieldErrors = {}, cause?: unknown) {
    super(message, { cause });
    this.name = "ApiError";
    this.status = status;
    this.errors = errors;
  }
}

export interface CallOptions<E> {
  readonly params?: ParamsOf<E>;
  readonly body?: InputOf<E> | FormData;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** `false` after a request that did not reach the server, `true` again after the server's next answer. */
export const reachable = createStore(true);

/** Calls an endpoint and validates its reply. Throws an ApiError for refusals and network failures. */
export async function call<E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<ReplyOf<E>> {
  return (await callWithHeaders(endpoint, options)).reply;
}

export async function callWithHeaders<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<{ reply: ReplyOf<E>; headers: Headers }> {
  const response = await fetchAnswer(endpoint, options);
  return { reply: await readReply(endpoint, response), headers: response.headers };
}

/** Calls an endpoint whose reply is a file. */
export async function callForFile<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Blob> {
  const response = await fetchAnswer(endpoint, options);
  return response.blob().catch((cause: unknown) => {
    throw new ApiError(0, noConnection, {}, cause);
  });
}

async function fetchAnswer<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Response> {
  const { signal } = options;
  if (endpoint.method !== "GET") await csrfCookie;
  let response = await send(endpoint, options);
  if (response.status === 419) {
    await send(getCsrfCookie, signal ? { signal } : {});
    response = await send(endpoint, options);
  }
  // The member must first confirm the change, which the page does in a separate call.
  if (response.status === 423 && (await listeners.confirm(await needsPasskey(response))))
    response = await send(endpoint, options);
  if (!response.ok) throw await parseError(response);
  return response;
}

/** Treats a reply that violates the contract as a lost connection: it was cut off or comes from a captive portal. */
async function readReply<E extends Endpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> {
  try {
    return endpoint.reply?.parse(await response.json()) as ReplyOf<E>;
  } catch (cause) {
    throw new ApiError(0, noConnection, {}, cause);
  }
}

async function needsPasskey(response: Response): Promise<boolean> {
  const body: Partial<ErrorBody> | null = await response
    .clone()
    .json()
    .catch(() => null);
  return body?.code === "passkeyRequired";
}

interface ApiListeners {
  /** Opens the dialog for the password or a passkey; resolves to `true` once the member has confirmed. */
  confirm(needsPasskey: boolean): Promise<boolean>;
  /** Called after every 401 or 403: the session or its permissions may have changed. */
  onAccessRefused(): void;
}

let listeners: ApiListeners = { confirm: async () => false, onAccessRefused() {} };

export function listenToApi(given: ApiListeners): void {
  listeners = given;
}

export const sessionTimeoutMs = 5000;
let csrfCookie: Promise<unknown> = Promise.resolve();

/**
 * Requests the cookie with the CSRF token, which starts a visitor's session. Calls that change data wait for it,
 * because an answer after a login would replace that login's session. Never rejects.
 */
export function requestCsrfCookie(): Promise<unknown> {
  csrfCookie = send(getCsrfCookie, { signal: AbortSignal.timeout(sessionTimeoutMs) }).catch(() => undefined);
  return csrfCookie;
}

async function send<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Response> {
  const { body } = options;
  const isJson = body !== undefined && !(body instanceof FormData);
  const init: RequestInit = {
    method: endpoint.method,
    credentials: "include",
    headers: {
      Accept: "application/json",
      "X-Requested-With": "XMLHttpRequest",
      ...(endpoint.method === "GET" ? {} : { "X-XSRF-TOKEN": await readCsrfToken() }),
      ...(isJson ? { "Content-Type": "application/json" } : {}),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  try {
    const response = await fetch(buildUrl(endpoint, options), init);
    reachable.set(true);
    syncCsrfMeta();
    return response;
  } catch (error) {
    const { aborted = false, reason } = options.signal ?? {};
    // A call aborted by the page does not show that the server is unreachable, but a timeout does.
    if (!aborted || (reason as Error).name === "TimeoutError") reachable.set(false);
    throw aborted ? error : new ApiError(0, noConnection);
  }
}

function buildUrl<E extends Endpoint>(endpoint: E, options: CallOptions<E>): string {
  const params = (options.params ?? {}) as Record<string, string | number>;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return options.query === undefined ? path : `${path}?${new URLSearchParams(options.query)}`;
}

async function parseError(response: Response): Promise<ApiError> {
  if (response.status === 401 || response.status === 403) listeners.onAccessRefused();
  const fallback = response.status >= 502 ? unavailableText : somethingFailed;
  // A proxy in front of the server may answer with an HTML page instead of JSON.
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null);
  return new ApiError(response.status, body?.message || fallback, body?.errors ?? {});
}
