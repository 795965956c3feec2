/** The only version of the protocol spoken here; every client in use since 2013 speaks it. */
const protocolVersion = 7;

/** Seconds of silence after which a client asks for a sign of life. */
export const activityTimeout = 120;

export const maxMessageBytes = 10_000;
export const maxChannelsPerSocket = 10;

/**
 * How pusher-js reads a close: 40xx stop it for good, 4100 brings it back after a second, 42xx would bring it back without
 * any pause and are therefore never sent.
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

/** Code inside `pusher:error`: a client event, or one message too many. The connection stays. */
export const clientEventRefused = 4301;

/** What a client sent: the event's name and its data as an object, `{}` where it sent none. */
export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads one text message; null where it is not `{event: string, …}`. Data may come as an object or as JSON in a string. */
export function readFrame(text: string): Frame | null {
  const message = parseJson(text);
  if (!isRecord(message) || typeof message["event"] !== "string") return null;
  const raw = message["data"];
  const data = typeof raw === "string" ? parseJson(raw) : raw;
  return { event: message["event"], data: isRecord(data) ? data : {} };
}

/** The close code a `protocol=` query value earns, or null where it is the version spoken here. */
export function versionProblem(version: string | null): CloseCode | null {
  if (version === null || version === "") return closeCodes.missingVersion;
  if (!/^\d{1,9}$/.test(version)) return closeCodes.malformedVersion;
  return Number(version) === protocolVersion ? null : closeCodes.unsupportedVersion;
}

/** A frame as every client reads it: the data is JSON inside a JSON string. */
export function encodeFrame(event: string, data: object, channel?: string): string {
  return JSON.stringify({ event, channel, data: JSON.stringify(data) });
}

/** `pusher:error`: reported by pusher-js as an error of the connection, which stays open. */
export function encodeError(code: number | null, message: string): string {
  return JSON.stringify({ event: "pusher:error", data: { code, message } });
}

/** Tells the channel's own listeners that they are not, or no longer, subscribed. */
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
