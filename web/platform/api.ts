import { getCsrfCookie } from "#contract/auth.ts";
import type { Endpoint, InputOf, ParamsOf, ReplyOf } from "#contract/endpoint.ts";
import { passkeyNeededText, unavailableText, type ErrorBody, type FieldErrors } from "#contract/errors.ts";
import { csrfToken, syncCsrfMeta } from "./csrf.ts";
import { reportReachability } from "./reachability.ts";

const noConnection = "Keine Verbindung zum Server. Bitte versuche es gleich nochmal.";
/** What a member reads who cannot be told more. */
export const somethingFailed = "Es ist ein Fehler aufgetreten.";

declare global {
  /** The answers that early.js has asked for, by path. */
  var earlyCalls: Record<string, Promise<Response>> | undefined;
}

/** A call that did not succeed. `status` 0: it never reached the server. `message` is a German sentence for the screen. */
export class ApiError extends Error {
  readonly status: number;
  /** Sentences by field, as the server sent them; empty for anything that is not about a field. */
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
  /** JSON, or a form with files. */
  body?: InputOf<E> | FormData;
  /** Appended to the address, e.g. `{ year: "2026" }`. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls one endpoint of the contract and checks its reply against it; throws ApiError, also when the network fails. */
export async function call<E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<ReplyOf<E>> {
  return (await callWithHeaders(endpoint, options)).reply;
}

/** The same, for answers that say something in their headers. */
export async function callWithHeaders<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<{ reply: ReplyOf<E>; headers: Headers }> {
  const { signal } = options;
  let response = await send(endpoint, options);
  if (response.status === 419) {
    await send(getCsrfCookie, signal ? { signal } : {});
    response = await send(endpoint, options);
  }
  // The password is confirmed by a call of its own; then this one is repeated.
  if (response.status === 423 && (await requestConfirmation(await needsPasskey(response))))
    response = await send(endpoint, options);
  if (!response.ok) throw await parseError(response);
  return { reply: await readReply(endpoint, response), headers: response.headers };
}

/** What is not in the contract was cut off on the way, or comes from somebody in between, say the login page of a hotspot. */
async function readReply<E extends Endpoint>(endpoint: E, response: Response): Promise<ReplyOf<E>> {
  try {
    return endpoint.reply?.parse(await response.json()) as ReplyOf<E>;
  } catch (cause) {
    throw new ApiError(0, noConnection, {}, cause);
  }
}

/** Whether only a passkey confirms, and not the password. */
async function needsPasskey(response: Response): Promise<boolean> {
  return (await parseError(response.clone())).message === passkeyNeededText;
}

type Ask = (needsPasskey: boolean) => Promise<boolean>;
const confirmation = Promise.withResolvers<Ask>();

/** Answers the 423 of any call: `ask` resolves to true once the member has confirmed. Calls wait until there is somebody to ask. */
export function onConfirmationNeeded(ask: Ask): void {
  confirmation.resolve(ask);
}

async function requestConfirmation(isPasskeyNeeded: boolean): Promise<boolean> {
  const ask = await confirmation.promise;
  return ask(isPasskeyNeeded);
}

/** Calls `listener` after every response 401 or 403, since the session or its permissions may have changed. */
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
    const response = await (takeEarlyCall(endpoint.path, options.signal) ?? fetch(buildUrl(endpoint, options), init));
    reportReachability(true);
    syncCsrfMeta();
    return response;
  } catch (error) {
    const { aborted = false, reason } = options.signal ?? {};
    // Where nobody waits any longer the server may well be there, unless it was given its time.
    if (!aborted || (reason as Error).name === "TimeoutError") reportReachability(false);
    throw aborted ? error : new ApiError(0, noConnection);
  }
}

/** The answer to a call that early.js has already made, once for each. */
function takeEarlyCall(path: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const early = globalThis.earlyCalls?.[path];
  delete globalThis.earlyCalls?.[path];
  if (early === undefined || signal === undefined) return early;
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });
  return Promise.race([early, aborted]);
}

function buildUrl<E extends Endpoint>(endpoint: E, options: CallOptions<E>): string {
  const params = (options.params ?? {}) as Record<string, string | number>;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return options.query === undefined ? path : `${path}?${new URLSearchParams(options.query)}`;
}

async function parseError(response: Response): Promise<ApiError> {
  if (response.status === 401 || response.status === 403) refusedAccess();
  const fallback = response.status >= 502 ? unavailableText : somethingFailed;
  // A proxy in between answers with a page of its own instead of our JSON.
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null);
  return new ApiError(response.status, body?.message || fallback, body?.errors ?? {});
}
