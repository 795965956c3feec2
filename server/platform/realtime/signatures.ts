import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A fixed public key and its secret. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** True for `123.456`: only digits, so that no part of an id can be read as another part of the signed text. */
export function isSocketId(value: unknown): value is string {
  return typeof value === "string" && /^\d+\.\d+$/.test(value);
}

/** True for names that may be signed: no `:`, at most 164 characters. */
export function isChannelName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9_\-=@,.;]{1,164}$/.test(value);
}

/** `key:hmac` for the subscription of this socket to this channel; for a presence channel it includes the `channel_data`. */
export function signChannel(credentials: Credentials, socketId: string, channel: string, channelData?: string): string {
  assertSignable(socketId, channel);
  const data = channelData === undefined ? "" : `:${channelData}`;
  return sign(credentials, `${socketId}:${channel}${data}`);
}

/** `key:hmac` for the sign-in of this socket. */
export function signUser(credentials: Credentials, socketId: string, userData: string): string {
  assertSignable(socketId);
  return sign(credentials, `${socketId}::user::${userData}`);
}

/** The signed query string of one call to the HTTP API of a Pusher-compatible service. */
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

/** Whether what a client sent is this signature, compared in constant time. */
export function isSignature(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
