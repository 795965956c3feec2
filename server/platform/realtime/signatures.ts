import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The public key and the secret that sign messages for a Pusher-compatible server. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/**
 * Returns `true` for a socket id like `123.456`. It may contain only digits and one dot: in the
 * signed text, `:` separates the id from the channel's name.
 */
export function isSocketId(value: unknown): value is string {
  return typeof value === "string" && /^\d+\.\d+$/.test(value);
}

/**
 * Returns `true` for a channel name that may be signed: at most 164 characters, without `:`, which
 * separates the parts of the signed text.
 */
export function isChannelName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9_\-=@,.;]{1,164}$/.test(value);
}

/**
 * Returns the signature `key:hmac` for the subscription of a socket to a channel. It includes the
 * `channel_data` of a presence channel.
 */
export function signChannel(credentials: Credentials, socketId: string, channel: string, channelData?: string): string {
  assertSignable(socketId, channel);
  const data = channelData === undefined ? "" : `:${channelData}`;
  return sign(credentials, `${socketId}:${channel}${data}`);
}

export function signUser(credentials: Credentials, socketId: string, userData: string): string {
  assertSignable(socketId);
  return sign(credentials, `${socketId}::user::${userData}`);
}

/** Returns the signed query string of a call to the HTTP API of a Pusher-compatible service. */
export function signedQuery(
  credentials: Credentials,
  call: { method: string; path: string; body: string; seconds: number },
): string {
  const query = [
    `auth_key=${credentials.key}`,
    `auth_timestamp=${call.seconds}`,
    "auth_version=1.0",
    `body_md5=${createHash("md5").update(call.body).digest("hex")}`,
  ].join("&");
  const signature = hmac(credentials.secret, `${call.method}\n${call.path}\n${query}`);
  return `${query}&auth_signature=${signature}`;
}

/**
 * Returns the credentials with which the embedded server signs for one session, so that a signature
 * is valid only with that session. `sessionId` is the session's hash.
 */
export function credentialsOfSession({ key, secret }: Credentials, sessionId: string): Credentials {
  return { key, secret: hmac(secret, `session ${sessionId}`) };
}

/** Adds the session to a signature, for an instance that does not know the socket's session yet. */
export function addSession(signature: string, sessionId: string): string {
  return `${signature}:${sessionId}`;
}

/** Splits a signature from a client into `key:hmac` and the session that was added, if any. */
export function splitSession(auth: unknown): { signature: string; sessionId: string | undefined } {
  const [key = "", hash = "", ...rest] = typeof auth === "string" ? auth.split(":") : [];
  return { signature: `${key}:${hash}`, sessionId: rest.length > 0 ? rest.join(":") : undefined };
}

function assertSignable(socketId: string, channel?: string): void {
  if (!isSocketId(socketId)) throw new Error("refusing to sign for a malformed socket id");
  if (channel !== undefined && !isChannelName(channel)) throw new Error("refusing to sign a malformed channel name");
}

function sign(credentials: Credentials, text: string): string {
  return `${credentials.key}:${hmac(credentials.secret, text)}`;
}

function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/**
 * Returns `true` if the value `given` by a client equals the expected signature; compares in
 * constant time.
 */
export function isSignature(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
