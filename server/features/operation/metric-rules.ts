import { hash, timingSafeEqual } from "node:crypto";

/** Compares in constant time. */
export function isBearerToken(authorization: string | undefined, expected: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
