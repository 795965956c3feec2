import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";

import type { FastifyReply } from "fastify";

import type { RotatableSecrets } from "#server/platform/security/rotatable-secrets.ts";
import { days } from "#server/time.ts";

const csrfCookie = "XSRF-TOKEN";
/** A browser is known for this long after its last login. */
export const deviceLifetimeMs = days(180);
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** `maxAgeSeconds` is `null` if the cookie ends when the browser closes. */
export interface RenewedSession {
  readonly sessionId: string;
  readonly maxAgeSeconds: number | null;
  /** Makes the browser known; only after a login. */
  readonly deviceToken?: string;
}

/**
 * With https (`isSecure`), all cookies except the CSRF cookie, which scripts read, get the `__Host-` prefix, so that no
 * subdomain can overwrite them.
 */
export function createSessionCookies(secrets: RotatableSecrets, isSecure: boolean) {
  const name = isSecure ? "__Host-session" : "session";
  const deviceName = isSecure ? "__Host-device" : "device";
  const oidcName = isSecure ? "__Host-oidc" : "oidc";
  const attributes = { path: "/", sameSite: "lax", secure: isSecure } as const;
  const csrfToken = (appKey: string, id: string) => createHmac("sha256", appKey).update(id).digest("base64url");
  const lifetime = (seconds: number | null) => (seconds === null ? {} : { maxAge: seconds });

  function setCsrfToken(reply: FastifyReply, id: string, maxAgeSeconds: number | null): void {
    reply.setCookie(csrfCookie, csrfToken(secrets.current("appKey"), id), {
      ...attributes,
      ...lifetime(maxAgeSeconds),
    });
  }

  return {
    /** `null` if the cookie is missing or malformed. */
    readSession: (header: string | undefined) => readToken(header, name),
    setSession(reply: FastifyReply, { sessionId, maxAgeSeconds, deviceToken }: RenewedSession): void {
      reply.setCookie(name, sessionId, { ...attributes, httpOnly: true, ...lifetime(maxAgeSeconds) });
      setCsrfToken(reply, sessionId, maxAgeSeconds);
      if (deviceToken === undefined) return;
      reply.setCookie(deviceName, deviceToken, { ...attributes, httpOnly: true, maxAge: deviceLifetimeMs / 1000 });
    },
    setCsrfToken,
    /** Keeps the device cookie, so that the next login recognizes the browser. */
    clearSession(reply: FastifyReply): void {
      reply.clearCookie(name, { ...attributes, httpOnly: true });
      reply.clearCookie(csrfCookie, attributes);
    },
    /** Identifies a browser that has logged in before; `null` if the cookie is missing or malformed. */
    readDevice: (header: string | undefined) => readToken(header, deviceName),
    /** Binds a login at an OpenID provider to this browser; `null` if the cookie is missing or malformed. */
    readOidc: (header: string | undefined) => readToken(header, oidcName),
    setOidc(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
      reply.setCookie(oidcName, value, { ...attributes, httpOnly: true, maxAge: maxAgeSeconds });
    },
    clearOidc(reply: FastifyReply): void {
      reply.clearCookie(oidcName, { ...attributes, httpOnly: true });
    },
    /** Compares in constant time. */
    async isCsrfTokenOf(id: string, token: string): Promise<boolean> {
      if (!tokenPattern.test(token)) return false;
      const given = Buffer.from(token);
      return secrets.accepts("appKey", (appKey) => timingSafeEqual(given, Buffer.from(csrfToken(appKey, id))));
    },
  };
}

/**
 * Accepts only spaces and tabs before the name: a subdomain can set a forged cookie with a no-break space before
 * `__Host-session`. `null` if the cookie is malformed.
 */
function readToken(header: string | undefined, name: string): string | null {
  const pair = header?.split(/;[ \t]*/).find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  return value !== undefined && tokenPattern.test(value) ? value : null;
}

/** 256 random bits as 43 characters. */
export function createRandomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Stored instead of a secret, so that a stolen copy of the database does not allow a login. */
export function sha256(secret: string): string {
  return hash("sha256", secret);
}
