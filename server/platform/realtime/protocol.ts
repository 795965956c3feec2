/** The only supported version of the Pusher protocol; all clients since 2013 use it. */
const protocolVersion = 7;

/** Seconds without a message after which a client must send a ping. */
const activityTimeout = 120;

export const maxMessageBytes = 10_000;
export const maxChannelsPerSocket = 10;

/**
 * Close codes of the Pusher protocol. The client pusher-js stops permanently after 40xx and
 * reconnects one second after 4100. After 42xx it would reconnect immediately, so that range is
 * never used.
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
 * Code of the `pusher:error` that answers an event which clients may not send, or a message above
 * the rate limit. Only the third message above the limit in a minute closes the connection.
 */
export const clientEventRefused = 4301;

/**
 * A message of a client: the name of its event and the data, which are `{}` if the message has
 * none.
 */
export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Parses a text message, whose data may be an object or JSON in a string. Returns `null` if the
 * message is not `{event: string, …}`.
 */
export function readFrame(text: string): Frame | null {
  const message = parseJson(text);
  if (!isRecord(message) || typeof message["event"] !== "string") return null;
  const raw = message["data"];
  const data = typeof raw === "string" ? parseJson(raw) : raw;
  return { event: message["event"], data: isRecord(data) ? data : {} };
}

/** Returns the close code for a `protocol=` query value; `null` for the supported version. */
export function versionProblem(version: string | null): CloseCode | null {
  if (version === null || version === "") return closeCodes.missingVersion;
  if (!/^\d{1,9}$/.test(version)) return closeCodes.malformedVersion;
  return Number(version) === protocolVersion ? null : closeCodes.unsupportedVersion;
}

/** Encodes a message to clients. The protocol requires its data as JSON inside a JSON string. */
export function encodeFrame(event: string, data: object, channel?: string): string {
  return JSON.stringify({ event, channel, data: JSON.stringify(data) });
}

/**
 * Encodes the first message to a client. `auth` is an addition to the protocol, which other clients
 * ignore: the socket's token, which is accepted instead of signatures.
 */
export function encodeGreeting({ socketId, token }: { socketId: string; token: string | null }): string {
  const data = { socket_id: socketId, activity_timeout: activityTimeout, ...(token !== null && { auth: token }) };
  return encodeFrame("pusher:connection_established", data);
}

/** Encodes a `pusher:error`, which pusher-js reports as a connection error although the connection remains open. */
export function encodeError(code: number | null, message: string): string {
  return JSON.stringify({ event: "pusher:error", data: { code, message } });
}

/** Encodes the message that tells a client that a subscription was refused or has ended. */
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
