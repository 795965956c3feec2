import { createHmac, randomBytes } from "node:crypto";

import { type Invitation, invitationDays } from "#contract/invitations.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { days } from "#server/time.ts";

export const maxLifetimeMs = days(invitationDays.max);

/** Crockford's base32: omits I, L, O and U, so that a token can be read aloud and typed. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = [5, 5, 5, 5, 6];

/** Returns 130 random bits, written as `XXXXX-XXXXX-XXXXX-XXXXX-XXXXXX`. */
export function createInvitationToken(): string {
  return toToken(randomBytes(32));
}

/** Derives the token from the app key, so that it is the same on all instances and after every restart. */
export function createFirstToken(appKey: string): string {
  return toToken(createHmac("sha256", appKey).update("first-invitation:").digest());
}

function toToken(bytes: Buffer): string {
  const letters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]);
  return groups.map((size) => letters.splice(0, size).join("")).join("-");
}

/** Ignores case, hyphens and blanks; reads O as 0, and I and L as 1. */
export function normalizeToken(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

export function hashToken(typed: string): string {
  return sha256(normalizeToken(typed));
}

/** Revoked takes precedence over used, and used over expired. */
export function toInvitationState(
  { revoked_at, uses_left, expires_at }: { revoked_at: number | null; uses_left: number; expires_at: number },
  now: number,
): Invitation["state"] {
  if (revoked_at !== null) return "revoked";
  if (uses_left < 1) return "used";
  return expires_at <= now ? "expired" : "open";
}
