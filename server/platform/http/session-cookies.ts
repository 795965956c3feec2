import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

import type { FastifyReply } from "fastify";

const csrfCookie = "XSRF-TOKEN";
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
/** For how many sessions hashes are kept. */
const maxRemembered = 1000;

/** A new id of a session for its cookie, and how long the browser keeps it (null: until it closes). */
export interface RenewedSession {
  readonly sessionId: string;
  readonly maxAgeSeconds: number | null;
}

/** `isSecure`: https, where the cookie also gets the `__Host-` prefix that no sub-domain can overwrite. */
export function createSessionCookies(appKey: string, isSecure: boolean) {
  const name = isSecure ? "__Host-session" : "session";
  const deviceName = isSecure ? "__Host-device" : "device";
  const attributes = { path: "/", sameSite: "lax", secure: isSecure } as const;
  const csrfTokenOf = remember((id) => createHmac("sha256", appKey).update(id).digest("base64url"));
  const lifetime = (seconds: number | null) => (seconds === null ? {} : { maxAge: seconds });

  /** Renews only the readable CSRF token of an id. */
  function setCsrfToken(reply: FastifyReply, id: string, maxAgeSeconds: number | null): void {
    reply.setCookie(csrfCookie, csrfTokenOf(id), { ...attributes, ...lifetime(maxAgeSeconds) });
  }

  return {
    /** The session id that a Cookie header carries; null if there is none or it is malformed. */
    readSession: (header: string | undefined) => readToken(header, name),
    /** Sets a new id and its CSRF token. */
    setSession(reply: FastifyReply, { sessionId, maxAgeSeconds }: RenewedSession): void {
      reply.setCookie(name, sessionId, { ...attributes, httpOnly: true, ...lifetime(maxAgeSeconds) });
      setCsrfToken(reply, sessionId, maxAgeSeconds);
    },
    setCsrfToken,
    /** Keeps the device cookie, so that the browser is still known at the next login. */
    clearSession(reply: FastifyReply): void {
      reply.clearCookie(name, { ...attributes, httpOnly: true });
      reply.clearCookie(csrfCookie, attributes);
    },
    /** The value of the device cookie, by which a browser that has logged in before is known; null like readSession(). */
    readDevice: (header: string | undefined) => readToken(header, deviceName),
    setDevice(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
      reply.setCookie(deviceName, value, { ...attributes, httpOnly: true, maxAge: maxAgeSeconds });
    },
    /** Constant time; the token belongs to this one session id. */
    isCsrfTokenOf(id: string, token: string): boolean {
      const expected = Buffer.from(csrfTokenOf(id));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/**
 * The value of a cookie; null if it is missing or malformed. Of the spaces only blanks and tabs may stand before its name: a
 * sub-domain can set a cookie whose name is `__Host-session` after a no-break space.
 */
function readToken(header: string | undefined, name: string): string | null {
  const pair = header?.split(/;[ \t]*/).find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  return value !== undefined && tokenPattern.test(value) ? value : null;
}

/** 256 random bits, 43 characters. */
export function createRandomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** How secrets are stored, so that a stolen copy of the database cannot be used to log in. */
export function sha256(secret: string): string {
  return hash("sha256", secret);
}

/** sha256() of a session id. Browsers send the same one again and again, and both hashes take longer than finding them. */
export const hashSessionId = remember(sha256);

/** The same function; results for texts that it was asked for before are kept. */
function remember(compute: (text: string) => string): (text: string) => string {
  const results = new Map<string, string>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= maxRemembered) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
