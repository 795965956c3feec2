import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** Allows only digits and one dot: in the signed text, `:` separates the id from the channel's name. */
export function isSocketId(value: unknown): value is string {
  return typeof value === "string" && /^\d+\.\d+$/.test(value);
}

/** Allows no `:`, which separates the parts of the signed text. */
export function isChannelName(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9_\-=@,.;]{1,164}$/.test(value);
}

/** Returns `key:hmac`. */
export function signChannel(credentials: Credentials, socketId: string, channel: string, channelData?: string): string {
  assertSignable(socketId, channel);
  const data = channelData === undefined ? "" : `:${channelData}`;
  return sign(credentials, `${socketId}:${channel}${data}`);
}

export function signUser(credentials: Credentials, socketId: string, userData: string): string {
  assertSignable(socketId);
  return sign(credentials, `${socketId}::user::${userData}`);
}

/** A call with a body is signed with its hash; `parameters` must sort behind `auth_…`. */
export function signedQuery(
  credentials: Credentials,
  call: { method: string; path: string; body?: string; parameters?: string; seconds: number },
): string {
  const query = [
    `auth_key=${credentials.key}`,
    `auth_timestamp=${call.seconds}`,
    "auth_version=1.0",
    ...(call.body === undefined ? [] : [`body_md5=${createHash("md5").update(call.body).digest("hex")}`]),
    ...(call.parameters === undefined ? [] : [call.parameters]),
  ].join("&");
  const signature = hmac(credentials.secret, `${call.method}\n${call.path}\n${query}`);
  return `${query}&auth_signature=${signature}`;
}

/** A signature with these credentials is valid only with that session. `sessionId` is the session's hash. */
export function credentialsOfSession({ key, secret }: Credentials, sessionId: string): Credentials {
  return { key, secret: hmac(secret, `session ${sessionId}`) };
}

/** For an instance that does not know the socket's session yet. */
export function addSession(signature: string, sessionId: string): string {
  return `${signature}:${sessionId}`;
}

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

/** Compares in constant time. */
export function isSignature(given: unknown, expected: string): boolean {
  if (typeof given !== "string") return false;
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
