import { createPublicKey } from "node:crypto";

import type { Config } from "#server/config.ts";

/** The keys encrypt messages for the browser at `endpoint`, and are base64url. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

type Limits = Pick<Config, "pushAllowedHosts" | "pushAllowPrivate">;

const maxLength = 2048;
/** Refuses URLs that a URL parser would change. */
const endpointPattern = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(\d{1,5}))?(\/[\x21-\x7e]*)?$/;
const forbiddenCharacters = /[\\#]/;

/**
 * `true` for https at a known push service or a subdomain of one. This is not sufficient: ssrfSafeRequest() also checks
 * the IP addresses of the host before every push.
 */
export function isPushEndpoint(text: string, { pushAllowedHosts, pushAllowPrivate }: Limits): boolean {
  if (text.length > maxLength || forbiddenCharacters.test(text) || !URL.canParse(text)) return false;
  const [, host, port = "443"] = endpointPattern.exec(text) ?? [];
  if (host === undefined || host !== new URL(text).hostname) return false;
  if (port !== "443" && !pushAllowPrivate) return false;
  return pushAllowedHosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** An uncompressed point on the curve P-256, and 16 secret bytes. */
export function arePushKeysValid({ p256dh, auth }: { readonly p256dh: string; readonly auth: string }): boolean {
  const point = decode(p256dh);
  if (point?.length !== 65 || point[0] !== 4 || decode(auth)?.length !== 16) return false;
  try {
    createPublicKey({ key: toJwk(point), format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** `point` is uncompressed and on the curve P-256. */
export function toJwk(point: Buffer) {
  return { kty: "EC", crv: "P-256", x: point.toString("base64url", 1, 33), y: point.toString("base64url", 33) };
}

function decode(text: string): Buffer | null {
  return /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? Buffer.from(text, "base64url") : null;
}
