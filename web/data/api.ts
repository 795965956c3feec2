import { getCsrfCookie } from "#contract/auth.ts";
import type { Endpoint, InputOf, ParamsOf, ReplyOf } from "#contract/endpoint.ts";
import { unavailableText, type ErrorBody, type FieldErrors } from "#contract/errors.ts";
import { csrfToken, syncCsrfMeta } from "./csrf.ts";
import { reportReachability } from "./reachability.ts";

const noConnection = "Keine Verbindung zum Server. Bitte versuche es gleich nochmal.";
/** The sentence shown for errors without a message of the server. */
export const somethingFailed = "Es ist ein Fehler aufgetreten.";

/**
 * Error of a failed call. `status` is 0 if no answer of the server arrived; `message` is a German
 * sentence for the screen.
 */
export class ApiError extends Error {
  readonly status: number;
  /** German sentences by field name; empty if the error is not about fields. */
  readonly errors: FieldErrors;

  constructor(status: number, message: string, errors: FieldErrors = {}, cause?: unknown) {
    super(message, { cause });
    this.name = "ApiError";
    this.status = status;
    this.errors = errors;
  }
}

export interface CallOptions<E> {
  /** Values for the `:name` placeholders of the path. */
  params?: ParamsOf<E>;
  /** A JSON body, or a form with files. */
  body?: InputOf<E> | FormData;
  /** Query parameters, e.g. `{ year: "2026" }`. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Calls an endpoint and validates its reply against the contract. Throws an ApiError for refusals
 * and for network failures.
 */
export async function call<E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<ReplyOf<E>> {
  return (await callWithHeaders(endpoint, options)).reply;
}

/** Calls an endpoint like `call`, and also returns the response headers. */
export async function callWithHeaders<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<{ reply: ReplyOf<E>; headers: Headers }> {
  const { signal } = options;
  if (endpoint.method !== "GET") await csrfCookie;
  let response = await send(endpoint, options);
  if (response.status === 419) {
    await send(getCsrfCookie, signal ? { signal } : {});
    response = await send(endpoint, options);
  }
  // Status 423 means that the member must confirm the change with the password or a passkey. The
  // dialog confirms in a separate call; then this call is retried.
  if (response.status === 423 && (await requestConfirmation(await needsPasskey(response))))
    response = await send(endpoint, options);
  if (!response.ok) throw await parseError(response);
  return { reply: await readReply(endpoint, response), headers: response.headers };
}

/**
 * Parses the reply. A reply that violates the contract was cut off or comes from a captive portal,
 * and therefore counts as a lost connection.
 */
async function readReply<E extends Endpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> {
  try {
    return endpoint.reply?.parse(await response.json()) as ReplyOf<E>;
  } catch (cause) {
    throw new ApiError(0, noConnection, {}, cause);
  }
}

/** Returns `true` if the member must confirm with a passkey, because the password is not enough. */
async function needsPasskey(response: Response): Promise<boolean> {
  const body: Partial<ErrorBody> | null = await response
    .clone()
    .json()
    .catch(() => null);
  return body?.code === "passkeyRequired";
}

type Ask = (needsPasskey: boolean) => Promise<boolean>;
const confirmation = Promise.withResolvers<Ask>();

/**
 * Registers `ask`, which opens the confirmation dialog when the server answers a call with 423, and
 * resolves to `true` once the member has confirmed. Calls answered with 423 wait until `ask` is
 * registered.
 */
export function onConfirmationNeeded(ask: Ask): void {
  confirmation.resolve(ask);
}

async function requestConfirmation(isPasskeyNeeded: boolean): Promise<boolean> {
  const ask = await confirmation.promise;
  return ask(isPasskeyNeeded);
}

/** The pending request of `requestCsrfCookie`. */
let csrfCookie: Promise<unknown> = Promise.resolve();

/**
 * Requests the cookie with the CSRF token. Calls that change data wait for the answer, because for
 * a visitor without a login the answer starts a new session, which would end the session of a login
 * in flight. A lost answer is harmless, because refused calls request the cookie again.
 */
export function requestCsrfCookie(signal: AbortSignal): void {
  csrfCookie = send(getCsrfCookie, { signal }).catch(() => undefined);
}

/** Calls `listener` after every 401 or 403, because the session or its permissions may have changed. */
export function onRefusedAccess(listener: () => void): void {
  refusedAccess = listener;
}

let refusedAccess = (): void => {};

async function send<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Response> {
  const { body } = options;
  const isJson = body !== undefined && !(body instanceof FormData);
  const init: RequestInit = {
    method: endpoint.method,
    credentials: "include",
    headers: {
      Accept: "application/json",
      "X-Requested-With": "XMLHttpRequest",
      ...(endpoint.method === "GET" ? {} : { "X-XSRF-TOKEN": csrfToken() }),
      ...(isJson ? { "Content-Type": "application/json" } : {}),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  try {
    const response = await fetch(buildUrl(endpoint, options), init);
    reportReachability(true);
    syncCsrfMeta();
    return response;
  } catch (error) {
    const { aborted = false, reason } = options.signal ?? {};
    // A call aborted by the page does not show that the server is unreachable, but a timeout does.
    if (!aborted || (reason as Error).name === "TimeoutError") reportReachability(false);
    throw aborted ? error : new ApiError(0, noConnection);
  }
}

function buildUrl<E extends Endpoint>(endpoint: E, options: CallOptions<E>): string {
  const params = (options.params ?? {}) as Record<string, string | number>;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return options.query === undefined ? path : `${path}?${new URLSearchParams(options.query)}`;
}

async function parseError(response: Response): Promise<ApiError> {
  if (response.status === 401 || response.status === 403) refusedAccess();
  const fallback = response.status >= 502 ? unavailableText : somethingFailed;
  // A proxy in front of the server answers with an HTML page instead of JSON.
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null);
  return new ApiError(response.status, body?.message || fallback, body?.errors ?? {});
}
