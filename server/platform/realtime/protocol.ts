/** All clients since 2013 use this version of the Pusher protocol. */
const protocolVersion = 7;

/** Seconds without a message after which a client must send a ping. */
const activityTimeout = 120;

export const maxMessageBytes = 10_000;
export const maxChannelsPerSocket = 10;

/**
 * pusher-js stops permanently after 40xx and reconnects one second after 4100. After 42xx it would reconnect
 * immediately, so that range is never used.
 */
export const closeCodes = {
  binaryRefused: 1003,
  unknownKey: 4001,
  tooManySockets: 4004,
  malformedVersion: 4006,
  unsupportedVersion: 4007,
  missingVersion: 4008,
  unauthorized: 4009,
  restarting: 4100,
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/**
 * For an event which clients may not send, or a message above the rate limit. Only the third message above the limit in
 * a minute closes the connection.
 */
export const clientEventRefused = 4301;

/** `data` is `{}` if the message has none. */
export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The data may be an object or JSON in a string. `null` if the message is not `{event: string, …}`. */
export function readFrame(text: string): Frame | null {
  const message = parseJson(text);
  if (!isRecord(message) || typeof message["event"] !== "string") return null;
  const raw = message["data"];
  const data = typeof raw === "string" ? parseJson(raw) : raw;
  return { event: message["event"], data: isRecord(data) ? data : {} };
}

/** `null` for the supported version. */
export function versionProblem(version: string | null): CloseCode | null {
  if (version === null || version === "") return closeCodes.missingVersion;
  if (!/^\d{1,9}$/.test(version)) return closeCodes.malformedVersion;
  return Number(version) === protocolVersion ? null : closeCodes.unsupportedVersion;
}

/** The protocol requires the data as JSON inside a JSON string. */
export function encodeFrame(event: string, data: object, channel?: string): string {
  return JSON.stringify({ event, channel, data: JSON.stringify(data) });
}

/**
 * `auth` is an addition to the protocol, which other clients ignore: the socket's token, which is accepted instead of
 * signatures.
 */
export function encodeGreeting({ socketId, token }: { socketId: string; token: string | null }): string {
  const data = { socket_id: socketId, activity_timeout: activityTimeout, ...(token !== null && { auth: token }) };
  return encodeFrame("pusher:connection_established", data);
}

/** pusher-js reports a `pusher:error` as a connection error although the connection remains open. */
export function encodeError(code: number | null, message: string): string {
  return JSON.stringify({ event: "pusher:error", data: { code, message } });
}

export function encodeSubscriptionError(channel: string, status: 401 | 403, error: string): string {
  return JSON.stringify({ event: "pusher:subscription_error", channel, data: { type: "AuthError", error, status } });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
